import { type ArticleWrite, type ChangeOperation, effectOf } from '../../core/model/plan.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ResolvedArticle } from './resolved-article.ts'
import { type RemoteEntry, hashedSlugKey, sentSlugKey } from './remote-entry.ts'

/** Operations that may run concurrently, after all previous steps. */
export type WriteStep =
  | { readonly kind: 'wave'; readonly operations: readonly ArticleWrite[] }
  /** A cycle: every old article must be deleted before a new one can be created. */
  | { readonly kind: 'cycle'; readonly operations: readonly ChangeOperation[] }
  /** One article of a cycle moves to a temporary slug, without its original. A later step updates it again. */
  | { readonly kind: 'aside'; readonly operation: ChangeOperation }

/** The reason why an operation must wait for another one. */
type Need =
  | { readonly kind: 'in-the-way'; readonly for: ChangeOperation }
  | { readonly kind: 'original'; readonly for: ArticleWrite }

type NeedsOf = (operation: ArticleWrite) => readonly Need[]

/**
 * Orders writes so that the requirements of each are met.
 *
 * @param needsAmong returns what each waiting operation waits for, conflicting articles first
 */
export function orderWrites(
  operations: readonly ArticleWrite[],
  needsAmong: (waiting: readonly ArticleWrite[]) => NeedsOf,
): WriteStep[] {
  const steps: WriteStep[] = []
  const aside = new Set<ArticleWrite>()
  let waiting = [...operations]
  while (waiting.length > 0) {
    const allNeedsOf = needsAmong(waiting)
    const needsOf = (operation: ArticleWrite) =>
      allNeedsOf(operation).filter((need) => need.kind === 'original' || !aside.has(need.for))
    const step = nextStep(waiting, needsOf)
    steps.push(step)
    if (step.kind === 'aside') aside.add(step.operation)
    else {
      const done = new Set<ArticleWrite>(step.operations)
      waiting = waiting.filter((operation) => !done.has(operation))
    }
  }
  return steps
}

function nextStep(waiting: readonly ArticleWrite[], needsOf: NeedsOf): WriteStep {
  const ready = waiting.filter((operation) => needsOf(operation).length === 0)
  if (ready.length > 0) return { kind: 'wave', operations: ready }
  const cycle = findCycle(waiting, needsOf)
  const inTheWay = cycle.flatMap(({ need }) => (need.kind === 'in-the-way' ? [need.for] : []))
  const movable = inTheWay.find((operation) => effectOf(operation) === 'update')
  if (movable !== undefined) return { kind: 'aside', operation: movable }
  // A translation is not sent without its original; its result says so when it is executed.
  const early = cycle.filter(({ need }) => need.kind === 'original')
  return early.length > 0
    ? { kind: 'wave', operations: early.map(({ operation }) => operation) }
    : { kind: 'cycle', operations: inTheWay }
}

interface Link {
  readonly operation: ArticleWrite
  readonly need: Need
}

/** Follows the dependencies until an operation repeats. Every operation here waits for another one. */
function findCycle(waiting: readonly ArticleWrite[], needsOf: NeedsOf): readonly Link[] {
  const path: Link[] = []
  let at = waiting[0]
  while (at !== undefined && !path.some(({ operation }) => operation === at)) {
    const [need] = needsOf(at)
    if (need === undefined) break
    path.push({ operation: at, need })
    at = need.for
  }
  return path.slice(path.findIndex(({ operation }) => operation === at))
}

interface WriteSituation {
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  /** The articles as they are before the first write, by id. */
  readonly entries: ReadonlyMap<string, RemoteEntry>
  /** True if two articles may have the same slug. */
  readonly allowsDuplicateSlugs: boolean
}

/**
 * Returns the requirements of a write: the article that holds its slug must leave it; an original must exist, and not
 * be a translation itself, before its translations; an original that becomes a translation, or takes the language of
 * one of its translations, is sent after them. An original has one translation per language, so the old one goes first.
 */
export function createNeedsAmong({ wanted, entries, allowsDuplicateSlugs }: WriteSituation) {
  const all = [...entries.values()]
  // There may be several: a manual copy at another slug carries the sent slug of its original.
  const bySlugKey = groupBy(allowsDuplicateSlugs ? [] : all, hashedSlugKey)
  const bySentSlugKey = groupBy(allowsDuplicateSlugs ? [] : all, (entry) => sentSlugKey(entry) ?? '')
  const translations = groupBy(
    all.filter(({ languageParent }) => languageParent !== undefined),
    ({ languageParent = '' }) => languageParent,
  )

  /** Ids of articles that may block the write. */
  function blockersOf({ id, source, slug, language }: ArticleWrite): string[] {
    const { translationOf } = wanted.get(source) ?? {}
    const isInLanguage = (entry: RemoteEntry) => entry.language === language
    const own = id === undefined ? [] : (translations.get(id) ?? [])
    const others = translationOf?.id === undefined ? [] : (translations.get(translationOf.id) ?? [])
    const blocking = [
      ...(translationOf === undefined ? own.filter(isInLanguage) : own),
      ...others.filter(isInLanguage),
    ]
    const key = hashedSlugKey({ slug, language })
    const holding = [...(bySlugKey.get(key) ?? []), ...(bySentSlugKey.get(key) ?? [])]
    return [...holding, ...blocking].map((entry) => entry.id)
  }

  return (waiting: readonly ArticleWrite[]) => {
    const byId = new Map(waiting.filter(isChange).map((operation) => [operation.id, operation]))
    const bySource = new Map(waiting.map((operation) => [operation.source, operation]))
    return (operation: ArticleWrite): readonly Need[] => {
      const { article, translationOf } = wanted.get(operation.source) ?? {}
      const original = translationOf === undefined ? undefined : bySource.get(article?.original ?? '')
      const blockers = new Set(blockersOf(operation).flatMap((id) => byId.get(id) ?? []))
      if (isChange(operation)) blockers.delete(operation)
      return [
        ...[...blockers].map((blocker) => ({ kind: 'in-the-way', for: blocker }) as const),
        ...(original === undefined ? [] : [{ kind: 'original', for: original } as const]),
      ]
    }
  }
}

function isChange(operation: ArticleWrite): operation is ChangeOperation {
  return operation.action !== 'create' && operation.action !== 'restore'
}
