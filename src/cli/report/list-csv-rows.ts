import type {
  LinkDisagreement,
  LinkFinding,
  LinkPlace,
  Listing,
  OutdatedTranslation,
  Report,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
} from '../../inspect/report/report.ts'
import { cutAtWord } from '../../core/code-points.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { describeFileDate, describeOriginal, nameOwners } from './article-words.ts'
import { listCuts } from './list-cuts.ts'

/** What stands in one row; what is missing is an empty cell. Texts are on one line and cannot become formulas. */
export interface CsvRow {
  readonly finding: string
  readonly title?: string
  readonly language?: string
  readonly status?: 'draft' | 'published'
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly other_places?: string
  readonly review_date?: string
  readonly days?: number | undefined
  readonly link?: string
  readonly host?: string
  readonly detail?: string | undefined
  readonly categories?: string
  readonly article_url?: string | undefined
  readonly article_id?: string
  readonly accepted?: 'yes' | ''
  readonly owners?: string
}

/** One row for each finding of a report, in the order in which it lists them; notes come last. */
export function* listCsvRows(report: Report): Generator<CsvRow> {
  const { reviews, links, unowned, translations, notes } = report
  const { overdue, due, later, never, undated } = reviews
  for (const [what, listing] of Object.entries({ overdue, due, later, never, undated }))
    yield* rowsOf(what, listing, reviewRow)
  yield* rowsOf('broken', links.broken, brokenRow)
  yield* rowsOf('disagreement', links.disagreements, disagreementRow)
  yield* rowsOf('translation', translations, translationRow)
  yield* rowsOf('orphan, foreign', unowned, unownedRow)
  for (const note of notes) yield safe({ finding: 'note', detail: note })
}

/** A list that was cut says so in a row of its own. */
function* rowsOf<T>(what: string, listing: Listing<T>, toRow: (entry: T) => CsvRow): Generator<CsvRow> {
  for (const entry of listing.entries) yield safe(toRow(entry))
  for (const detail of listCuts({ [what]: listing })) yield { finding: 'note', detail }
}

function reviewRow(finding: ReviewFinding): CsvRow {
  const { standing, date, days, place, isAccepted } = finding
  return {
    finding: standing,
    ...articleCells(finding),
    line: place?.line,
    column: place?.column,
    review_date: standing === 'never' ? 'never' : date,
    days,
    detail: describeFileDate(finding),
    accepted: isAccepted ? 'yes' : '',
  }
}

function brokenRow({ article, url, host, places, isAccepted }: LinkFinding): CsvRow {
  const linkCells = { link: url, host, accepted: isAccepted ? ('yes' as const) : ('' as const) }
  return { finding: 'broken', ...articleCells(article), ...placeCells(article, places), ...linkCells }
}

function disagreementRow(disagreement: LinkDisagreement): CsvRow {
  const { article, url, host, places, targetSays, localSays, reason } = disagreement
  return {
    finding: 'disagreement',
    ...articleCells(article),
    ...placeCells(article, places),
    link: url,
    host,
    detail: `target: ${targetSays}, here: ${localSays} (${reason})`,
  }
}

function translationRow(translation: OutdatedTranslation): CsvRow {
  const { title, language, file, place, original, translated } = translation
  return {
    finding: 'translation',
    title,
    language,
    file,
    line: place.line,
    column: place.column,
    detail: `last changed on ${translated}; ${original}: ${describeOriginal(translation)}`,
  }
}

function unownedRow({ kind, ...article }: UnownedArticle): CsvRow {
  const { id, title, language, isDraft, owners } = article
  return {
    finding: kind,
    title,
    language,
    status: isDraft ? 'draft' : 'published',
    article_id: id,
    owners: nameOwners(owners),
  }
}

function articleCells(article: ReportedArticle): Omit<CsvRow, 'finding'> {
  const { id, title, isDraft, language, file, url, categories, owners } = article
  return {
    title,
    language,
    status: isDraft ? 'draft' : 'published',
    file,
    categories: categories.join('; '),
    article_url: url,
    article_id: id,
    owners: nameOwners(owners),
  }
}

/** The first place has cells of its own; the file of the article stands also where the link is in none. */
function placeCells({ file }: ReportedArticle, [first, ...others]: readonly LinkPlace[]): Partial<CsvRow> {
  return {
    file: first?.file ?? file,
    line: first?.line,
    column: first?.column,
    other_places: others.map((place) => `${place.file}:${place.line}:${place.column}`).join('; '),
  }
}

const FORMULA = String.raw`[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]`

/**
 * What the library does not see to: a formula behind white space, and one behind a semicolon, where spreadsheets of many
 * countries split lines. Both get the apostrophe that it puts before formulas.
 */
const HIDDEN_FORMULA = new RegExp(`^(?=\\s+${FORMULA})|(?<=;)(?=\\s*${FORMULA})`, 'g')

/** Excel has room for 32,767 UTF-16 units in a cell. */
const CELL_LENGTH = 16_000

function safe(row: CsvRow): CsvRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? cutAtWord(escapeControlInLine(value), CELL_LENGTH).replace(HIDDEN_FORMULA, "'")
      : (value as unknown),
  ])
  return Object.fromEntries(cells) as CsvRow
}
