import { html } from 'hono/html'
import { day } from '../../../../web/pages/status/view/moments.ts'
import type { OutdatedTranslation, Report } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { NOT_COMMITTED } from '../../article-words.ts'
import { TITLES } from '../../section-titles.ts'
import { articleTitle, fileLine, note, titleKey } from './article-cell.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** Translations that were not changed since their original was. */
export function translationSection(
  { translations, counts }: Report,
  view: ReportView,
): ReportSection | undefined {
  if (translations.total === 0) return undefined
  return {
    name: 'translations',
    heading: TITLES.translations,
    count: formatNumber(counts.outdatedTranslations),
    body: reportTable<OutdatedTranslation>({
      caption: TITLES.translations,
      columns: [
        {
          name: 'Translation',
          cell: (each) =>
            html`${articleTitle({ ...each, isDraft: false })} ${fileLine(each.file, view, each.place)}`,
          key: titleKey,
        },
        { name: 'Language', cell: ({ language }) => shortText(language), isNamed: true },
        { name: 'Last changed', cell: ({ translated }) => day(translated), look: 'date', isNamed: true },
        {
          name: 'Original changed',
          cell: ({ originalChanged }) =>
            originalChanged === undefined ? NOT_COMMITTED : day(originalChanged),
          // What is not committed is the latest.
          key: ({ originalChanged }) => originalChanged ?? '9999',
          look: 'date',
          isNamed: true,
        },
        {
          name: 'Original',
          cell: ({ original, hint }) =>
            html`${fileLine(original, view)}
            ${hint === '' ? '' : note(html`See <code>${shortText(hint)}</code>`)}`,
        },
      ],
      rows: translations,
      rowLimit: view.rowLimit,
      look: 'report-translations',
    }),
  }
}
