/** Appends `items` to `target`. Unlike `push(...items)`, it has no limit of about 100,000 items. */
export function appendAll<Item>(target: Item[], items: Iterable<Item>): void {
  for (const item of items) target.push(item)
}
