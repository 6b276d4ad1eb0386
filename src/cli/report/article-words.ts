// What reports in words say of one article, in a terminal and in Markdown alike. Texts are as they come: whoever prints
// them makes them safe.
import type {
  OutdatedTranslation,
  Owner,
  ReportedArticle,
  ReviewFinding,
  UnownedArticle,
} from '../../inspect/report/report.ts'
import { formatOwner } from '../../inspect/report/owners/to-owner.ts'
import { NEVER_DATE } from '../../core/calendar-date.ts'
import { cutAtWord } from '../../core/code-points.ts'
import { pluralize } from '../../core/pluralize.ts'

/** Stands for a title that is empty. */
export const NO_TITLE = '(no title)'

/** Title, and that it is a draft; never empty. */
export function nameArticle({ title, isDraft }: Pick<ReportedArticle, 'title' | 'isDraft'>): string {
  const name = title.trim() || NO_TITLE
  return isDraft ? `${name} (draft)` : name
}

/** Characters of a title where it is one word among others: a target may list any. */
const TITLE_LENGTH = 200

/** The same, cut where it is very long. */
export function nameShortly(article: Pick<ReportedArticle, 'title' | 'isDraft'>): string {
  return cutAtWord(nameArticle(article), TITLE_LENGTH)
}

/** All of them as one text, each once; '' where there is none. */
export function nameOwners(owners: readonly Owner[] = []): string {
  return [...new Set(owners.map(formatOwner))].join(', ')
}

/** Whom to ask; undefined where nobody is named. */
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
  return `its file says ${fileDate === NEVER_DATE ? 'never' : fileDate}, which kb sync sends`
}

/** Why an article is in no file. */
export function describeUnowned({ kind }: Pick<UnownedArticle, 'kind'>): string {
  return kind === 'orphan' ? 'its file is gone' : 'not created by kb-sync'
}

/** What is ours to clean up comes first; else the order stays. */
export function orphansFirst(articles: readonly UnownedArticle[]): readonly UnownedArticle[] {
  return articles.toSorted((a, b) => Number(a.kind === 'foreign') - Number(b.kind === 'foreign'))
}

/** Of a change of a file that no commit has. */
export const NOT_COMMITTED = 'not committed yet'

/** When the original of a translation was changed. */
export function describeOriginal({ originalChanged }: Pick<OutdatedTranslation, 'originalChanged'>): string {
  return originalChanged === undefined ? NOT_COMMITTED : `changed on ${originalChanged}`
}

/** Stands for a file where there is none. */
export function describeNowhere({ language }: Pick<ReportedArticle, 'language'>): string {
  return `in no file (language ${language})`
}

/** Of an address that the Markdown of its article does not have. */
export const NOT_IN_FILE = 'not found in this file; if it was taken out, kb sync sends that'
