import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { Position } from '../model/diagnostic.ts'

/** What to do about a syntax error, by what the parser says of it. */
export function hintForYaml(message: string): string {
  if (/tab/i.test(message)) return 'Indent with spaces.'
  if (/flow (sequence|map)|end with a/i.test(message))
    return 'Close every [ and { on the line where it is opened.'
  if (/unique/i.test(message)) return 'Keep one of the two lines.'
  return 'Text that contains a colon, a # or a leading quote, bracket or * must be put in quotes.'
}

/** A YAML text, parsed, that can tell where each of its values stands. */
export interface PositionedYaml {
  readonly value: unknown
  readonly errors: readonly (Position & { readonly message: string })[]
  /** Position of the value at `path`, of the nearest ancestor that exists otherwise. */
  readonly positionOf: (path: readonly PropertyKey[]) => Position
  /** Position of the key itself. */
  readonly positionOfKey: (path: readonly PropertyKey[], key: string) => Position
}

/**
 * Parses YAML 1.2 (core schema: dates stay text). `lineOffset` lines stand before the text in its file. Duplicate keys
 * and excessive aliases are errors.
 */
export function parsePositionedYaml(text: string, lineOffset = 0): PositionedYaml {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: true,
    logLevel: 'error',
  })
  const at = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset)
    return { line: Math.max(1, line) + lineOffset, column: Math.max(1, col) }
  }
  const errors = firstOfEachLine(
    document.errors.map((error) => ({ message: firstLine(error), ...at(error.pos[0]) })),
  )
  const { value, failure } = toValue(document)
  if (failure !== undefined) errors.push({ message: failure, ...at(0) })
  return {
    value,
    errors,
    positionOf: (path) => at(offsetOf(document, path)),
    positionOfKey: (path, key) => at(keyOffset(document, path, key) ?? offsetOf(document, path)),
  }
}

function toValue(document: Document): { value: unknown; failure?: string } {
  if (document.errors.length > 0) return { value: undefined }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown }
  } catch (error) {
    return { value: undefined, failure: error instanceof Error ? error.message : String(error) }
  }
}

/** What the parser says of a line after its first error there is mostly a consequence of it. */
function firstOfEachLine<T extends Position>(errors: readonly T[]): T[] {
  const lines = new Set<number>()
  return errors.filter(({ line }) => {
    const isFirst = !lines.has(line)
    lines.add(line)
    return isFirst
  })
}

function firstLine(error: YAMLError): string {
  return error.message.split('\n')[0] ?? error.message
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

function keyOffset(document: Document, path: readonly PropertyKey[], key: string): number | undefined {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key: candidate }) => isScalar(candidate) && String(candidate.value) === key)
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined
}
