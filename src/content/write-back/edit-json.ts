import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import { editFlowList } from './flow-list.ts'
import { applyTextEdits, type TextEdit } from '../../core/text-edits.ts'

/**
 * Changes top-level keys in a JSON object and leaves all other characters unchanged. Null removes a key. New keys are
 * added at the end, in the style of the others.
 *
 * @throws Error if the text cannot be read
 */
export function editJson(json: string, keys: FrontmatterData): string {
  const values = readValues(json)
  if (values === undefined) throw new Error('Frontmatter that cannot be read cannot be edited.')
  const wanted = withoutNull({ ...values, ...keys })
  const edited = editInPlace(json, keys)
  if (edited !== undefined && readsAs(edited, wanted)) return edited
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(json) ?? []
  return JSON.stringify(wanted, null, indent)
}

/** Uses the same lenient parser as all other code. */
function readValues(json: string): FrontmatterData | undefined {
  const document = parseDocument(json, { logLevel: 'silent', uniqueKeys: false })
  return document.errors.length > 0 ? undefined : { ...(document.toJS() as FrontmatterData | null) }
}

function withoutNull(data: FrontmatterData): FrontmatterData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}

function readsAs(json: string, wanted: FrontmatterData): boolean {
  const values = readValues(json)
  return values !== undefined && isDeepStrictEqual(withoutNull(values), wanted)
}

interface Member {
  readonly key: string
  readonly from: number
  readonly keyEnd: number
  readonly value: Node
  readonly valueFrom: number
  readonly to: number
}

/** Returns undefined if the positions of the keys are unknown. JSON is also YAML, whose parser reports positions. */
function editInPlace(json: string, keys: FrontmatterData): string | undefined {
  const { contents } = parseDocument(json, { logLevel: 'silent', uniqueKeys: false })
  if (!isMap(contents)) return undefined
  const members = contents.items.flatMap(memberOf)
  if (members.length < contents.items.length || members.length === 0) return undefined
  const kept = members.filter(({ key }) => keys[key] !== null)
  const added = Object.entries(keys).filter(
    ([key, value]) => value !== null && !members.some((member) => member.key === key),
  )
  const last = kept.at(-1)
  if (last === undefined) return undefined
  const changed = kept.flatMap((member) => change(json, member, keys, members))
  const style = styleOf(json, members)
  const lines = added.map(
    ([key, value]) => `${style.comma}${JSON.stringify(key)}${style.colon}${JSON.stringify(value)}`,
  )
  return applyTextEdits(json, [
    ...changed,
    // Before the removals that start here.
    { from: last.to, to: last.to, text: lines.join('') },
    ...removals(members, keys),
  ])
}

function memberOf({ key, value }: Pair): Member[] {
  if (!isScalar(key) || typeof key.value !== 'string' || !key.range) return []
  const node = value as Node | null
  if (!node?.range) return []
  const [from, keyEnd] = key.range
  return [{ key: key.value, from, keyEnd, value: node, valueFrom: node.range[0], to: node.range[1] }]
}

function change(json: string, member: Member, keys: FrontmatterData, members: readonly Member[]): TextEdit[] {
  const { key, value: node, valueFrom: from, to } = member
  const value = keys[key]
  const isLast = members.findLast((each) => each.key === key) === member
  if (!(key in keys) || !isLast || isDeepStrictEqual(node.toJSON(), value)) return []
  if (!isSeq(node) || !Array.isArray(value)) return [{ from, to, text: JSON.stringify(value) }]
  const items = (node.items as Node[]).map((item) => ({
    value: item.toJSON() as unknown,
    from: item.range?.[0] ?? from,
    to: item.range?.[1] ?? from,
  }))
  const separator = styleOf(json, members).colon === ':' ? ',' : ', '
  return editFlowList(json, { from, to, items }, value, separator, (item) => JSON.stringify(item))
}

/** Each removal includes the comma before the member, or after it if the member is the first one left. */
function removals(members: readonly Member[], keys: FrontmatterData): TextEdit[] {
  let before: Member | undefined
  return members.flatMap((member, index): TextEdit[] => {
    if (keys[member.key] !== null) {
      before = member
      return []
    }
    const from = before === undefined ? member.from : (members[index - 1] as Member).to
    const to = before === undefined ? (members[index + 1]?.from ?? member.to) : member.to
    return [{ from, to, text: '' }]
  })
}

function styleOf(json: string, members: readonly Member[]) {
  const [end, last] = [members.at(-2), members.at(-1)]
  if (last === undefined) return { comma: ',', colon: ': ' }
  const colon = json.slice(last.keyEnd, last.valueFrom)
  return { comma: end === undefined ? `,${json.slice(1, last.from)}` : json.slice(end.to, last.from), colon }
}
