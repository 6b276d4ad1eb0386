// Phrases about one article, shared by the terminal and Markdown reports. Texts are raw: the formats escape them.
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

/** Returns the title, with a mark for a draft. Never empty. */
export function nameArticle({ title, isDraft = false }: NamedArticle): string {
  const name = title.trim() || NO_TITLE
  return isDraft ? `${name} (draft)` : name
}

/** Maximum length of a title within a sentence, because a target may have titles of any length. */
const TITLE_LENGTH = 200

/** Does the same, but cuts a very long title. */
export function nameShortly(article: NamedArticle): string {
  return cutAtWord(nameArticle(article), TITLE_LENGTH)
}

/** Formats one owner: `Ada Smith <ada@example.com>`, `Ada Smith`, or the address without a name. */
export function formatOwner({ name, email }: Owner): string {
  return email === undefined || email === name ? name : `${name} <${email}>`
}

/** Formats all owners, without duplicates; '' if there are none. */
export function nameOwners(owners: readonly Owner[] = []): string {
  return [...new Set(owners.map(formatOwner))].join(', ')
}

/** Names the owners to ask; undefined if there are none. */
export function describeOwners(owners: readonly Owner[] = []): string | undefined {
  return owners.length === 0 ? undefined : `ask ${nameOwners(owners)}`
}

/** Formats the time from today to a review: `today`, `in 6 days`, `273 days ago`. */
export function describeDays(days: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  return days < 0 ? `${pluralize(-days, 'day')} ago` : `in ${pluralize(days, 'day')}`
}

/** Describes the date in the file if the target has another one; undefined if they are equal. */
export function describeFileDate({ fileDate }: Pick<ReviewFinding, 'fileDate'>): string | undefined {
  if (fileDate === undefined) return undefined
  return `its file has ${fileDate === NEVER_DATE ? 'never' : fileDate}; kb sync sends that`
}

/** Explains why an article has no file. */
export function describeUnowned({ kind }: Pick<UnownedArticle, 'kind'>): string {
  return kind === 'orphan' ? 'its file is gone' : 'not created by kb-sync'
}

/** Used for an uncommitted change of a file. */
export const NOT_COMMITTED = 'not committed yet'

/** Describes the date of the last change of a translation's original. */
export function describeOriginal({ originalChanged }: Pick<OutdatedTranslation, 'originalChanged'>): string {
  return originalChanged === undefined ? NOT_COMMITTED : `changed on ${originalChanged}`
}

/** Replaces the file in the description of an article without one. */
export function describeNowhere({ language }: Pick<ReportedArticle, 'language'>): string {
  return `without a file (language ${language})`
}

/** Used for a URL that is not in the article's Markdown. */
export const NOT_IN_FILE = 'not found in this file; if it was removed, kb sync sends the change'

/** Formats `, 4 of them accepted` after a number; '' if there are none. */
export function acceptedOf(count: number, total: number): string {
  if (count === 0) return ''
  return `, ${count === total ? 'all' : formatNumber(count)} of them accepted`
}

const WORDS: Readonly<Record<ThresholdName, (count: number) => string>> = {
  overdue: (count) => `${formatNumber(count)} overdue`,
  broken: (count) => pluralize(count, 'broken link'),
  due: (count) => `${formatNumber(count)} due`,
}

/** Formats the exceeded limits, as one sentence; undefined if there are none. */
export function formatExceeded(exceeded: readonly ExceededThreshold[]): string | undefined {
  if (exceeded.length === 0) return undefined
  return `Limits exceeded: ${exceeded.map(describeExceeded).join(', ')}.`
}

/** Formats one limit: `12 overdue (allowed: 10)`. */
export function describeExceeded({ name, count, allowed }: ExceededThreshold): string {
  return `${WORDS[name](count)} (allowed: ${formatNumber(allowed)})`
}

/** Lists the next steps for all findings, the most useful ones first. */
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
