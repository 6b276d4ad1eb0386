import { CONFLICT_REASONS, type ArticleOperation } from '../../core/model/plan.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { RemovedArticle } from '../../core/model/target-state.ts'
import type { RemoteEntry } from './remote-entry.ts'

interface RestoreInput {
  readonly removed: readonly RemovedArticle[]
  /** The articles on the target. */
  readonly entries: readonly RemoteEntry[]
  readonly documents: readonly LocalArticle[]
  readonly operations: readonly ArticleOperation[]
  readonly prune: boolean
  /** True if the run selects the article. */
  readonly isSelected: (source: string) => boolean
}

/**
 * Plans for articles that an interrupted run deleted to make room for new versions: the document's new version is
 * created; if no file sends one now, the old article is restored, unless pruning would delete it. Pure.
 */
export function planRestores(input: RestoreInput) {
  const { removed, entries, documents, operations, ...options } = input
  if (removed.length === 0) return { operations: [], open: new Map() }
  const taken = new Set(entries.map(slugKey))
  const present = new Set(entries.flatMap(({ id, ours }) => [id, ...(ours === undefined ? [] : [ours.key])]))
  const creates = operations.filter(({ action }) => action === 'create')
  const inConflict = new Set(
    operations.flatMap(({ action, source }) => (action === 'conflict' ? [source] : [])),
  )
  const keys = new Map(documents.map(({ source, key }) => [source, key]))
  const planned: ArticleOperation[] = []
  const open = new Map<string, RemovedArticle>()
  for (const article of removed) {
    const address = slugKey({ slug: article.fields.slug, language: article.language })
    if (present.has(article.id) || present.has(article.key)) continue
    // The file may have moved in the meantime, which changes its key.
    const create =
      creates.find(({ source }) => source === article.source) ??
      creates.find((operation) => slugKey(operation) === address)
    const key = keys.get(create?.source ?? '') ?? article.key
    if (options.prune && create === undefined && !keys.has(article.source)) continue
    open.set(key, { ...article, key })
    const isSpokenFor = create !== undefined || inConflict.has(article.source)
    const waits = keys.has(article.source) && !options.isSelected(article.source)
    if (!isSpokenFor && !waits) planned.push(toOperation(article, taken.has(address)))
  }
  return {
    operations: planned,
    /** Articles still to be restored, in their old or a new version, by document key. */
    open,
  }
}

function toOperation(
  { id, source, fields: { slug }, language }: RemovedArticle,
  isTaken: boolean,
): ArticleOperation {
  const base = { kind: 'article', source, slug, language, id } as const
  return isTaken
    ? { ...base, action: 'conflict', reason: CONFLICT_REASONS.restore }
    : { ...base, action: 'restore', reason: 'restores an article that an interrupted run deleted' }
}
