/** Adds `items` to `target`; unlike `push(...items)`, which has a limit of some 100,000, as many as there are. */
export function appendAll<Item>(target: Item[], items: Iterable<Item>): void {
  for (const item of items) target.push(item)
}
