import {
  CONFLICT_REASONS,
  type ArticleOperation,
  explainMove,
  isArticleWrite,
  withdraw,
} from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { groupBy } from '../../core/group-by.ts'
import {
  type ArticlePlanOptions,
  type ChangeDecision,
  decideChange,
  decideDelete,
  originalIdsIn,
} from './decide-change.ts'
import {
  hasDrifted,
  type RemoteEntry,
  hashedSlugKey,
  isAt,
  isRecognised,
  sentSlugKey,
} from './remote-entry.ts'
import type { Matches } from './match-articles.ts'
import { matchesLocal } from './matches-local.ts'
import type { ResolvedArticle } from './resolved-article.ts'
import { planDuplicates } from './plan-duplicates.ts'

/** Everything that the operations of articles depend on. */
interface ArticlePlan {
  readonly wanted: readonly ResolvedArticle[]
  readonly matches: Matches
  readonly options: ArticlePlanOptions
}

interface Surroundings {
  /** Another article that has the slug. */
  readonly holder: RemoteEntry | undefined
  /** Ids that articles on the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
  /** The reason for a change that precedes the reason of the decision. */
  readonly why: string | undefined
}

/**
 * Decides what happens to every article. Pure.
 *
 * @param entries everything known of the target, including the entries of `matches`; those that may change were just
 *   read
 */
export function planArticles(
  wanted: readonly ResolvedArticle[],
  matches: Matches,
  entries: readonly RemoteEntry[],
  options: ArticlePlanOptions,
) {
  const plan: ArticlePlan = { wanted, matches, options }
  const duplicates = planDuplicates(wanted, matches, options)
  const undecided = new Set(
    duplicates.flatMap(({ reason, id }) => (reason === CONFLICT_REASONS.duplicate ? [id] : [])),
  )
  const staying = matches.duplicates.filter(({ id }) => undecided.has(id))
  const foreign = entries.filter((entry) => entry.ours === undefined)
  const holders = new Map([...staying, ...foreign].map((entry) => [slugKey(entry), entry]))
  const originalIds = originalIdsIn(entries, options.goneIds)
  const decided = wanted.map((each) => {
    const holder = holders.get(slugKey(each.article))
    const { source } = each.article
    const why = matches.movedFrom.has(source) ? explainMove(source, matches.movedFrom.get(source)) : undefined
    return decide(each, matches.entryOf.get(source), { holder, originalIds, why }, options)
  })
  const decisions = withdrawDependents(decided, plan)
  const orphans = matches.orphans.filter(({ id }) => !options.goneIds.has(id))
  return {
    operations: [
      ...decisions.filter((operation) => operation !== undefined),
      ...(options.prune ? orphans.map((entry) => planDelete(entry, options)) : []),
      ...duplicates,
      ...planShared(foreign, plan),
    ],
    unchanged: decisions.filter((operation) => operation === undefined).length,
    orphans: orphans.map(({ id, title, slug, language }) => ({ id, title, slug, language })),
  }
}

/** Returns the operation for a document; undefined if there is nothing to do. */
function decide(
  wanted: ResolvedArticle,
  entry: RemoteEntry | undefined,
  surroundings: Surroundings,
  options: ArticlePlanOptions,
): ArticleOperation | undefined {
  const { holder, originalIds } = surroundings
  const isGone = entry !== undefined && options.goneIds.has(entry.id)
  if (entry !== undefined && !isGone) return decideOurs(wanted, entry, surroundings, options)
  if (holder === undefined) {
    return {
      kind: 'article',
      ...subjectOf(wanted),
      action: 'create',
      ...(isGone && { reason: 'it was deleted on the target' }),
    }
  }
  if (!options.adopt.has(wanted.article.slug)) return conflictWith(holder, wanted, foreignReason(holder))
  return changeTo(wanted, holder, decideChange(holder, wanted, { originalIds, ...options }), 'adopted')
}

function decideOurs(
  wanted: ResolvedArticle,
  entry: RemoteEntry,
  { holder, originalIds, why }: Surroundings,
  options: ArticlePlanOptions,
): ArticleOperation | undefined {
  const { ours, remote } = entry
  const drifted = ours !== undefined && remote !== undefined && hasDrifted(ours, remote)
  // An article adopted by name is sent even if it is equal, so that it gets our marker.
  const isAdopted = isRecognised(ours) && options.adopt.has(wanted.article.slug)
  if (ours?.fingerprint === wanted.fingerprint && !drifted && !isAdopted) return undefined
  if (holder !== undefined && slugKey(holder) !== slugKey(entry))
    return conflictWith(holder, wanted, foreignReason(holder))
  const decision = decideChange(entry, wanted, { originalIds, ...options })
  if (isDoneByHand(entry, wanted, decision)) return undefined
  const reasons = [why, 'reason' in decision ? decision.reason : undefined].filter(
    (each) => each !== undefined,
  )
  return changeTo(wanted, entry, decision, reasons.length === 0 ? undefined : reasons.join('; '))
}

/** True for an original that cannot be replaced and that someone has edited on the target until it equals its file. */
function isDoneByHand({ remote, language }: RemoteEntry, wanted: ResolvedArticle, decision: ChangeDecision) {
  if (decision.kind !== 'conflict' || decision.reason !== CONFLICT_REASONS.original) return false
  const { article, translationOf } = wanted
  return (
    remote !== undefined &&
    language === article.language &&
    remote.languageParent === translationOf?.id &&
    matchesLocal(remote, wanted)
  )
}

