import { parseTOML } from 'toml-eslint-parser'
import type { FrontmatterData } from '../../../model/frontmatter-mapping.ts'
import { findTomlPlaces } from '../../preset/toml-positions.ts'
import { applyTextEdits, lineEndAfter, lineStartAt, type TextEdit } from './text-edits.ts'

/** Changes keys of the first level in a TOML text; all other lines stay to the byte. Null takes a key out. */
export function editToml(toml: string, keys: FrontmatterData, eol: string): string {
  const program = parseTOML(toml)
  const places = findTomlPlaces(program)
  const edits = Object.entries(keys).flatMap(([key, value]): TextEdit[] => {
    const place = places.get(JSON.stringify([key]))
    if (place?.key === undefined) return []
    const [from, to] = place.value.range
    if (value !== null) return [{ from, to, text: formatToml(value) }]
    return [{ from: lineStartAt(toml, place.key.range[0]), to: lineEndAfter(toml, to), text: '' }]
  })
  const added = Object.entries(keys)
    .filter(([key, value]) => value !== null && !places.has(JSON.stringify([key])))
    .map(([key, value]) => `${key} = ${formatToml(value)}${eol}`)
  // What follows the head of a table belongs to that.
  const table = program.body[0].body.find(({ type }) => type === 'TOMLTable')
  const at = table === undefined ? toml.length : lineStartAt(toml, table.range[0])
  const gap = at > 0 && toml.charAt(at - 1) !== '\n' ? eol : ''
  return applyTextEdits(
    toml,
    added.length === 0 ? edits : [...edits, { from: at, to: at, text: `${gap}${added.join('')}` }],
  )
}

/** A value as TOML: a JSON text is a basic string of TOML as well, but for one character. */
function formatToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatToml).join(', ')}]`
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007F`)
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${formatToml(inner)}`)
  return `{ ${pairs.join(', ')} }`
}
