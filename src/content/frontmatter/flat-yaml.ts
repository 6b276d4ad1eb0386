import {
  Document,
  isScalar,
  type LineCounter,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLParseError,
  YAMLSeq,
} from 'yaml'

/**
 * Reads the YAML of most files: keys at the start of a line, whose values are one-line scalars or lists of them. The
 * lexer, parser and composer of `yaml` take several times as long to create the same nodes.
 *
 * @param lineCounter receives the start of each line
 * @returns the result of `parseDocument`; undefined for every other text, and for one that might be invalid
 */
export function readFlatYaml(text: string, lineCounter: LineCounter): Document | undefined {
  const [opening] = OPENING.exec(text) ?? []
  if (opening === undefined || NEVER_FLAT.test(text)) return undefined
  const lines = splitLines(text)
  const map = new YAMLMap<Scalar, Scalar | YAMLSeq>()
  const keys = new Set<string>()
  for (let index = opening === '' ? 0 : 1; index < lines.length; index++) {
    const { start, end } = lines[index] as Line
    const key = readKey(text, start, end)
    if (key === undefined || keys.has(key.value)) return undefined
    keys.add(key.value)
    const from = skipSpaces(text, start + key.value.length + 1, end)
    const value = from < end ? readValue(text, from, end) : readBlockList(text, from, lines, index + 1)
    if (value === undefined) return undefined
    if (value instanceof YAMLSeq && value.flow !== true) index += value.items.length
    map.items.push(new Pair(key, value))
  }
  for (const { start } of lines) lineCounter.addNewLine(start)
  if (text.endsWith('\n')) lineCounter.addNewLine(text.length)
  const document = new Document(undefined, { logLevel: 'error' })
  document.contents = at(map, opening.length, text.length)
  return document
}

/** Parses any YAML 1.2; duplicate keys are errors. @param lineCounter receives the start of each line */
export function parseAnyYaml(text: string, lineCounter?: LineCounter): Document.Parsed {
  const document = parseDocument(text, {
    ...(lineCounter && { lineCounter }),
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
  })
  reportEqualKeys(document)
  return document
}

/** Adds the errors of `uniqueKeys`, which compares each key with all before it: a minute for a map of 60,000 keys. */
function reportEqualKeys(document: Document.Parsed): void {
  const found = document.errors.length
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const start = key.range?.[0] ?? 0
        if (seen.has(key.value))
          document.errors.push(
            new YAMLParseError([start, start + 1], 'DUPLICATE_KEY', 'Map keys must be unique'),
          )
        seen.add(key.value)
      }
    },
  })
  if (document.errors.length > found) document.errors.sort((one, other) => one.pos[0] - other.pos[0])
}

interface Line {
  readonly start: number
  /** Excludes the line break. */
  readonly end: number
}

/** The line feed after the initial `---`, which gray-matter leaves in the block, and a key. */
const OPENING = /^(?:\r?\n)?(?=[A-Za-z])/

/** Tabs, comments, and carriage returns within a line have special rules. */
const NEVER_FLAT = /\t|\r(?!\n)|(?:^|[ \n])#/

/** Words joined by single spaces and colons, and the colon that ends the key. */
const KEY = /^[A-Za-z][\w.-]*(?:[ :][\w.-]+)*:(?= |$)/

/** YAML allows 1,024 characters. */
const LONGEST_KEY = 1_000

