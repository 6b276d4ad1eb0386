// The findings of a report as sections of rows, on which every format is based: the content is decided here, the
// appearance by the format. Texts are raw: the format escapes them.
import { cutAtWord } from '../../core/code-points.ts'
import { formatNumber } from '../../core/format-number.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { Listing } from '../dashboard/summary/least.ts'
import type { ReviewStatus } from '../dashboard/summary/summarize-reviews.ts'
import type {
  LinkDisagreement,
  LinkFinding,
  LinkPlace,
  OutdatedTranslation,
  Report,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
  UsedRedirect,
} from './report.ts'
import {
  acceptedOf,
  describeDays,
  describeFileDate,
  describeOriginal,
  describeUnowned,
  nameShortly,
  NOT_COMMITTED,
  NOT_IN_FILE,
} from './report-words.ts'

type FindingKind =
  | ReviewStatus
  | 'broken'
  | 'disagreement'
  | 'translation'
  | 'redirect'
  | UnownedArticle['kind']

/** The article of a row. Unknown fields are omitted. */
export type RowArticle = Pick<ReportedArticle, 'title' | 'language'> & Partial<ReportedArticle>

export type RowCell =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** `date`: undefined if there is none; the note says so, or how far it is from today. */
  | { readonly kind: 'date'; readonly date: string | undefined; readonly note: string }
  | { readonly kind: 'file'; readonly file: string; readonly command: string }
  /** The article of the row; its places are below it, or in a separate column. */
  | { readonly kind: 'article'; readonly hasPlaces: boolean }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'places' }

export interface ReportRow {
  readonly kind: FindingKind
  readonly article: RowArticle
  /** All articles with the link, `article` first: several if they include the same file. */
  readonly articles: readonly RowArticle[]
  /** Positions to fix; empty if unknown. */
  readonly places: readonly LinkPlace[]
  /** The review date, and its days from today; '' and undefined if there is none. */
  readonly date?: string
  readonly days?: number | undefined
  readonly url?: string
  readonly host?: string
  readonly isAccepted: boolean
  /** A remark about the place. */
  readonly remark?: string | undefined
  /** Further details, on one line. */
  readonly detail?: string | undefined
  /** The problem, without a full stop, and how to fix it; only for findings that need work. */
  readonly sentence?: string
  readonly action?: string
  /** Notes that lists show below the finding, and tables in cells. */
  readonly notes: readonly string[]
  /** One cell for each column of the section. */
  readonly cells: readonly RowCell[]
}

interface ReportColumn {
  readonly name: string
  readonly look?: 'date' | 'address'
  /** True to show the name before the cell if the table is shown as a list. */
  readonly isNamed?: boolean
}

export interface RowSection {
  readonly title: string
  readonly total: number
  /** False if the total is a minimum. */
  readonly isExact: boolean
  /** Number of accepted findings in the total. */
  readonly accepted: number
  readonly columns: readonly ReportColumn[]
  /** In the order of the report. Fewer than the total if the report does not list all. */
  readonly rows: readonly ReportRow[]
}

export type RowSectionName =
  | ReviewStatus
  | 'broken'
  | 'disagreements'
  | 'translations'
  | 'redirects'
  | 'unowned'

export function sectionOf(report: Report, name: RowSectionName): RowSection {
  const { reviews, links, unowned, translations, counts, dueWithinDays } = report
  switch (name) {
    case 'broken':
      return section('Broken links', LINK_COLUMNS, links.broken, toBrokenRow, counts.acceptedBroken)
    case 'disagreements':
      return section(
        'Links on which the target and the local check disagree',
        DISAGREEMENT_COLUMNS,
        links.disagreements,
        toDisagreementRow,
      )
    case 'translations':
      return section('Outdated translations', TRANSLATION_COLUMNS, translations ?? NONE, toTranslationRow)
    case 'redirects':
      return section('Old URLs in use', REDIRECT_COLUMNS, report.redirects ?? NONE, toRedirectRow)
    case 'unowned': {
      const made = section('On the target without a file', UNOWNED_COLUMNS, unowned, toUnownedRow)
      return { ...made, isExact: counts.isUnownedExact }
    }
    case 'overdue':
    case 'due':
    case 'later':
    case 'never':
    case 'undated': {
      const title = name === 'due' ? `Due within ${pluralize(dueWithinDays, 'day')}` : REVIEW_TITLES[name]
      const accepted = name === 'overdue' ? counts.acceptedOverdue : 0
      return section(title, REVIEW_COLUMNS, reviews[name], toReviewRow, accepted)
    }
  }
}

