// What reports in words say of one article, in a terminal and in Markdown alike. Texts are as they come: the one who prints
// them makes them safe.
import type {
  ExceededThreshold,
  OutdatedTranslation,
  Owner,
  Report,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
} from './report.ts'
import { NO_TITLE } from '../dashboard/status-source.ts'
import { NEVER_DATE } from '../../core/calendar-date.ts'
import { cutAtWord } from '../../core/code-points.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'
import type { ThresholdName } from '../../core/model/threshold.ts'

interface NamedArticle {
  readonly title: string
  readonly isDraft?: boolean
}

/** Title, and that it is a draft; never empty. */
export function nameArticle({ title, isDraft = false }: NamedArticle): string {
  const name = title.trim() || NO_TITLE
  return isDraft ? `${name} (draft)` : name
}

/** Characters of a title where it is one word among others: a target may list any. */
const TITLE_LENGTH = 200

/** The same, cut where it is very long. */
export function nameShortly(article: NamedArticle): string {
  return cutAtWord(nameArticle(article), TITLE_LENGTH)
}

/** As one text: `Ada Smith <ada@example.com>`, `Ada Smith`, or the address of one who has no name. */
export function formatOwner({ name, email }: Owner): string {
  return email === undefined || email === name ? name : `${name} <${email}>`
}

/** All of them as one text, each once; '' where there is none. */
export function nameOwners(owners: readonly Owner[] = []): string {
  return [...new Set(owners.map(formatOwner))].join(', ')
}

/** Whom to ask; undefined where no one is named. */
export function describeOwners(owners: readonly Owner[] = []): string | undefined {
  return owners.length === 0 ? undefined : `ask ${nameOwners(owners)}`
}

/** Time from today to a review: `today`, `in 6 days`, `273 days ago`. */
export function describeDays(days: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  return days < 0 ? `${pluralize(-days, 'day')} ago` : `in ${pluralize(days, 'day')}`
}

/** What the file has and the target does not yet; undefined where they agree. */
export function describeFileDate({ fileDate }: Pick<ReviewFinding, 'fileDate'>): string | undefined {
  if (fileDate === undefined) return undefined
  return `its file has ${fileDate === NEVER_DATE ? 'never' : fileDate}; kb sync sends that`
}

/** Why an article is in no file. */
export function describeUnowned({ kind }: Pick<UnownedArticle, 'kind'>): string {
  return kind === 'orphan' ? 'its file is gone' : 'not created by kb-sync'
}

/** Of a change of a file that no commit has. */
export const NOT_COMMITTED = 'not committed yet'

/** When the original of a translation was changed. */
export function describeOriginal({ originalChanged }: Pick<OutdatedTranslation, 'originalChanged'>): string {
  return originalChanged === undefined ? NOT_COMMITTED : `changed on ${originalChanged}`
}

/** Stands for a file where there is none. */
export function describeNowhere({ language }: Pick<ReportedArticle, 'language'>): string {
  return `without a file (language ${language})`
}

/** Of an address that the Markdown of its article does not have. */
export const NOT_IN_FILE = 'not found in this file; if it was removed, kb sync sends the change'

/** `, 4 of them accepted` behind a number; '' where none is. */
export function acceptedOf(count: number, total: number): string {
  if (count === 0) return ''
  return `, ${count === total ? 'all' : formatNumber(count)} of them accepted`
}

const WORDS: Readonly<Record<ThresholdName, (count: number) => string>> = {
  overdue: (count) => `${formatNumber(count)} overdue`,
  broken: (count) => pluralize(count, 'broken link'),
  due: (count) => `${formatNumber(count)} due`,
}

/** Which limits were passed, as one sentence; undefined where none was. */
export function formatExceeded(exceeded: readonly ExceededThreshold[]): string | undefined {
  if (exceeded.length === 0) return undefined
  return `Limits exceeded: ${exceeded.map(describeExceeded).join(', ')}.`
}

/** `12 overdue (allowed: 10)` */
export function describeExceeded({ name, count, allowed }: ExceededThreshold): string {
  return `${WORDS[name](count)} (allowed: ${formatNumber(allowed)})`
}

/** What to do about all that was found, in the order in which it helps most. */
export function listAdvice({ counts, reviews, links, unowned, exceeded }: Report): string[] {
  const overdue = counts.overdue - counts.acceptedOverdue
  const { overdue: late, due, later, never, undated } = reviews
  const unsent = [late, due, later, never, undated]
    .flatMap(({ entries }) => entries)
    .filter(({ fileDate }) => fileDate !== undefined).length
  const broken = counts.broken - counts.acceptedBroken
  const isGone = links.broken.entries.some(
    ({ article, places, isAccepted }) => !isAccepted && article.file !== undefined && places.length === 0,
  )
  return [
    ...(overdue > 0
      ? ['Review the overdue articles, set a new reviewDate in their files, and run kb sync.']
      : []),
    ...(unsent > 0 ? [`Run kb sync to send ${pluralize(unsent, 'new review date')} from the files.`] : []),
    ...(broken > 0
      ? [
          'Fix the broken links at the listed locations, and run kb sync. They count until the target checks them again.',
        ]
      : []),
    ...(isGone ? ['If a broken link is not in its file, run kb sync: the target has an older text.'] : []),
    ...(counts.disagreements > 0
      ? [
          'If the target and the local check disagree about a link, open it in a browser, and fix it if it is broken.',
        ]
      : []),
    ...(unowned.entries.some(({ kind }) => kind === 'orphan')
      ? ['Run kb sync --prune to delete articles that kb-sync created and that no longer have a file.']
      : []),
    ...(exceeded.length > 0
      ? [
          'To count only new findings from now on, run kb report --baseline kb-baseline.json --write-baseline.',
        ]
      : []),
  ]
}
