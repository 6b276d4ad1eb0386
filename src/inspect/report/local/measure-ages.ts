import type { Past } from '../../../core/git/read-past.ts'
import { type AgeSummary, createAgeCounter } from '../../../web/dashboard/summary/summarize-ages.ts'

/**
 * How long ago the files were changed, as far as git knows. Pure.
 *
 * @param today calendar date in UTC
 */
export function measureAges(
  past: Past,
  sources: readonly string[],
  today: string,
): {
  /** Undefined where git knows nothing of the folder, or not enough. */
  readonly ages: AgeSummary | undefined
  readonly notes: readonly string[]
} {
  switch (past.kind) {
    case 'none':
      return { ages: undefined, notes: [] }
    case 'shallow': {
      const note =
        'The age of articles is not known: this clone lacks the history (git fetch --unshallow gets it).'
      return { ages: undefined, notes: [note] }
    }
    case 'whole': {
      const counter = createAgeCounter(today)
      for (const source of sources) counter.add(past.lastCommitOf(source)?.date)
      return { ages: counter.summary(), notes: [] }
    }
  }
}