function section<Finding>(
  title: string,
  columns: readonly ReportColumn[],
  { total, entries }: Listing<Finding>,
  toRow: (finding: Finding) => ReportRow,
  accepted = 0,
): RowSection {
  return { title, columns, total, accepted, isExact: true, rows: entries.map((entry) => toRow(entry)) }
}

/** Formats a heading such as `Broken links: 12, 4 of them accepted`. */
export function headingOf({ title, total, isExact, accepted }: RowSection): string {
  return `${title}: ${isExact ? '' : 'at least '}${formatNumber(total)}${acceptedOf(accepted, total)}`
}

/** Sorts for readers: accepted findings last, and articles of this project before those of others. */
export function inReadingOrder<Row extends ReportRow>(rows: readonly Row[]): readonly Row[] {
  const rank = ({ isAccepted, kind }: Row) => Number(isAccepted) + Number(kind === 'foreign')
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** Returns the columns that are not empty in these rows. */
export function filledColumns({ columns }: RowSection, rows: readonly ReportRow[]) {
  return columns.flatMap((column, index) => {
    const cellOf = (row: ReportRow): RowCell => row.cells[index] ?? { kind: 'text', text: '' }
    return rows.some((row) => !isEmpty(cellOf(row))) ? [{ ...column, cellOf }] : []
  })
}

function isEmpty(cell: RowCell): boolean {
  if (cell.kind === 'names') return cell.names.length === 0
  return cell.kind === 'date' && cell.date === undefined && cell.note === ''
}

/** Returns the positions of a row: the start of the file if they are unknown, none for an article without a file. */
export function placesOrBeginning({ article: { file }, places }: Pick<ReportRow, 'article' | 'places'>) {
  return places.length > 0 || file === undefined ? places : [{ line: 1, column: 1, file }]
}

const REVIEW_TITLES = {
  overdue: 'Overdue for review',
  later: 'Due later',
  never: 'Never due',
  undated: 'Without review date',
} as const

const REVIEW_COLUMNS: readonly ReportColumn[] = [
  { name: 'Date', look: 'date' },
  { name: 'Article' },
  { name: 'Categories' },
]

const REVIEW_ACTION = 'Review it, set reviewDate to the next date, and run kb sync.'

function toReviewRow(finding: ReviewFinding): ReportRow {
  const { standing, date, days, file, place, categories, isAccepted } = finding
  const remark = describeFileDate(finding)
  const distance = describeDays(days ?? 0)
  const when = days === undefined ? { date: undefined, note: '' } : { date, note: distance }
  return {
    kind: standing,
    article: finding,
    articles: [finding],
    places: file === undefined || place === undefined ? [] : [{ ...place, file }],
    date,
    days,
    isAccepted,
    remark,
    detail: remark,
    sentence: `${quoted(finding)} ${standing === 'overdue' ? 'was' : 'is'} due for review on ${date}, ${distance}`,
    action: remark === undefined ? REVIEW_ACTION : `${capitalised(remark)}.`,
    notes: [],
    cells: [
      { kind: 'date', ...when },
      { kind: 'article', hasPlaces: true },
      { kind: 'names', names: categories },
    ],
  }
}

const LINK_COLUMNS: readonly ReportColumn[] = [
  { name: 'Address', look: 'address' },
  { name: 'Article' },
  { name: 'Place' },
]

export function toBrokenRow(finding: LinkFinding): ReportRow {
  const { url, isAccepted, reason } = finding
  const facts = linkFacts(finding)
  const { remark } = facts
  return {
    ...facts,
    kind: 'broken',
    isAccepted,
    detail: reason === undefined ? remark : `here: ${reason}`,
    sentence: `The target reports this link as broken: ${cutAtWord(url, ADDRESS_LENGTH)}`,
    action: remark === undefined ? 'Fix or remove it, and run kb sync.' : `${capitalised(remark)}.`,
    notes: [],
    cells: [{ kind: 'address', url }, { kind: 'article', hasPlaces: false }, { kind: 'places' }],
  }
}

/** Maximum length of a URL in a sentence. */
const ADDRESS_LENGTH = 500

function linkFacts({ article, url, host, places }: Omit<LinkFinding, 'isAccepted'>) {
  const isLost = article.file !== undefined && places.length === 0
  return { article, articles: [article], url, host, places, remark: isLost ? NOT_IN_FILE : undefined }
}

const DISAGREEMENT_COLUMNS: readonly ReportColumn[] = [
  { name: 'Address', look: 'address' },
  { name: 'Target', isNamed: true },
  { name: 'Local check', isNamed: true },
  { name: 'Article' },
  { name: 'Place' },
]

function toDisagreementRow(finding: LinkDisagreement): ReportRow {
  const { url, targetSays, localSays, reason } = finding
  // A target reports every link as working until it has checked it.
  const verdict = targetSays === 'works' ? 'reported as working' : 'reported as broken'
  const words =
    targetSays === 'works'
      ? 'The target reports this link as working, but the local check found it broken'
      : 'The target reports this link as broken, but the local check found that it works'
  return {
    ...linkFacts(finding),
    kind: 'disagreement',
    isAccepted: false,
    sentence: `${words} (${reason}): ${cutAtWord(url, ADDRESS_LENGTH)}`,
    action: 'Open it in a browser: some sites block automated checks.',
    detail: `target: ${targetSays}, here: ${localSays} (${reason})`,
    notes: [`${verdict} by the target; local check: ${reason}`],
    cells: [
      { kind: 'address', url },
      { kind: 'text', text: targetSays === 'works' ? 'works' : 'is broken' },
      { kind: 'text', text: reason },
      { kind: 'article', hasPlaces: false },
      { kind: 'places' },
    ],
  }
}

const TRANSLATION_COLUMNS: readonly ReportColumn[] = [
  { name: 'Translation' },
  { name: 'Language', isNamed: true },
  { name: 'Last changed', look: 'date', isNamed: true },
  { name: 'Original changed', look: 'date', isNamed: true },
  { name: 'Original' },
]

function toTranslationRow(finding: OutdatedTranslation): ReportRow {
  const { title, language, file, place, original, originalChanged, translated, hint } = finding
  const article = { title, language, file }
  const detail = `last changed on ${translated}; ${original}: ${describeOriginal(finding)}`
  const changed = { date: originalChanged, note: originalChanged === undefined ? NOT_COMMITTED : '' }
  return {
    kind: 'translation',
    article,
    articles: [article],
    places: [{ ...place, file }],
    isAccepted: false,
    detail,
    sentence: `${quoted(article)} (${language}) was last changed on ${translated}, before ${original} (${describeOriginal(finding)})`,
    action: hint,
    notes: [detail, hint],
    cells: [
      { kind: 'article', hasPlaces: true },
      { kind: 'text', text: language },
      { kind: 'date', date: translated, note: '' },
      { kind: 'date', ...changed },
      { kind: 'file', file: original, command: hint },
    ],
  }
}

const NONE: Listing<never> = { total: 0, entries: [] }

const REDIRECT_COLUMNS: readonly ReportColumn[] = [
  { name: 'Address', look: 'address' },
  { name: 'Followed', isNamed: true },
  { name: 'Last followed', look: 'date', isNamed: true },
  { name: 'Leads to' },
]

function toRedirectRow({ kind, leadsTo, url, isDeclared, hits, lastUsed, place }: UsedRedirect): ReportRow {
  const { title, language } = leadsTo
  const article = kind === 'article' ? leadsTo : { title: `${title} (${kind})`, language }
  const last = lastUsed === undefined ? '' : `, last on ${lastUsed}`
  const detail = `followed ${pluralize(hits, 'time')}${last}`
  return {
    kind: 'redirect',
    article,
    articles: [article],
    places: place === undefined ? [] : [place],
    url,
    isAccepted: false,
    detail: isDeclared ? `${detail}; an alias` : detail,
    notes: [detail],
    cells: [
      { kind: 'address', url },
      { kind: 'text', text: formatNumber(hits) },
      { kind: 'date', date: lastUsed, note: '' },
      { kind: 'article', hasPlaces: kind === 'article' },
    ],
  }
}

export function quoted(article: RowArticle): string {
  return `"${nameShortly(article)}"`
}

export function capitalised(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}

const UNOWNED_COLUMNS: readonly ReportColumn[] = [
  { name: 'Article' },
  { name: 'Language', isNamed: true },
  { name: 'Whose' },
  { name: 'Id', isNamed: true },
]

function toUnownedRow(article: UnownedArticle): ReportRow {
  const { kind, id, language } = article
  return {
    kind,
    article,
    articles: [article],
    places: [],
    isAccepted: false,
    notes: [`${describeUnowned(article)}; id ${id}`],
    cells: [
      { kind: 'article', hasPlaces: false },
      { kind: 'text', text: language },
      { kind: 'text', text: describeUnowned(article) },
      { kind: 'code', text: id },
    ],
  }
}
