// Divides a saved plan among jobs, each of which executes its own shard. They share nothing but the plan: it alone
// decides which operation belongs to which job, so no two jobs do the same, whenever they start and whatever they know.
import type { Shard } from '../../core/config/shard.ts'
import { groupBy, groupByEach } from '../../core/group-by.ts'
import { effectOf, isArticleWrite, type Operation } from '../../core/model/plan.ts'
import { comparePlans } from '../plan/saved/compare-plans.ts'
import {
  createSaver,
  digestCategory,
  digestContent,
  type PlanGrounds,
} from '../plan/saved/save-operations.ts'
import type { SavedOperation, SavedPlan } from '../plan/saved/saved-plan.ts'
import { temporarySlug } from '../plan/slug-forms.ts'
import type { PlannedRun } from '../plan-run/planned-run.ts'

/**
 * Finds the operations of a shard in the current plan. While the jobs run, each sees some of the work of the others, so
 * operations of the saved plan may be missing because they are done. A write that is not in the saved plan, or that
 * depends on something else, shows that someone else has changed files or target. Pure.
 */
export function takeShard({ operations: saved }: SavedPlan, shard: Shard, planned: PlannedRun) {
  const partOf = divide(saved, shard.count)
  const isOwn = (operation: SavedOperation) => partOf(operation) === shard.number
  const partnersOf = createPartnersOf(saved)
  const isUnfinished = createIsUnfinished(saved, planned)
  const mayBeUnderWay = createMayBeUnderWay(saved)
  const save = createSaver(groundsOf(planned))
  const byIdentity = new Map(saved.map((operation) => [identityOf(operation), operation]))
  const met = new Set<SavedOperation>()
  const own: Operation[] = []
  const others: Operation[] = []
  const come: SavedOperation[] = []
  for (const operation of planned.plan.operations) {
    const fresh = save(operation)
    const same = byIdentity.get(identityOf(fresh))
    const partners = same === undefined ? partnersOf(fresh) : [same]
    for (const partner of partners) met.add(partner)
    const isOfOwn = partners.length > 0 && partners.every(isOwn)
    const isOfOthers = partners.length > 0 && !partners.some(isOwn)
    if (isOfOwn && (same !== undefined || isUnfinished(fresh, partners))) own.push(operation)
    else if (isOfOthers && (same !== undefined || partners.every(mayBeUnderWay))) others.push(operation)
    else if (isPassive(fresh) && !isOfOwn) others.push(operation)
    else come.push(fresh)
  }
  const isDone = createIsDone(planned)
  const changed = new Set(come.flatMap(partnersOf))
  const gone = saved.filter((each) => changed.has(each) || (isOwn(each) && !met.has(each) && !isDone(each)))
  const names = new Map(planned.entries.map(({ id, title }) => [id, `"${title}"`]))
  return {
    /** The operations of this shard that are still to be executed. */
    own,
    /** The operations of other shards that are still to be executed, and conflicts that are not in the plan. */
    others,
    /** Changes of files and target since the plan, one line each; empty if its operations may be executed. */
    changes: comparePlans(gone, come, planned.plan.diagnostics, names),
  }
}

export function groundsOf({ wanted, entries, remote, taxonomy }: PlannedRun): PlanGrounds {
  return { wanted, entries, categories: remote.categories, steps: taxonomy.steps }
}

/** Deals the groups of operations to the shards, the largest first, and those of each kind evenly. */
function divide(saved: readonly SavedOperation[], count: number): (operation: SavedOperation) => number {
  const kindOf = ([first]: readonly SavedOperation[]) => first?.action ?? ''
  const groups = [...groupBy(saved, groupOf)].toSorted(
    ([, one], [, other]) => other.length - one.length || kindOf(one).localeCompare(kindOf(other), 'en'),
  )
  const positions = new Map(groups.map(([group], index) => [group, index]))
  return (operation) => ((positions.get(groupOf(operation)) ?? 0) % count) + 1
}

function groupOf({ group, kind, source, id }: SavedOperation): string {
  return group ?? JSON.stringify([kind, source, id])
}

/** Compares what is sent by its content: the ids in it may have been created by another job. */
function identityOf(operation: SavedOperation): string {
  const { kind, action, source, slug, language, id, content, restsOn } = operation
  return JSON.stringify([kind, action, effectOf(operation), source, slug, language, id, content, restsOn])
}

/** Finds the operations of the saved plan for the same file or article. */
function createPartnersOf(saved: readonly SavedOperation[]) {
  const keysOf = ({ kind, source, slug, id }: SavedOperation): string[] => {
    if (kind !== 'article') return [`${kind} ${slug}`]
    return [...(source === undefined ? [] : [`file ${source}`]), ...(id === undefined ? [] : [`id ${id}`])]
  }
  const byKey = groupByEach(saved, keysOf)
  return (fresh: SavedOperation): readonly SavedOperation[] => [
    ...new Set(keysOf(fresh).flatMap((key) => byKey.get(key) ?? [])),
  ]
}

/** True if nothing is sent for it. */
function isPassive({ action }: Operation): boolean {
  return action === 'conflict' || action === 'skip'
}

/** True for an operation of several requests: its article may be in between two of them. */
function createMayBeUnderWay(saved: readonly SavedOperation[]): (operation: SavedOperation) => boolean {
  const groups = groupBy(saved, groupOf)
  return (operation) => effectOf(operation) === 'replace' || (groups.get(groupOf(operation)) ?? []).length > 1
}

/** True for the remaining part of operations of several requests whose job was killed. */
function createIsUnfinished(saved: readonly SavedOperation[], run: PlannedRun) {
  const { entries, matches, removed, wanted } = run
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const groups = groupBy(saved, groupOf)
  return (fresh: SavedOperation, partners: readonly SavedOperation[]): boolean => {
    const old = partners.find(({ id }) => id !== undefined && id === fresh.id)
    const isReplaced = old !== undefined && effectOf(old) === 'replace'
    const isSuperseded = isReplaced && matches.entryOf.get(fresh.source ?? '')?.id !== fresh.id
    if (isPassive(fresh)) return isSuperseded || partners.every(isPassive)
    if (effectOf(fresh) === 'delete') return isReplaced && old.restsOn === fresh.restsOn
    const key = wanted.get(fresh.source ?? '')?.article.key
    // The journal contains it.
    if (fresh.action === 'create') return key !== undefined && removed.has(key)
    const group = partners.flatMap((partner) => groups.get(groupOf(partner)) ?? [])
    const slug = byId.get(fresh.id ?? '')?.slug
    return (
      partners.some(({ content }) => content === fresh.content) &&
      group.some((one) => group.some(({ id = '' }) => slug === temporarySlug(one.slug, id)))
    )
  }
}

/** True if an operation that is no longer in the plan was executed. If it was not, this is another checkout. */
function createIsDone({ entries, wanted, remote }: PlannedRun) {
  const present = new Set(entries.map(({ id }) => id))
  const categories = new Map(remote.categories.map((category) => [category.id, category]))
  return (operation: SavedOperation): boolean => {
    const { source = '', id = '', content, restsOn } = operation
    if (isPassive(operation)) return true
    if (operation.kind !== 'article') {
      const category = categories.get(id)
      return category === undefined || digestCategory(category) !== restsOn
    }
    if (effectOf(operation) === 'delete') return !present.has(id) || remote.goneIds.has(id)
    if (!isArticleWrite(operation) || operation.action === 'restore') return false
    const resolved = wanted.get(source)
    return resolved !== undefined && digestContent(resolved) === content
  }
}
