import type { SyncStatus, UnsentArticle } from '../status-source.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createLeast } from './least.ts'

/** A list cut to what is shown. */
export interface ShortList<T> {
  readonly count: number
  readonly first: readonly T[]
}

export interface SyncSummary {
  readonly target: string
  readonly state: SyncStatus['state']
  /** ISO 8601; undefined before the first run has ended. */
  readonly lastSync: string | undefined
  readonly pending: number
  readonly sent: number
  /** By file. */
  readonly failures: ShortList<UnsentArticle>
  readonly heldBack: ShortList<UnsentArticle>
  readonly orphans: number
  /** The target has everything as the files do. */
  readonly isClean: boolean
}

export function summarizeSync(status: SyncStatus, listed: number): SyncSummary {
  const { target, state, lastSync, pending, sent, orphans } = status
  const failures = shorten(status.failures, listed)
  const heldBack = shorten(status.heldBack, listed)
  const isQuiet = state === 'synced' && lastSync !== undefined && pending === 0
  const isClean = isQuiet && failures.count === 0 && heldBack.count === 0 && orphans === 0
  return { target, state, lastSync, pending, sent, failures, heldBack, orphans, isClean }
}

function shorten(articles: readonly UnsentArticle[], listed: number): ShortList<UnsentArticle> {
  const least = createLeast<UnsentArticle>(listed, (a, b) => compareTexts(a.file, b.file))
  for (const article of articles) least.add(article)
  return { count: articles.length, first: least.list() }
}
