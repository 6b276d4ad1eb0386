/**
 * The configuration as text: equal texts, equal configuration. A function counts by its source (what it closes over
 * cannot be seen); options of Markdown plugins may be anything, circles included.
 */
export function describeConfig(config: unknown): string {
  const above: object[] = []
  return describe(config)

  function describe(value: unknown): string {
    if (typeof value !== 'object' || value === null) return `${typeof value} ${describePlain(value)}`
    if (value instanceof RegExp || value instanceof Date) return `${value.constructor.name} ${String(value)}`
    const depth = above.indexOf(value)
    if (depth !== -1) return `circle ${depth}`
    above.push(value)
    const text = isList(value)
      ? [...value].map(describe)
      : entriesOf(value).map(([key, member]) => `${describe(key)}: ${describe(member)}`)
    above.pop()
    return `${isList(value) ? 'list' : 'object'} {${text.join(', ')}}`
  }
}

function describePlain(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function isList(value: object): value is Iterable<unknown> {
  return Array.isArray(value) || value instanceof Set
}

function entriesOf(value: object): [unknown, unknown][] {
  return value instanceof Map ? [...value] : Object.entries(value)
}
