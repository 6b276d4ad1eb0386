/** Adds `items` to `target`, any number of them: `push(...items)` has a limit of some 100,000. */
export function appendAll<Item>(target: Item[], items: Iterable<Item>): void {
  for (const item of items) target.push(item)
}
