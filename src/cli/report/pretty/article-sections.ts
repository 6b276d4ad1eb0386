import type { OutdatedTranslation, Report, UnownedArticle } from '../../../inspect/report/report.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { describeOriginal, describeUnowned, nameArticle, orphansFirst } from '../article-words.ts'
import { TITLES } from '../section-titles.ts'
import { entryLine, formatSection, INDENT, noteLines, ownerLines, placeLine } from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** Translations that were left behind. */
export function prettyTranslations({ translations }: Report, view: PrettyView): string[] {
  return formatSection(
    {
      title: `${TITLES.translations}: ${formatNumber(translations.total)}`,
      ...translations,
      format: (entry) => formatTranslation(entry, view),
    },
    view,
  )
}

function formatTranslation(entry: OutdatedTranslation, view: PrettyView): string[] {
  const { title, language, file, original, translated, place, hint } = entry
  return [
    entryLine('!', nameArticle({ title, isDraft: false }), language, view),
    placeLine({ file, ...place }, view),
    ...noteLines(`last changed on ${translated}; ${original}: ${describeOriginal(entry)}`, view),
    ...noteLines(hint, view),
  ]
}

/** What is on the target and in no file. */
export function prettyUnowned({ unowned, counts }: Report, view: PrettyView): string[] {
  const least = counts.isUnownedExact ? '' : 'at least '
  const { total, entries } = unowned
  return formatSection(
    {
      title: `${TITLES.unowned}: ${least}${formatNumber(total)}`,
      total,
      entries: orphansFirst(entries),
      format: (entry) => formatUnowned(entry, view),
    },
    view,
  )
}

function formatUnowned(article: UnownedArticle, view: PrettyView): string[] {
  const { kind, language, id, owners } = article
  return [
    entryLine(kind === 'orphan' ? '!' : '·', nameArticle(article), language, view),
    ...noteLines(`${describeUnowned(article)}; id ${id}`, view),
    ...ownerLines(owners, view),
  ]
}

/** Notes: what could not be known, and why. */
export function prettyNotes({ notes }: Report, view: PrettyView): string[] {
  return formatSection(
    {
      title: 'Notes',
      total: notes.length,
      entries: notes,
      format: (note) =>
        noteLines(note, view).map((line, index) => (index === 0 ? line.replace(INDENT, '  - ') : line)),
    },
    { ...view, verbose: true },
  )
}
