import { type ArticleWrite, type ChangeOperation, effectOf } from '../../core/model/plan.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ResolvedArticle } from './payload.ts'
import { type RemoteEntry, addressOf, sentAddressOf } from './remote-entry.ts'

/** Operations that may run at the same time, after all steps before them. */
export type WriteStep =
  | { readonly kind: 'wave'; readonly operations: readonly ArticleWrite[] }
  /** Every old article must go before any new one can come. */
  | { readonly kind: 'circle'; readonly operations: readonly ChangeOperation[] }
  /**
   * Where articles are changed in place, one of a circle steps aside, to a slug that no one wants and without its
   * original; it comes again in a later step.
   */
  | { readonly kind: 'aside'; readonly operation: ChangeOperation }

/** One operation has to wait for another one that was not executed yet. */
type Need =
  | { readonly kind: 'in-the-way'; readonly for: ChangeOperation }
  | { readonly kind: 'original'; readonly for: ArticleWrite }

type NeedsOf = (operation: ArticleWrite) => readonly Need[]

/**
 * Orders writes so that each finds what it needs.
 *
 * @param needsAmong what an operation waits for among those that wait, first what is in the way
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
  const circle = findCircle(waiting, needsOf)
  const inTheWay = circle.flatMap(({ need }) => (need.kind === 'in-the-way' ? [need.for] : []))
  const movable = inTheWay.find((operation) => effectOf(operation) === 'update')
  if (movable !== undefined) return { kind: 'aside', operation: movable }
  // Without its original, a translation is not sent: that is said when its turn comes.
  const early = circle.filter(({ need }) => need.kind === 'original')
  return early.length > 0
    ? { kind: 'wave', operations: early.map(({ operation }) => operation) }
    : { kind: 'circle', operations: inTheWay }
}

interface Link {
  readonly operation: ArticleWrite
  readonly need: Need
}

/** Follows who waits for whom until someone comes up again; everyone here waits for someone. */
function findCircle(waiting: readonly ArticleWrite[], needsOf: NeedsOf): readonly Link[] {
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
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  /** By id: the articles as they are before the first write. */
  readonly entries: ReadonlyMap<string, RemoteEntry>
  /** Whether two articles may have one slug. */
  readonly allowsDuplicateSlugs: boolean
}

/**
 * What a write waits for: the article that holds its slug has to leave it; an original has to be there, and be no
 * translation itself, before its translations come; and an original that becomes a translation, or takes the language of
 * one of its own, is sent after those. An original has one translation into a language: the old one goes first.
 */
export function createNeedsAmong({ wanted, entries, allowsDuplicateSlugs }: WriteSituation) {
  const all = [...entries.values()]
  const held = (entry: RemoteEntry) =>
    [sentAddressOf(entry) ?? '', addressOf(entry)].map((address) => [address, entry.id] as const)
  const holders = new Map(allowsDuplicateSlugs ? [] : all.flatMap(held))
  const translations = groupBy(
    all.filter(({ languageParent }) => languageParent !== undefined),
    ({ languageParent = '' }) => languageParent,
  )

  /** Ids of articles that may stand in the way. */
  function blockersOf({ id, source, slug, language }: ArticleWrite): string[] {
    const { translationOf } = wanted.get(source) ?? {}
    const isInLanguage = (entry: RemoteEntry) => entry.language === language
    const own = id === undefined ? [] : (translations.get(id) ?? [])
    const others = translationOf?.id === undefined ? [] : (translations.get(translationOf.id) ?? [])
    const blocking = [
      ...(translationOf === undefined ? own.filter(isInLanguage) : own),
      ...others.filter(isInLanguage),
    ]
    return [holders.get(addressOf({ slug, language })) ?? '', ...blocking.map((entry) => entry.id)]
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
