import { allowedDeletes, isSameLimit } from '../core/config/max-deletes.ts'
import { UNNAMED_PROJECT } from '../core/config/settings.ts'
import { versionOf } from '../core/model/article-version.ts'
import { effectOf, type Operation, type Outcome } from '../core/model/plan.ts'
import type { TargetState } from '../core/model/target-state.ts'
import { explainWayOut, isFarReview } from './plan/explain-recovery.ts'
import { isRecognised } from './plan/remote-entry.ts'
import { pluralize } from '../core/pluralize.ts'
import { formatNumber } from '../core/format-number.ts'
import type { PlannedRun } from './plan-run/planned-run.ts'
import type { SyncContentOptions } from './sync-options.ts'

/** The reasons why operations of this run are held back; undefined for a guard that holds back none. */
type Guards = ReturnType<typeof guardRun>

/** What the guards judge. */
interface GuardedRun {
  readonly planned: PlannedRun
  readonly state: TargetState
  /** Number of articles in the content folder, including those that cannot be sent. */
  readonly documents: number
}

export function guardRun(run: GuardedRun, options: SyncContentOptions) {
  const { planned, state } = run
  const creates = newArticles(planned)
  const accepted = acceptedUnseen(planned, state)
  const keyOf = ({ source = '' }: Operation) => planned.wanted.get(source)?.article.key ?? ''
  const isUnlisted = (operation: Operation) => isSent(operation) && accepted.has(keyOf(operation))
  const unlisted = new Set(options.yes ? [] : planned.plan.operations.filter(isUnlisted))
  const recognised = new Set(options.yes ? [] : recognisedOrphans(planned))
  const isOpenDelete = (operation: Operation) =>
    effectOf(operation) === 'delete' && !recognised.has(operation)
  const openDeletes = planned.plan.operations.filter(isOpenDelete)
  const heldDeletes = guardDeletes(openDeletes, run, options)
  const deletes = heldDeletes === undefined ? openDeletes.length : 0
  const guards = {
    delete: heldDeletes,
    create: guardLimit(planned, creates.filter((operation) => !unlisted.has(operation)).length, deletes),
    unlisted: explainUnlisted([...unlisted], planned, options),
    recognised: explainRecognised(recognised.size, options),
  }
  const isNew = new Set(creates)
  return {
    ...guards,
    isGuarded: (operation: Operation) =>
      unlisted.has(operation) ||
      recognised.has(operation) ||
      (effectOf(operation) === 'delete' && guards.delete !== undefined) ||
      (isNew.has(operation) && guards.create !== undefined),
  }
}

/** Keys of documents with an article that the target reported as created and that was never found. */
function acceptedUnseen({ entries }: PlannedRun, state: TargetState): ReadonlySet<string> {
  const present = new Set(entries.flatMap(({ ours }) => (ours === undefined ? [] : [versionOf(ours)])))
  const unseen = state.awaited.filter(
    (article) => article.isAccepted === true && !present.has(versionOf(article)),
  )
  return new Set(unseen.map(({ key }) => key))
}

/** Creates that do not restore an article that an interrupted run deleted. */
function newArticles({ plan, wanted, removed }: PlannedRun): Operation[] {
  return plan.operations.filter(
    ({ kind, action, source = '' }) =>
      kind === 'article' && action === 'create' && !removed.has(wanted.get(source)?.article.key ?? ''),
  )
}

function isSent(operation: Operation): boolean {
  return operation.kind === 'article' && ['create', 'replace'].includes(effectOf(operation))
}

/** An article that the target accepted may exist although no list shows it. Sending it again might duplicate it. */
function explainUnlisted(
  operations: readonly Operation[],
  { wanted }: PlannedRun,
  options: SyncContentOptions,
): string | undefined {
  if (operations.length === 0) return undefined
  const named = operations.slice(0, NAMED).map(({ source }) => source)
  const more = operations.length > NAMED ? ` and ${formatNumber(operations.length - NAMED)} more` : ''
  const today = options.now().toISOString().slice(0, 10)
  const articles = operations.flatMap(({ source = '' }) => wanted.get(source)?.article ?? [])
  const why = {
    isFar: articles.some(({ review }) => isFarReview(review, today)),
    isDraft: articles.some(({ status }) => status === 'draft'),
  }
  return `The target confirmed the creation of ${named.join(', ')}${more} but does not list it. It was not sent again. ${explainWayOut(wayPast(options), why)}`
}

