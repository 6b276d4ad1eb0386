/** A shortcode of Hugo: `{{< name … >}}`, `{{% /name %}}`. */
export interface Shortcode {
  readonly at: number
  readonly length: number
  /** `escaped`: written with comment signs, to be shown. */
  readonly kind: 'open' | 'close' | 'whole' | 'escaped'
  readonly name: string
  /** By name, and by number where they have none. */
  readonly parameters: ReadonlyMap<string, string>
  readonly written: string
}

const ARGUMENTS = String.raw`(?:"(?:\\.|[^"\\])*"|${'`[^`]*`'}|[^"${'`'}])*?`

const SHORTCODE = new RegExp(
  String.raw`\{\{([<%])(\/\*)?\s*(\/?)\s*([\w][\w./-]*)(${ARGUMENTS})\s*(\/?)\s*(\*\/)?[>%]\}\}`,
  'g',
)

/** All of them, in code as well: Hugo looks for them before it reads Markdown. */
export function readShortcodes(text: string): Shortcode[] {
  if (!text.includes('{{<') && !text.includes('{{%')) return []
  return [...text.matchAll(SHORTCODE)].map((match) => {
    const [written, , escape, slash, name = '', words = '', self] = match
    const place = { at: match.index, length: written.length, name, written }
    if (escape !== undefined) return { ...place, kind: 'escaped', parameters: new Map<string, string>() }
    const kind = slash === '/' ? 'close' : self === '/' ? 'whole' : 'open'
    return { ...place, kind, parameters: readParameters(words) }
  })
}

const PARAMETER = /(?:([\w-]+)=)?(?:"((?:\\.|[^"\\])*)"|`([^`]*)`|([^\s"`]+))/g

function readParameters(words: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  let count = 0
  for (const [, name, quoted, raw, bare] of words.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? bare ?? ''
    parameters.set(name ?? String(count++), value)
  }
  return parameters
}
