import { CONFLICT_REASONS } from '../../core/model/conflict-reasons.ts'
import type { Operation } from '../../core/model/plan.ts'
import type { Matches } from './match-articles.ts'
import type { WantedArticle } from './payload.ts'
import { addressOf, isAt, sentAddressOf } from './remote-entry.ts'

/** One for each wanted article; undefined where nothing is to be done. */
type Decisions = readonly (Operation | undefined)[]

/** Takes back what cannot be sent because of what becomes of another article, until nothing changes any more. */
export function holdBack(
  wanted: readonly WantedArticle[],
  decisions: Decisions,
  matches: Matches,
  options: { readonly goneIds: ReadonlySet<string> },
): Decisions {
  const next = yieldToThoseThatStay(waitForOriginals(wanted, decisions, matches, options), matches, options)
  const isSettled = next.every((operation, index) => operation === decisions[index])
  return isSettled ? next : holdBack(wanted, next, matches, options)
}

/** A translation names its original by id: without one, and none to come in this run, it has to wait. */
function waitForOriginals(
  wanted: readonly WantedArticle[],
  decisions: Decisions,
  { entryOf }: Matches,
  { goneIds }: { readonly goneIds: ReadonlySet<string> },
): Decisions {
  const toCome = new Set(decisions.flatMap((each) => (each?.action === 'create' ? [each.source] : [])))
  return wanted.map(({ article: { original = '' }, originalId }, index) => {
    const operation = decisions[index]
    if (operation === undefined || !isWrite(operation) || originalId === undefined) return operation
    const id = entryOf.get(original)?.id
    const isThere = id !== undefined && !goneIds.has(id)
    if (isThere || toCome.has(original)) return operation
    return { ...operation, action: 'skip', reason: `its original ${original} is not on the target yet` }
  })
}

/** A slug whose holder is in conflict does not become free: who wants it is in conflict too, and so on. */
function yieldToThoseThatStay(
  decisions: Decisions,
  { entryOf }: Pick<Matches, 'entryOf'>,
  { goneIds }: { readonly goneIds: ReadonlySet<string> },
): Decisions {
  const staying = new Set(
    decisions.flatMap((operation) => {
      const entry = operation === undefined || isWrite(operation) ? undefined : entryOf.get(operation.source)
      return entry === undefined || goneIds.has(entry.id) ? [] : [addressOf(entry), sentAddressOf(entry)]
    }),
  )
  return decisions.map((operation) => {
    if (operation === undefined || !isWrite(operation) || !staying.has(addressOf(operation))) return operation
    const own = entryOf.get(operation.source)
    const keepsSlug = own !== undefined && isAt(own, operation)
    return keepsSlug ? operation : { ...operation, action: 'conflict', reason: CONFLICT_REASONS.held }
  })
}

function isWrite({ action }: Operation): boolean {
  return action === 'create' || action === 'update' || action === 'replace'
}
