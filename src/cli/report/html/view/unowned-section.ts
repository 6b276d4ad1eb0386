import { html } from 'hono/html'
import type { Report, UnownedArticle } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { describeUnowned, orphansFirst } from '../../article-words.ts'
import { TITLES } from '../../section-titles.ts'
import { articleTitle, titleKey } from './article-cell.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** Articles on the target that no file owns. */
export function unownedSection({ unowned, counts }: Report, view: ReportView): ReportSection | undefined {
  if (unowned.total === 0) return undefined
  const least = counts.isUnownedExact ? '' : 'At least '
  const verb = unowned.total === 1 ? 'is' : 'are'
  return {
    name: 'unowned',
    heading: TITLES.unowned,
    count: `${counts.isUnownedExact ? '' : '≥ '}${formatNumber(counts.unowned)}`,
    body: html`<p>
        ${least}${pluralize(counts.unowned, 'article')} ${verb} on the target and in no file.
        <code>kb pull</code> makes files of those that are to be kept, <code>kb sync --prune</code> removes
        those that were ours.
      </p>
      ${reportTable<UnownedArticle>({
        caption: TITLES.unowned,
        columns: [
          { name: 'Article', cell: articleTitle, key: titleKey },
          { name: 'Language', cell: ({ language }) => shortText(language), isNamed: true },
          { name: 'Whose', cell: describeUnowned },
          { name: 'Id', cell: ({ id }) => html`<code>${shortText(id)}</code>`, isNamed: true },
        ],
        rows: { ...unowned, entries: orphansFirst(unowned.entries) },
        rowLimit: view.rowLimit,
      })}`,
  }
}
