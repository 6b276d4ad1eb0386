import type { Listing, Report, ReviewFinding } from '../../../inspect/report/report.ts'
import { counted } from '../../../core/counted.ts'
import { grouped } from '../../../core/grouped.ts'
import { codeSpan, escapeMarkdown } from '../../markdown/escape-markdown.ts'
import type { Section } from '../../markdown/limit-sections.ts'
import { acceptedLast, acceptedOf } from '../accepted.ts'
import { reviewPlace } from '../article-places.ts'
import {
  describeDays,
  describeFileDate,
  describeOriginal,
  describeUnowned,
  orphansFirst,
} from '../article-words.ts'
import { TITLES } from '../section-titles.ts'
import { articleCell, type MarkdownPlaces, nowhereCell, placeCell } from './markdown-cells.ts'
import { linkTables } from './markdown-link-sections.ts'
import { LISTED, tableSections } from './markdown-table.ts'

/** The lists of a report as tables, what is wrong first. */
export function markdownTables(report: Report, how: MarkdownPlaces): Section[] {
  return [
    ...reviewTables(report, how),
    ...linkTables(report, how),
    ...translationTable(report, how),
    ...unownedTable(report),
    ...categoryTable(report),
  ]
}

function reviewTables({ reviews, counts, dueWithinDays }: Report, how: MarkdownPlaces): Section[] {
  const { overdue, due, undated } = reviews
  const accepted = acceptedOf(counts.acceptedOverdue, overdue.total)
  const sorted = { ...overdue, entries: acceptedLast(overdue.entries) }
  return [
    ...reviewTable(`${TITLES.overdue}: ${grouped(overdue.total)}${accepted}`, sorted, LISTED.wrong, how),
    ...reviewTable(
      `Due within ${counted(dueWithinDays, 'day')}: ${grouped(due.total)}`,
      due,
      LISTED.other,
      how,
    ),
    ...reviewTable(`${TITLES.undated}: ${grouped(undated.total)}`, undated, LISTED.other, how),
  ]
}

function reviewTable(
  title: string,
  listing: Listing<ReviewFinding>,
  listed: number,
  how: MarkdownPlaces,
): Section[] {
  return tableSections({
    title,
    ...listing,
    listed,
    noun: 'article',
    columns: ['Review date', 'Article', 'Place'],
    cells: (finding) => [whenCell(finding), articleCell(finding), reviewPlaceCell(finding, how)],
  })
}

function whenCell({ date, days, isAccepted }: ReviewFinding): string {
  const when = days === undefined ? 'none' : `${date}<br>${describeDays(days)}`
  return isAccepted ? `${when}, accepted` : when
}

function reviewPlaceCell(finding: ReviewFinding, how: MarkdownPlaces): string {
  const place = reviewPlace(finding)
  const where = place === undefined ? nowhereCell(finding) : placeCell(place, how)
  const fileDate = describeFileDate(finding)
  return fileDate === undefined ? where : `${where}<br>${escapeMarkdown(fileDate)}`
}

function translationTable({ translations }: Report, how: MarkdownPlaces): Section[] {
  return tableSections({
    title: `${TITLES.translations}: ${grouped(translations.total)}`,
    ...translations,
    listed: LISTED.other,
    noun: 'translation',
    columns: ['Translation', 'Place', 'Original', 'What shows the difference'],
    cells: ({ title, language, file, original, translated, place, hint, ...changed }) => [
      `${articleCell({ title, isDraft: false })} (${escapeMarkdown(language)})<br>last changed on ${translated}`,
      placeCell({ file, ...place }, how),
      `${codeSpan(`${how.prefix}${original}`)}<br>${describeOriginal(changed)}`,
      escapeMarkdown(hint),
    ],
  })
}

function unownedTable({ unowned, counts }: Report): Section[] {
  const least = counts.isUnownedExact ? '' : 'at least '
  return tableSections({
    title: `${TITLES.unowned}: ${least}${grouped(unowned.total)}`,
    total: unowned.total,
    entries: orphansFirst(unowned.entries),
    listed: LISTED.other,
    noun: 'article',
    columns: ['Article', 'Language', 'Whose', 'Id'],
    cells: (article) => [
      articleCell(article),
      escapeMarkdown(article.language),
      describeUnowned(article),
      codeSpan(article.id),
    ],
  })
}

function categoryTable({ categories }: Report): Section[] {
  const total = categories.length > 1 ? categories.length : 0
  return tableSections({
    title: TITLES.categories,
    total,
    entries: categories,
    listed: LISTED.wrong,
    noun: 'category',
    plural: 'categories',
    columns: [
      'Category',
      ...['Articles', 'Overdue', 'Due', 'Broken links'].map(
        (name) => ({ title: name, align: 'right' }) as const,
      ),
    ],
    cells: ({ category, articles, overdue, due, broken }) => [
      escapeMarkdown(category),
      ...[articles, overdue, due, broken].map(grouped),
    ],
  })
}
