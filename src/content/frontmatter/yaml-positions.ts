import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  visit,
  type YAMLError,
} from 'yaml'
import { parseAnyYaml, readFlatYaml } from './flat-yaml.ts'
import { explainYaml } from './explain-yaml.ts'
import { endsWithSpace } from '../source/line-starts.ts'
import type { Position, Span, TextChange } from '../../core/model/diagnostic.ts'

/** The position of a syntax error, its reason (a clause without a full stop), and a hint. */
export interface SyntaxProblem extends Span {
  readonly message: string
  readonly hint: string
}

/** A parsed YAML text, with the positions of its values. */
export interface PositionedYaml {
  readonly value: unknown
  /** The format, if it is not YAML. */
  readonly format?: 'TOML' | 'JSON'
  readonly errors: readonly SyntaxProblem[]
  /** Keys of a tool for which an unknown key can be a misspelling. */
  readonly toolKeys?: readonly string[] | undefined
  /** The keys in the file, if `value` is converted from them. */
  readonly written?: object
  /** Returns the path of a value in the file, if `value` is converted, and whether it is `true` or `false` there. */
  readonly writtenAs?: (path: readonly PropertyKey[]) => {
    readonly path: readonly PropertyKey[]
    readonly isFlag: boolean
  }
  /** Returns the position of the value at `path`, or of its nearest existing ancestor: the first line of several. */
  readonly positionOf: (path: readonly PropertyKey[]) => Span
  readonly positionOfKey: (path: readonly PropertyKey[], key: string) => Span
  /** Returns the value at `path` as written; '' if there is none. */
  readonly textOf: (path: readonly PropertyKey[]) => string
  /** Returns changes that remove insignificant trailing white space; none for a text with errors. */
  readonly trailingSpaces: () => TextChange[]
}

/** Parses YAML 1.2 (core schema: dates stay text). Duplicate keys and excessive aliases are errors. */
export function parsePositionedYaml(text: string): PositionedYaml {
  const lineCounter = new LineCounter()
  const document = readFlatYaml(text, lineCounter) ?? parseAnyYaml(text, lineCounter)
  const at = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const spanAt = ({ start, end = start, isOneLine = false }: OffsetRange): Span => {
    const covered = text.slice(start, end)
    const length = (isOneLine ? (covered.split('\n', 1)[0] ?? '') : covered).trimEnd().length
    return length === 0 ? at(start) : { ...at(start), end: at(start + length) }
  }
  const reported = firstOfEachLine(
    document.errors.filter(isCause).map((error) => ({ error, ...at(error.pos[0]) })),
  )
  const starts = startsOfUnclosed(document)
  const errors: SyntaxProblem[] = firstOfEachLine(
    reported.map(({ error }) => ({
      ...explainYaml(error.message, lineBefore(text, error.pos[0]), linesAround(text, error.pos[0])),
      ...spanAt(unclosedRange(starts, error) ?? rangeOfError(error, text)),
    })),
  )
  const { value, failure } = toValue(document)
  if (failure !== undefined) errors.push({ ...explainYaml(failure), ...spanAt(danglingAlias(document)) })
  return {
    value,
    errors,
    positionOf: (path) => spanAt(rangeOf(document, path)),
    textOf: (path) => {
      const { start, end = start } = rangeOf(document, path)
      return text.slice(start, end).trimEnd()
    },
    trailingSpaces: () =>
      errors.length > 0 || !/[ \t]\r?(?:\n|$)/.test(text)
        ? []
        : findTrailingSpaces(text, heldLines(document, lineCounter)),
    positionOfKey: (path, key) => spanAt(keyRange(document, path, key) ?? rangeOf(document, path)),
  }
}

/** A blank first line follows the opening `---`, whose position is unknown here. */
function findTrailingSpaces(text: string, held: ReadonlySet<number>): TextChange[] {
  return text.split('\n').flatMap((written, index) => {
    const line = written.replace(/\r$/, '')
    if (!endsWithSpace(line)) return []
    const column = line.search(/[ \t]+$/) + 1
    if ((index === 0 && line.trim() === '') || held.has(index + 1)) return []
    const number = index + 1
    return [{ start: { line: number, column }, end: { line: number, column: line.length + 1 }, text: '' }]
  })
}

