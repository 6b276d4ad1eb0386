import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Span } from '../../core/model/diagnostic.ts'
import type { PositionedYaml } from './yaml-positions.ts'

/** The position of a key and its value in a TOML text. */
export interface TomlRange {
  readonly value: AST.TOMLContentNode
  /** Undefined for an item of a list. */
  readonly key: AST.TOMLKey | undefined
}

/** Positions by path, each path as JSON. */
type TomlRanges = ReadonlyMap<string, TomlRange>

/** Parses TOML 1.0 as `parsePositionedYaml` parses YAML: dates stay text. */
export function parsePositionedToml(text: string, lineOffset = 0): PositionedYaml {
  try {
    return positioned(lineOffset, parseTOML(text))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return unreadable(error, lineOffset)
  }
}

function positioned(lineOffset: number, program: AST.TOMLProgram): PositionedYaml {
  const places = findTomlRanges(program)
  const placeOf = (path: readonly PropertyKey[]): TomlRange | undefined =>
    path.length === 0 ? undefined : (places.get(JSON.stringify(path)) ?? placeOf(path.slice(0, -1)))
  const spanOf = (node: AST.HasLocs | undefined): Span => {
    if (node === undefined) return { line: 1 + lineOffset, column: 1 }
    const { start, end } = node.loc
    const at = { line: start.line + lineOffset, column: start.column + 1 }
    return start.line === end.line ? { ...at, end: { line: at.line, column: end.column + 1 } } : at
  }
  return {
    value: valueOf(program, places),
    errors: [],
    positionOf: (path) => spanOf(placeOf(path)?.value),
    positionOfKey: (path, key) => spanOf(places.get(JSON.stringify([...path, key]))?.key),
    // Fixes are written as YAML.
    textOf: () => '',
    trailingSpaces: () => [],
  }
}

/** Returns the positions of all keys and items in a document. */
export function findTomlRanges({ body: [top] }: AST.TOMLProgram): TomlRanges {
  const places = new Map<string, TomlRange>()
  const note = (path: readonly (string | number)[], place: TomlRange): void => {
    places.set(JSON.stringify(path), place)
    const { value } = place
    if (value.type === 'TOMLArray')
      value.elements.forEach((item, index) => note([...path, index], { value: item, key: undefined }))
    if (value.type === 'TOMLInlineTable') for (const inner of value.body) notePair(path, inner)
  }
  const notePair = (path: readonly (string | number)[], { key, value }: AST.TOMLKeyValue): void =>
    note([...path, ...getStaticTOMLValue(key)], { value, key })
  for (const entry of top.body) {
    if (entry.type === 'TOMLKeyValue') notePair([], entry)
    else for (const pair of entry.body) notePair(entry.resolvedKey, pair)
  }
  return places
}

function valueOf(program: AST.TOMLProgram, places: TomlRanges): unknown {
  const plain = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (value instanceof Date) return writtenDate(places.get(JSON.stringify(path))?.value)
    if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, plain(inner, [...path, key])]),
    )
  }
  return plain(getStaticTOMLValue(program), [])
}

function writtenDate(node: AST.TOMLContentNode | undefined): string {
  return node !== undefined && 'datetime' in node ? node.datetime : ''
}

const HINT = 'Write each key on its own line, and put text in quotes: title = "A title".'

function unreadable(error: ParseError, lineOffset: number): PositionedYaml {
  const at = { line: error.lineNumber + lineOffset, column: error.column + 1 }
  return {
    value: undefined,
    format: 'TOML',
    errors: [{ message: error.message.replace(/\.$/, ''), hint: HINT, ...at }],
    positionOf: () => at,
    positionOfKey: () => at,
    textOf: () => '',
    trailingSpaces: () => [],
  }
}