/** @param why replaces the reason of the decision */
function changeTo(
  wanted: ResolvedArticle,
  entry: RemoteEntry,
  decision: ChangeDecision,
  why?: string,
): ArticleOperation {
  if (decision.kind === 'foreign') return conflictWith(entry, wanted, foreignReason(entry))
  if (decision.kind === 'conflict') return conflictWith(entry, wanted, decision.reason)
  const reason = why ?? decision.reason
  const base = { ...subjectOf(wanted), id: entry.id, ...(reason !== undefined && { reason }) }
  const by = decision.kind
  return isAt(entry, wanted.article)
    ? { kind: 'article', ...base, action: by }
    : { kind: 'article', ...base, action: 'move', by }
}

/** Reports foreign articles at the slug of a managed one: readers see only one of the two. */
function planShared(
  foreign: readonly RemoteEntry[],
  { wanted, matches: { entryOf }, options: { goneIds } }: ArticlePlan,
): ArticleOperation[] {
  if (foreign.length === 0) return []
  const others = groupBy(foreign, slugKey)
  return wanted.flatMap((each) => {
    const entry = entryOf.get(each.article.source)
    const stays = entry !== undefined && !goneIds.has(entry.id) && slugKey(entry) === slugKey(each.article)
    if (!stays) return []
    return (others.get(slugKey(entry)) ?? [])
      .filter((other) => !isDraftOf(entry, other) && !isDraftOf(other, entry))
      .map((other) => conflictWith(other, each, CONFLICT_REASONS.shared))
  })
}

/** An article and its draft may share a slug. */
function isDraftOf({ remote }: RemoteEntry, { id }: RemoteEntry): boolean {
  return remote?.draftId === id
}

function planDelete(entry: RemoteEntry, options: ArticlePlanOptions): ArticleOperation {
  const { id, slug, language } = entry
  const base = { kind: 'article', slug, language, id } as const
  const decision = decideDelete(entry, 'delete-orphan', options)
  switch (decision.kind) {
    case 'delete':
      return { ...base, action: 'delete-orphan', reason: 'its file is gone' }
    case 'conflict':
      return { ...base, action: 'conflict', reason: decision.reason }
    case 'foreign':
      throw new Error(`Article ${id} was to be deleted as an orphan, but is not ours.`)
  }
}

function foreignReason({ ours, project }: RemoteEntry): string {
  if (ours !== undefined) return CONFLICT_REASONS.copy
  return project === undefined ? CONFLICT_REASONS.foreign : `${CONFLICT_REASONS.otherProject} "${project}"`
}

/** @param entry the article that prevents the document from being sent */
function conflictWith({ id }: RemoteEntry, wanted: ResolvedArticle, reason: string): ArticleOperation {
  return { kind: 'article', ...subjectOf(wanted), action: 'conflict', id, reason }
}

function subjectOf({ article: { source, slug, language } }: ResolvedArticle) {
  return { source, slug, language }
}

/** One operation for each wanted article; undefined if there is nothing to do. */
type Decisions = readonly (ArticleOperation | undefined)[]

/** Withdraws writes that depend on withdrawn ones, until nothing changes. */
function withdrawDependents(decisions: Decisions, plan: ArticlePlan): Decisions {
  if (!decisions.some((operation) => operation !== undefined && isArticleWrite(operation))) return decisions
  const next = yieldToThoseThatStay(waitForOriginals(decisions, plan), plan)
  const isSettled = next.every((operation, index) => operation === decisions[index])
  return isSettled ? next : withdrawDependents(next, plan)
}

/** A translation names its original by id, so it waits while the original neither exists nor is created in this run. */
function waitForOriginals(decisions: Decisions, { wanted, matches, options }: ArticlePlan): Decisions {
  const toCome = new Set(decisions.flatMap((each) => (each?.action === 'create' ? [each.source] : [])))
  return wanted.map(({ article: { original = '' }, translationOf }, index) => {
    const operation = decisions[index]
    if (operation === undefined || !isArticleWrite(operation) || translationOf === undefined) return operation
    const id = matches.entryOf.get(original)?.id
    const isThere = id !== undefined && !options.goneIds.has(id)
    if (isThere || toCome.has(original)) return operation
    return withdraw(operation, 'skip', `its original ${original} is not on the target yet`)
  })
}

/**
 * The slug of an article in conflict, or of one that the run does not select, stays taken. A document that needs it is
 * in conflict, too, and so on.
 */
function yieldToThoseThatStay(
  decisions: Decisions,
  { wanted, matches: { entryOf }, options: { goneIds } }: ArticlePlan,
): Decisions {
  const inRun = new Map(wanted.map(({ article }, index) => [article.source, decisions[index]]))
  const staying = new Set(
    [...entryOf].flatMap(([source, entry]) => {
      const operation = inRun.get(source)
      const isSent = operation === undefined ? inRun.has(source) : isArticleWrite(operation)
      return isSent || goneIds.has(entry.id) ? [] : [hashedSlugKey(entry), sentSlugKey(entry)]
    }),
  )
  return decisions.map((operation) => {
    if (operation === undefined || !isArticleWrite(operation)) return operation
    if (!staying.has(hashedSlugKey(operation))) return operation
    const own = entryOf.get(operation.source)
    const keepsSlug = own !== undefined && isAt(own, operation)
    return keepsSlug ? operation : withdraw(operation, 'conflict', CONFLICT_REASONS.slugHeld)
  })
}
