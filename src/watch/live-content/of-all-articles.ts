import type { DiagnosticCode } from '../../core/model/diagnostic-codes.ts'

/** What rules over all articles say of one: as the last look at all files found it, until the next. */
export const OF_ALL_ARTICLES: ReadonlySet<DiagnosticCode> = new Set([
  'article-orphaned',
  'asset-unused',
  'parser-fallback',
  'tag-used-once',
  'tags-alike',
])