/** Returns the lines of multi-line texts, whose white space may be significant. */
function heldLines(document: Document, lineCounter: LineCounter): ReadonlySet<number> {
  const held = new Set<number>()
  visit(document, {
    Scalar(_, { range, type }) {
      if (!range || type === 'PLAIN') return
      const { line: last, col } = lineCounter.linePos(range[2])
      for (let line = lineCounter.linePos(range[0]).line; line < last; line++) held.add(line)
      // A block without anything after it ends on its last line.
      if (type?.startsWith('BLOCK') === true && col > 1) held.add(last)
    },
  })
  return held
}

function toValue(document: Document): { value: unknown; failure?: string } {
  if (document.errors.length > 0) return { value: undefined }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown }
  } catch (error) {
    return { value: undefined, failure: error instanceof Error ? error.message : String(error) }
  }
}

function firstOfEachLine<T extends Position>(errors: readonly T[]): T[] {
  const lines = new Set<number>()
  return errors.filter(({ line }) => {
    const isFirst = !lines.has(line)
    lines.add(line)
    return isFirst
  })
}

/** Returns true for an error that is not a consequence of an earlier one: after an error, the parser is out of step. */
function isCause({ code }: YAMLError, index: number): boolean {
  return index === 0 || (code !== 'UNEXPECTED_TOKEN' && code !== 'IMPOSSIBLE')
}

interface OffsetRange {
  readonly start: number
  readonly end?: number
  /** If the error covers several lines, only the first is reported. */
  readonly isOneLine?: boolean
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
}

/** Returns the previous non-empty line and that at an offset, unindented; '' if text precedes the offset. */
function linesAround(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  if (text.slice(start, offset).trim() !== '') return ''
  const above = text.slice(0, start).trimEnd()
  const [, line = ''] = /^(?: *\r?\n)* *(.*)/.exec(text.slice(start)) ?? []
  return `${above.slice(above.lastIndexOf('\n') + 1)}\n${line}`
}

/** Extends the range to the whole word, because the parser often reports only the first character. */
function rangeOfError({ pos: [start, end] }: YAMLError, text: string): OffsetRange {
  const [word = ''] = /^[^\s:,[\]{}]*/.exec(text.slice(start)) ?? []
  return { start, end: Math.max(end, start + word.length), isOneLine: true }
}

/** Returns the range from the unclosed quote or bracket. The parser reports where it gives up. */
function unclosedRange(starts: ReadonlyMap<string, number>, { message, pos: [end] }: YAMLError) {
  const start = starts.get(`${UNCLOSED.findIndex(([pattern]) => pattern.test(message))} ${end}`)
  return start === undefined ? undefined : { start, end, isOneLine: true }
}

/** Returns the start of the deepest node, by its kind (an index of UNCLOSED) and end. */
function startsOfUnclosed(document: Document): ReadonlyMap<string, number> {
  const starts = new Map<string, number>()
  const addStart = (_: unknown, node: Node): void => {
    const kind = UNCLOSED.findIndex(([, isUnclosed]) => isUnclosed(node))
    if (node.range && kind !== -1) starts.set(`${kind} ${node.range[1]}`, node.range[0])
  }
  if (document.errors.length > 0) visit(document, { Node: addStart })
  return starts
}

/** Kinds of unclosed nodes, by the parser's message. */
const UNCLOSED: readonly (readonly [pattern: RegExp, isUnclosed: (node: Node) => boolean])[] = [
  [/^Missing closing/, (node) => isScalar(node) && node.type?.startsWith('QUOTE') === true],
  [/^Flow map/, (node) => isMap(node) && node.flow === true],
  [/^Flow sequence/, (node) => isSeq(node) && node.flow === true],
]

/** Returns the range of the first alias without an anchor, or the start of the text if there is none. */
function danglingAlias(document: Document): OffsetRange {
  let found: OffsetRange = { start: 0 }
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined || !alias.range) return undefined
      const [start, end] = alias.range
      found = { start, end }
      return visit.BREAK
    },
  })
  return found
}

function rangeOf(document: Document, path: readonly PropertyKey[]): OffsetRange {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (!isNode(node) || !node.range) continue
    const [start, end] = node.range
    if (length < path.length) return { start, end, isOneLine: true }
    return { start, end, isOneLine: isCollection(node) && node.flow !== true }
  }
  return { start: 0 }
}

function keyRange(document: Document, path: readonly PropertyKey[], key: string): OffsetRange | undefined {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key: candidate }) => isScalar(candidate) && String(candidate.value) === key)
  if (!isScalar(pair?.key) || !pair.key.range) return undefined
  const [start, end] = pair.key.range
  return { start, end }
}
