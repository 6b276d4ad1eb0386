import type { ChangeOperation, ArticleWrite } from '../../core/model/plan.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Need } from './order-writes.ts'
import type { ResolvedArticle } from './payload.ts'
import { addressOf, type RemoteEntry, sentAddressOf } from './remote-entry.ts'

export interface WriteSituation {
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
    const { originalId } = wanted.get(source) ?? {}
    const isInLanguage = (entry: RemoteEntry) => entry.language === language
    const own = id === undefined ? [] : (translations.get(id) ?? [])
    const others = originalId === undefined ? [] : (translations.get(originalId) ?? [])
    const blocking = [
      ...(originalId === undefined ? own.filter(isInLanguage) : own),
      ...others.filter(isInLanguage),
    ]
    return [holders.get(addressOf({ slug, language })) ?? '', ...blocking.map((entry) => entry.id)]
  }

  return (waiting: readonly ArticleWrite[]) => {
    const byId = new Map(waiting.filter(isChange).map((operation) => [operation.id, operation]))
    const bySource = new Map(waiting.map((operation) => [operation.source, operation]))
    return (operation: ArticleWrite): readonly Need[] => {
      const { article, originalId } = wanted.get(operation.source) ?? {}
      const original = originalId === undefined ? undefined : bySource.get(article?.original ?? '')
      const blockers = new Set(blockersOf(operation).flatMap((id) => byId.get(id) ?? []))
      if (isChange(operation)) blockers.delete(operation)
      return [
        ...[...blockers].map((blocker) => ({ kind: 'in-the-way', for: blocker }) as const),
        ...(original === undefined ? [] : [{ kind: 'original', for: original } as const]),
      ]
    }
  }
}

/** Whether the article is on the target now. */
function isChange(operation: ArticleWrite): operation is ChangeOperation {
  return operation.action !== 'create' && operation.action !== 'restore'
}
