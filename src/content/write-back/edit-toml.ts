import { type AST, parseTOML, getStaticTOMLValue } from 'toml-eslint-parser'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import { findTomlRanges, type TomlRange } from '../frontmatter/toml-positions.ts'
import { editFlowList } from './flow-list.ts'
import { applyTextEdits, lineEndAfter, lineStartAt, type TextEdit } from '../../core/text-edits.ts'

/**
 * Changes top-level keys in a TOML text. All other characters stay unchanged, and a changed value keeps its quotes and
 * list style if possible. Null removes a key.
 */
export function editToml(toml: string, keys: FrontmatterData, eol: string): string {
  const program = parseTOML(toml)
  const places = findTomlRanges(program)
  const edits = Object.entries(keys).flatMap(([key, value]): TextEdit[] => {
    const place = places.get(JSON.stringify([key]))
    if (place?.key === undefined) return []
    const [, to] = place.value.range
    if (value !== null) return change(toml, place, value)
    return [{ from: lineStartAt(toml, place.key.range[0]), to: lineEndAfter(toml, to), text: '' }]
  })
  const added = Object.entries(keys)
    .filter(([key, value]) => value !== null && !places.has(JSON.stringify([key])))
    .map(([key, value]) => `${key} = ${formatToml(value, toml, undefined)}${eol}`)
  // Text after the header of a table belongs to the table.
  const table = program.body[0].body.find(({ type }) => type === 'TOMLTable')
  const at = table === undefined ? toml.length : lineStartAt(toml, table.range[0])
  const gap = at > 0 && toml.charAt(at - 1) !== '\n' ? eol : ''
  return applyTextEdits(
    toml,
    added.length === 0 ? edits : [...edits, { from: at, to: at, text: `${gap}${added.join('')}` }],
  )
}

function change(toml: string, { value: node }: TomlRange, value: unknown): TextEdit[] {
  const [from, to] = node.range
  if (node.type !== 'TOMLArray' || !Array.isArray(value))
    return [{ from, to, text: formatToml(value, toml, node) }]
  const items = node.elements.map((item) => ({
    value: item.type === 'TOMLValue' && !(item.value instanceof Date) ? item.value : undefined,
    from: item.range[0],
    to: item.range[1],
  }))
  const [like] = node.elements
  const format = (item: unknown): string => formatToml(item, toml, like)
  return editFlowList(toml, { from, to, items }, value, ', ', format)
}

/** Formats a value as TOML, in the style of `like` in `toml` if possible. */
function formatToml(value: unknown, toml: string, like: AST.TOMLContentNode | undefined): string {
  if (typeof value !== 'string' || like?.type !== 'TOMLValue') return plainToml(value)
  const written = writtenLike(value, toml, like)
  return written !== undefined && readsAs(written, value) ? written : plainToml(value)
}

/** Formats a value as TOML. A JSON string is also a basic string in TOML, except for one character. */
function plainToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainToml).join(', ')}]`
  if (typeof value === 'string') return basicToml(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${plainToml(inner)}`)
  return `{ ${pairs.join(', ')} }`
}

function basicToml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`)
}

function writtenLike(text: string, toml: string, like: AST.TOMLValue): string | undefined {
  if (like.kind === 'local-date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined
  if (like.kind !== 'string') return undefined
  if (!like.multiline) return like.style === 'literal' ? `'${text}'` : undefined
  const source = toml.slice(...like.range)
  const quotes = source.slice(0, 3)
  // A line ending after the opening quotes is not part of the text.
  const lead = /^\r?\n/.exec(source.slice(3))?.[0] ?? ''
  const inner = like.style === 'literal' ? text : basicLines(text)
  return `${quotes}${lead}${inner}${quotes}`
}

/** Formats a multi-line basic string with its line feeds. Escapes only quotes that could end it. */
function basicLines(text: string): string {
  const inner = basicToml(text).slice(1, -1)
  return inner.replaceAll(/\\(.)/g, (whole, char: string, offset: number) => {
    if (char === 'n') return '\n'
    const rest = inner.slice(offset + whole.length, offset + whole.length + 2)
    return char === '"' && rest !== '' && rest !== String.raw`\"` ? char : whole
  })
}

function readsAs(written: string, value: string): boolean {
  try {
    const read = getStaticTOMLValue(parseTOML(`v = ${written}\n`))['v']
    return read instanceof Date || read === value
  } catch {
    return false
  }
}