/** First characters with a meaning. `-` and `?` have one only before a space, but `-1` is a number. */
const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`]/

/** Plain scalars that are not text in the core schema of YAML 1.2. */
const TYPED =
  /^(?:~|null|true|false|0o[0-7]+|0x[\da-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|[-+]?\.inf|\.nan)$/i

/** Numbers that are certainly not octal, hexadecimal or imprecise. */
const INTEGER = /^(?:0|[1-9]\d{0,14})$/

function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const next = feed === -1 ? text.length : feed
    lines.push({ start, end: text[next - 1] === '\r' ? next - 1 : next })
    start = next + 1
  }
  return lines
}

function readKey(text: string, start: number, end: number): Scalar<string> | undefined {
  const [written] = KEY.exec(text.slice(start, end)) ?? []
  if (written === undefined || written.length > LONGEST_KEY) return undefined
  const name = written.slice(0, -1)
  if (TYPED.test(name)) return undefined
  return at(scalar(name, 'PLAIN'), start, start + name.length)
}

function readValue(text: string, start: number, end: number): Scalar | YAMLSeq | undefined {
  return text[start] === '[' ? readFlowList(text, start, end) : readScalar(text, start, end)
}

/** Reads the `- item` lines after a key without a value; null if there are none. */
function readBlockList(text: string, from: number, lines: readonly Line[], first: number) {
  const list = new YAMLSeq<Scalar>()
  let indent: number | undefined
  for (let index = first; index < lines.length; index++) {
    const { start, end } = lines[index] as Line
    const dash = skipSpaces(text, start, end)
    if (text[dash] !== '-') break
    indent ??= dash - start
    const item = skipSpaces(text, dash + 1, end)
    if (dash - start !== indent || item === dash + 1 || item === end) return undefined
    const value = readScalar(text, item, end)
    if (value === undefined) return undefined
    if (list.items.push(value) === 1) at(list, dash, end)
    else (list.range as [number, number, number])[1] = end
  }
  return list.items.length > 0 ? list : at(scalar(null, 'PLAIN'), from, from)
}

/** Items can be quoted, and contain no colon, bracket or comma. */
function readFlowList(text: string, start: number, end: number): YAMLSeq | undefined {
  const closing = trimmedEnd(text, start, end) - 1
  if (text[closing] !== ']') return undefined
  const list = new YAMLSeq<Scalar>()
  list.flow = true
  for (let from = skipSpaces(text, start + 1, closing); from < closing;) {
    const comma = text.indexOf(',', from)
    const to = comma === -1 || comma > closing ? closing : comma
    const item = from < to && !/[:[\]{}]/.test(text.slice(from, to)) ? readScalar(text, from, to) : undefined
    if (item === undefined) return undefined
    list.items.push(item)
    from = skipSpaces(text, to + 1, closing)
  }
  return at(list, start, closing + 1)
}

function readScalar(text: string, start: number, to: number): Scalar | undefined {
  const end = trimmedEnd(text, start, to)
  const written = text.slice(start, end)
  const read = /^["']/.test(written) ? readQuoted(written) : readPlain(written)
  return read && at(read, start, end)
}

/** The text contains no escape and no quote. */
function readQuoted(written: string): Scalar | undefined {
  const [, double, single] = /^(?:"([^"\\]*)"|'([^']*)')$/.exec(written) ?? []
  if (double !== undefined) return scalar(double, 'QUOTE_DOUBLE')
  return single === undefined ? undefined : scalar(single, 'QUOTE_SINGLE')
}

function readPlain(written: string): Scalar | undefined {
  if (INTEGER.test(written)) return scalar(Number(written), 'PLAIN')
  if (TYPED.test(written)) return readWord(written)
  if (INDICATOR.test(written) || written.includes(': ') || written.endsWith(':')) return undefined
  return scalar(written, 'PLAIN')
}

function readWord(written: string): Scalar | undefined {
  if (/^(?:~|null|Null|NULL)$/.test(written)) return scalar(null, 'PLAIN')
  return /^(?:true|false)$/.test(written) ? scalar(written === 'true', 'PLAIN') : undefined
}

function scalar<T>(value: T, type: Scalar.Type): Scalar<T> {
  const node = new Scalar(value)
  node.type = type
  return node
}

function at<T extends Scalar | YAMLMap | YAMLSeq>(node: T, start: number, end: number): T {
  node.range = [start, end, end]
  return node
}

function skipSpaces(text: string, from: number, end: number): number {
  let offset = from
  while (offset < end && text[offset] === ' ') offset++
  return offset
}

function trimmedEnd(text: string, start: number, end: number): number {
  let offset = end
  while (offset > start && text[offset - 1] === ' ') offset--
  return offset
}
