// What tools that show problems at their lines are told: one problem for each finding that asks for work.
import type { Span } from '../../core/model/diagnostic.ts'
import type {
  LinkDisagreement,
  OutdatedTranslation,
  Owner,
  Report,
  ReportedArticle,
  ReviewFinding,
} from '../../inspect/report/report.ts'
import { cutAtWord } from '../../core/code-points.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { placesOrBeginning, reviewPlace } from './article-places.ts'
import {
  describeDays,
  describeFileDate,
  describeOriginal,
  describeOwners,
  nameShortly,
  NOT_IN_FILE,
} from './article-words.ts'
import { type BrokenSpot, mergeBroken, ownersOf } from './group-broken.ts'
import { listCuts } from './list-cuts.ts'
import type { ReportRule } from './report-rules.ts'

export type ReportSeverity = 'error' | 'warning' | 'notice'

export interface ReportProblem {
  readonly code: ReportRule
  readonly severity: ReportSeverity
  /** On one line. */
  readonly message: string
  readonly hint: string
  /** All its places, the first one first; none where no file owns the article. */
  readonly places: readonly (Span & { readonly file: string })[]
  /** What is the same of it in the next report, also where lines have moved. */
  readonly identity: readonly string[]
}

/** Characters of an address that are shown. */
const ADDRESS_LENGTH = 500

/**
 * Errors first, then warnings, then notices, each in the order of the report. An error is what a threshold counts that was
 * passed: it is why the command ended with exit code 1. What the baseline accepts is none.
 */
export function listProblems(report: Report): ReportProblem[] {
  const { reviews, links, translations, exceeded } = report
  const isExceeded = (name: string) => exceeded.some((threshold) => threshold.name === name)
  const review = (finding: ReviewFinding) => reviewProblem(finding, isExceeded(finding.standing))
  const problems = [
    ...reviews.overdue.entries.filter(isOpen).map(review),
    ...mergeBroken(links.broken.entries.filter(isOpen)).map((spot) =>
      brokenProblem(spot, isExceeded('broken')),
    ),
    ...translations.entries.map(translationProblem),
    ...reviews.due.entries.map(review),
    ...links.disagreements.entries.map(disagreementProblem),
  ]
  const ranks = { error: 0, warning: 1, notice: 2 }
  return problems
    .toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
    .map((problem) => ({ ...problem, message: escapeControlInLine(problem.message) }))
}

/** What is among the problems in part only, in words. */
export function listProblemCuts({ reviews, links, translations }: Report): string[] {
  const { overdue, due } = reviews
  const { broken, disagreements } = links
  return listCuts({ overdue, due, broken, disagreements, translations })
}

function reviewProblem(finding: ReviewFinding, isExceeded: boolean): ReportProblem {
  const { standing, date, days = 0, file, owners } = finding
  const place = reviewPlace(finding)
  const unsent = describeFileDate(finding)
  const isOverdue = standing === 'overdue'
  const what = `${date}, ${describeDays(days)}`
  return {
    code: isOverdue ? 'review-overdue' : 'review-due',
    severity: isExceeded ? 'error' : isOverdue ? 'warning' : 'notice',
    message: `${quoted(finding)} ${isOverdue ? 'was' : 'is'} due for review on ${what}.${asking(owners)}`,
    hint:
      unsent === undefined
        ? 'Read it again, set reviewDate to the next date, and run kb sync.'
        : `${capitalised(unsent)}.`,
    places: place === undefined ? [] : [place],
    identity: [file ?? finding.id],
  }
}

function brokenProblem(spot: BrokenSpot, isExceeded: boolean): ReportProblem {
  const { article, articles, url, places } = spot
  return {
    code: 'link-broken',
    severity: isExceeded ? 'error' : 'warning',
    message: `The target calls this link broken: ${cutAtWord(url, ADDRESS_LENGTH)}${ofArticles(articles)}.${asking(ownersOf(articles))}`,
    hint:
      places.length > 0 || article.file === undefined
        ? 'Fix or remove it, and run kb sync.'
        : `${capitalised(NOT_IN_FILE)}.`,
    places: placesOrBeginning(spot),
    // The same file, however many articles include it.
    identity: [places[0]?.file ?? article.file ?? article.id, url],
  }
}

function disagreementProblem(disagreement: LinkDisagreement): ReportProblem {
  const { article, url, targetSays, reason } = disagreement
  const words =
    targetSays === 'works'
      ? `The target says that this link works, and the check here that it does not (${reason})`
      : `The target calls this link broken, and the check here found that it works (${reason})`
  return {
    code: 'link-disagreement',
    severity: 'notice',
    message: `${words}: ${cutAtWord(url, ADDRESS_LENGTH)}${ofArticles([article])}.`,
    hint: 'Open it in a browser: some sites answer only some who ask.',
    places: placesOrBeginning(disagreement),
    identity: [article.file ?? article.id, url],
  }
}

function translationProblem(translation: OutdatedTranslation): ReportProblem {
  const { title, language, file, original, translated, place, hint } = translation
  const changed = describeOriginal(translation)
  return {
    code: 'translation-outdated',
    severity: 'warning',
    message: `${quoted({ title, isDraft: false })} (${language}) was last changed on ${translated}, and is behind ${original} (${changed}).`,
    hint,
    places: [{ ...place, file }],
    identity: [file],
  }
}

function isOpen({ isAccepted }: { readonly isAccepted: boolean }): boolean {
  return !isAccepted
}

/** Names the article where no file does, and counts those that include the file. */
function ofArticles(articles: readonly ReportedArticle[]): string {
  const [article] = articles
  if (articles.length > 1) return `, in ${pluralize(articles.length, 'article')}`
  return article === undefined || article.file !== undefined ? '' : `, in ${quoted(article)}`
}

function quoted(article: Pick<ReportedArticle, 'title' | 'isDraft'>): string {
  return `"${nameShortly(article)}"`
}

function asking(owners: readonly Owner[] | undefined): string {
  const text = describeOwners(owners)
  return text === undefined ? '' : ` ${capitalised(text)}.`
}

function capitalised(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}
