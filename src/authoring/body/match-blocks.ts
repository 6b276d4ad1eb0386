import type { Element } from 'hast'
import { blockKey, pairKeys } from './block-key.ts'
import { topNodes, unitsOf } from './top-nodes.ts'
import type { RenderedGroup } from './source-blocks.ts'

/** The source groups that are unchanged on the target, and their blocks there. */
export interface BlockMatch {
  /** Indices of kept groups. */
  readonly kept: ReadonlySet<number>
  /** The group of each block of the target; undefined for a new block. */
  readonly groupOf: readonly (number | undefined)[]
}

interface Unit {
  readonly key: string
  /** Index of the group or block that it belongs to. */
  readonly owner: number
}

/** Compares the rendered groups with the blocks of the target, in order. */
export function matchBlocks(groups: readonly RenderedGroup[], target: readonly Element[]): BlockMatch {
  const before = groups.flatMap(({ nodes }, owner) => unitsIn(topNodes(nodes), owner))
  const after = target.flatMap((block, owner) => unitsIn([block], owner))
  const keys = (units: readonly Unit[]): string[] => units.map(({ key }) => key)
  const partners = pairKeys(keys(before), keys(after))
  const kept = settle(before, after, partners)
  const groupOf = target.map((_block, owner) => {
    const index = after.findIndex((unit) => unit.owner === owner)
    const partner = index === -1 ? undefined : partners.get(index)
    const group = partner === undefined ? undefined : before[partner]?.owner
    return group !== undefined && kept.has(group) ? group : undefined
  })
  return { kept, groupOf }
}

function unitsIn(blocks: readonly Element[], owner: number): Unit[] {
  return blocks.flatMap(unitsOf).map((unit) => ({ key: blockKey(unit), owner }))
}

/** The groups that are complete on the target, in blocks without other content. */
function settle(
  before: readonly Unit[],
  after: readonly Unit[],
  partners: ReadonlyMap<number, number>,
): Set<number> {
  const owners = after.map((_unit, index) => {
    const partner = partners.get(index)
    return partner === undefined ? undefined : before[partner]?.owner
  })
  const kept = new Set(before.map(({ owner }) => owner))
  const paired = new Set(partners.values())
  before.forEach(({ owner }, index) => paired.has(index) || kept.delete(owner))
  for (let size = -1; size !== kept.size;) {
    size = kept.size
    for (const group of kept) if (!standsAlone(group, owners, after, kept)) kept.delete(group)
  }
  return kept
}

function standsAlone(
  group: number,
  owners: readonly (number | undefined)[],
  after: readonly Unit[],
  kept: ReadonlySet<number>,
): boolean {
  const [first, last] = [owners.indexOf(group), owners.lastIndexOf(group)]
  const blocks = new Set(after.slice(first, last + 1).map(({ owner }) => owner))
  return after.every(({ owner }, index) => {
    const mine = owners[index]
    if (index > first && index < last && mine !== group) return false
    return !blocks.has(owner) || (mine !== undefined && kept.has(mine))
  })
}