/** Maximum number of articles named in a message. */
const NAMED = 3

/** Returns deletions of orphans that we never sent. Their text equals that of a file, which proves nothing else. */
function recognisedOrphans({ plan, matches }: PlannedRun): Operation[] {
  const ids = new Set(matches.orphans.filter(({ ours }) => isRecognised(ours)).map(({ id }) => id))
  return plan.operations.filter((operation) => operation.action === 'delete-orphan' && ids.has(operation.id))
}

function explainRecognised(count: number, options: SyncContentOptions): string | undefined {
  if (count === 0) return undefined
  const fate = count === 1 ? 'it was not changed' : 'they were not changed'
  return `${pluralize(count, 'article')} would be deleted that kb-sync never sent, only recognised or pulled; ${fate}. If you want that, ${wayPast(options)}.`
}

function guardDeletes(
  deletes: readonly Operation[],
  { planned: { matches, wanted }, state, documents }: GuardedRun,
  options: SyncContentOptions,
): string | undefined {
  if (deletes.length === 0) return undefined
  const fate = options.mode === 'plan' ? 'a sync would delete nothing' : 'nothing was deleted'
  if (documents === 0)
    return `The content folder has no articles. This looks like a wrong folder, so ${fate}, even with --yes.`
  if (wanted.size === 0)
    return `This target accepts none of the articles in the content folder, so ${fate}, even with --yes.`
  if (options.yes) return undefined
  // Other jobs may have created or deleted some of the articles, so this was decided once for all shards.
  const { plan, shard } = options.savedPlan ?? {}
  if (shard !== undefined) return plan?.guard ?? undefined
  const ours = matches.entryOf.size + matches.orphans.length
  const allowed = allowedDeletes(options.maxDeletes, ours)
  const orphans = deletes.filter(({ action }) => action === 'delete-orphan').length
  if (orphans > allowed) {
    const limit = `${nameLimit(options)} allows (${formatNumber(allowed)})`
    return `${formatNumber(orphans)} of ${formatNumber(ours)} articles would be deleted, more than ${limit}; ${fate}. If you want that, ${wayPast(options)}.`
  }
  if (options.settings.project === UNNAMED_PROJECT && !state.isKnown)
    return `Without a project name, articles of another repository could be mistaken for yours; ${fate}. Set "project" in kb.config.ts, or ${wayPast(options)}.`
  return undefined
}

function nameLimit({ maxDeletes, settings }: SyncContentOptions): string {
  return isSameLimit(maxDeletes, settings.sync.maxDeletes) ? 'sync.maxDeletes' : '--max-deletes'
}

function wayPast({ wayPastGuards = 'run again with --yes' }: SyncContentOptions): string {
  return wayPastGuards
}

/** The lists show the minimum number of articles, and the category list shows the limit. */
function guardLimit(
  { remote: { articleLimit, presentCount }, removed }: PlannedRun,
  creates: number,
  deletes: number,
): string | undefined {
  if (articleLimit === undefined || creates === 0) return undefined
  const room = Math.max(0, articleLimit - presentCount - removed.size + deletes)
  if (creates <= room) return undefined
  return `The target accepts ${formatNumber(articleLimit)} articles and has ${formatNumber(presentCount)}. The run would create ${formatNumber(creates)} more, so it created none. Delete articles there, or ask for a higher limit.`
}

/** Returns the result of an operation that is not sent; undefined if it is sent. */
export function outcomeWithoutSending(
  operation: Operation,
  guards: Guards,
  { mode }: SyncContentOptions,
): { readonly outcome: Outcome; readonly reason?: string } | undefined {
  if (operation.action === 'skip') return { outcome: 'skipped' }
  if (operation.action === 'conflict') return { outcome: mode === 'plan' ? 'planned' : 'skipped' }
  return guards.isGuarded(operation) ? { outcome: 'skipped', reason: 'held back by a guard' } : undefined
}

export function explainGuards(guards: Guards): string | undefined {
  const { create, unlisted, delete: deletes, recognised } = guards
  const reasons = [create, unlisted, deletes, recognised].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join('\n')
}
