/** A shortcode: `{{< name … >}}`, `{{% /name %}}`. */
export interface Shortcode {
  readonly at: number
  readonly length: number
  /** `escaped`: with comment signs, to be shown as text. */
  readonly kind: 'open' | 'close' | 'whole' | 'escaped'
  readonly name: string
  /** By name, or by index if unnamed. */
  readonly parameters: ReadonlyMap<string, string>
  readonly written: string
}

const OPENING = /\{\{[<%]/g
const END_LENGTH = '>}}'.length

/** Returns all shortcodes, also in code, because they are replaced before Markdown is parsed. Takes linear time. */
export function readShortcodes(text: string): Shortcode[] {
  const found: Shortcode[] = []
  const findEnd = createFindArgumentsEnd(text)
  let from = 0
  for (const { index: at } of text.matchAll(OPENING)) {
    if (at < from) continue
    const head = readHead(text, at)
    const end = head && findEnd(head.end)
    if (head === undefined || end === undefined) continue
    from = end + END_LENGTH
    found.push(toShortcode(head, text.slice(head.end, end).trim(), { at, written: text.slice(at, from) }))
  }
  return found
}

interface Head {
  readonly isEscaped: boolean
  readonly isClosing: boolean
  readonly name: string
  readonly end: number
}

/** Reads step by step: two adjacent runs of white space in one pattern would backtrack. */
function readHead(text: string, at: number): Head | undefined {
  let end = at + '{{<'.length
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = end
    const [taken = ''] = pattern.exec(text) ?? []
    end += taken.length
    return taken
  }
  const isEscaped = take(/\/\*/y) !== ''
  take(/\s*/y)
  const isClosing = take(/\//y) !== ''
  take(/\s*/y)
  const name = take(/\w(?:[\w.-]|\/(?![>%]\}\}))*/y)
  return name === '' ? undefined : { isEscaped, isClosing, name, end }
}

function toShortcode(head: Head, words: string, shortcode: Pick<Shortcode, 'at' | 'written'>): Shortcode {
  const { isEscaped, isClosing, name } = head
  const { at, written } = shortcode
  const place = { at, length: written.length, name, written }
  if (isEscaped) return { ...place, kind: 'escaped', parameters: new Map() }
  const isWhole = words.endsWith('/') && !/[\w./-]$/.test(words.slice(0, -1))
  const kind = isClosing ? 'close' : isWhole ? 'whole' : 'open'
  return { ...place, kind, parameters: readParameters(isWhole ? words.slice(0, -1) : words) }
}

const PARAMETER = /(?:([\w-]+)=)?(?:"((?:\\[\s\S]|[^"\\])*)"|`([^`]*)`|([^\s"`]+))/g

/** Returns the offsets of a file's URL in the whole text. `names` are the parameters that may contain one. */
export function addressIn({ at, written, name }: Shortcode, names: readonly string[]) {
  const from = written.indexOf(name) + name.length
  let count = 0
  for (const match of written.slice(from, -END_LENGTH).matchAll(PARAMETER)) {
    const [whole, key, quoted, raw, bare] = match
    const value = quoted ?? raw ?? bare ?? ''
    if (!names.includes(key ?? String(count++))) continue
    const isQuoted = bare === undefined
    const end = at + from + match.index + whole.length - (isQuoted ? 1 : 0)
    return value === '' || value.includes('\\') ? [] : [{ start: end - value.length, end, value, isQuoted }]
  }
  return []
}

function readParameters(words: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  let count = 0
  for (const [, name, quoted, raw, bare] of words.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? bare ?? ''
    parameters.set(name ?? String(count++), value)
  }
  return parameters
}

const OF_INTEREST = /["`]|[>%]\}\}|\{\{[<%]/g

/**
 * Returns a function that finds the end of a shortcode's arguments: the first unquoted `>}}` after their start. It
 * returns undefined if there is none, or if another shortcode starts before it. All calls together take linear time.
 */
function createFindArgumentsEnd(text: string): (from: number) => number | undefined {
  // Quotes without an end after them, which is searched only once.
  const hopeless = new Set<number>()
  // For each kind of quote: the offset after which there is no closing one.
  const unclosed = new Map<string, number>()
  const closingOf = (quote: string, at: number): number | undefined => {
    if (at >= (unclosed.get(quote) ?? Infinity)) return undefined
    const closing = quote === '"' ? endOfString(text, at + 1) : text.indexOf(quote, at + 1)
    if (closing !== -1) return closing
    unclosed.set(quote, at)
    return undefined
  }
  return (from) => {
    const passed: number[] = []
    let at: number | undefined = from
    while (at !== undefined) {
      const next = find(text, at)
      if (next?.[0].endsWith('}}') === true) return next.index
      const isQuote = next !== undefined && next[0].length === 1
      at = !isQuote || hopeless.has(next.index) ? undefined : closingOf(next[0], next.index)
      if (at === undefined) break
      if (next !== undefined) passed.push(next.index)
      at++
    }
    for (const quote of passed) hopeless.add(quote)
    return undefined
  }
}

function find(text: string, from: number): RegExpExecArray | undefined {
  OF_INTEREST.lastIndex = from
  return OF_INTEREST.exec(text) ?? undefined
}

/** Returns the offset of the quote that closes a string, or -1 if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}
