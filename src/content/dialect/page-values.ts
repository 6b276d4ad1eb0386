/** The values that a page can show without any code being run: what its frontmatter says, and the site. */
export type PageValues = Readonly<Record<string, unknown>>

/** What `value` holds below a path of keys, as a tool would print it; undefined: nothing that is one line of text. */
export function textAt(value: unknown, path: readonly string[], foldsCase: boolean): string | undefined {
  const [key, ...rest] = path
  if (key === undefined) return textOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  const wanted = foldsCase ? key.toLowerCase() : key
  const entry = Object.entries(value).find(([each]) => (foldsCase ? each.toLowerCase() : each) === wanted)
  return entry === undefined ? undefined : textAt(entry[1], rest, foldsCase)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' && !/[\r\n]/.test(value) ? value : undefined
}

const MEMBER = /^\$?front[mM]atter((?:\.[\w$]+|\[(?:'[^'\]]*'|"[^"\]]*"|\d+)\])+)$/

/** What `frontMatter.version` or `$frontmatter['version']` says; undefined where it is anything else. */
export function readMember(code: string, values: PageValues): string | undefined {
  const path = MEMBER.exec(code.trim())?.[1]
  if (path === undefined) return undefined
  const keys = [...path.matchAll(/\.([\w$]+)|\[['"]?([^'"\]]*)['"]?\]/g)].map(
    ([, name, index]) => name ?? index ?? '',
  )
  return textAt(values, keys, false)
}
