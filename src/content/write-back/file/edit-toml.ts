import { type AST, parseTOML } from 'toml-eslint-parser'
import type { FrontmatterData } from '../../../core/model/frontmatter-mapping.ts'
import { findTomlPlaces, type TomlPlace } from '../../preset/toml-positions.ts'
import { editFlowList } from './flow-list.ts'
import { formatToml } from './format-toml.ts'
import { applyTextEdits, lineEndAfter, lineStartAt, type TextEdit } from './text-edits.ts'

/**
 * Changes keys of the first level in a TOML text; all other characters stay, and a changed value keeps its quotes and
 * its way of writing lists where they can hold it. Null takes a key out.
 */
export function editToml(toml: string, keys: FrontmatterData, eol: string): string {
  const program = parseTOML(toml)
  const places = findTomlPlaces(program)
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
  // What follows the head of a table belongs to that.
  const table = program.body[0].body.find(({ type }) => type === 'TOMLTable')
  const at = table === undefined ? toml.length : lineStartAt(toml, table.range[0])
  const gap = at > 0 && toml.charAt(at - 1) !== '\n' ? eol : ''
  return applyTextEdits(
    toml,
    added.length === 0 ? edits : [...edits, { from: at, to: at, text: `${gap}${added.join('')}` }],
  )
}

function change(toml: string, { value: node }: TomlPlace, value: unknown): TextEdit[] {
  const [from, to] = node.range
  if (node.type !== 'TOMLArray' || !Array.isArray(value))
    return [{ from, to, text: formatToml(value, toml, node) }]
  const items = node.elements.map((item) => ({
    value: plainValue(item),
    from: item.range[0],
    to: item.range[1],
  }))
  const [like] = node.elements
  const format = (item: unknown): string => formatToml(item, toml, like)
  return editFlowList(toml, { from, to, items }, value, { separator: ', ', format })
}

function plainValue(node: AST.TOMLContentNode): unknown {
  return node.type === 'TOMLValue' && !(node.value instanceof Date) ? node.value : undefined
}
