// Findings for tools that show problems at their lines: one problem for each finding that requires work.
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import type { Span } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'
import { mergeBroken, ownersOf } from '../../web/report/group-broken.ts'
import type { Report } from '../../web/report/report.ts'
import {
  capitalised,
  placesOrBeginning,
  quoted,
  type ReportRow,
  type RowArticle,
  sectionOf,
} from '../../web/report/report-rows.ts'
import { describeOwners } from '../../web/report/report-words.ts'

/** The findings of a report as rules for tools that show problems at their lines. */
export const REPORT_RULES = {
  'review-overdue': {
    summary: 'The review date of an article has passed.',
    help: 'Review the article, set its `reviewDate` to the next date, and run `kb sync`.',
  },
  'review-due': {
    summary: 'An article is due for review soon.',
    help: 'Review the article before that date, set its `reviewDate` to the next one, and run `kb sync`.',
  },
  'link-broken': {
    summary: 'The target reports a broken link.',
    help: 'Fix or remove the link, and run `kb sync`. The link counts as broken until the target checks it again.',
  },
  'link-disagreement': {
    summary: 'The target and the check on this machine disagree about a link.',
    help: 'Open the link in a browser. Some sites block automated checks. The result of the target counts.',
  },
  'translation-outdated': {
    summary: 'An original was changed after its translation.',
    help: 'Update the translation, and commit it.',
  },
} as const

export type ReportRule = keyof typeof REPORT_RULES

export interface ReportProblem {
  readonly code: ReportRule
  readonly severity: 'error' | 'warning' | 'notice'
  /** On one line. */
  readonly message: string
  readonly hint: string
  /** All its positions; none for an article without a file. */
  readonly places: readonly (Span & { readonly file: string })[]
  /** The parts that stay the same in the next report, even if lines have moved. */
  readonly identity: readonly string[]
}

/** The findings that require work, in this order. */
const RULE_OF = {
  overdue: 'review-overdue',
  broken: 'link-broken',
  translations: 'translation-outdated',
  due: 'review-due',
  disagreements: 'link-disagreement',
} as const

const NOTICES: ReadonlySet<ReportRule> = new Set(['review-due', 'link-disagreement'])

/**
 * Lists errors first, then warnings, then notices, each in the order of the report. An error counts towards a threshold
 * that was exceeded, so it caused exit code 1. Findings that the baseline accepts are omitted.
 */
export function listProblems(report: Report): ReportProblem[] {
  const isExceeded = (section: string) => report.exceeded.some(({ name }) => name === section)
  const problems = (Object.keys(RULE_OF) as (keyof typeof RULE_OF)[]).flatMap((name) => {
    const code = RULE_OF[name]
    const severity = isExceeded(name) ? 'error' : NOTICES.has(code) ? 'notice' : 'warning'
    const open = sectionOf(report, name).rows.filter(({ isAccepted }) => !isAccepted)
    const rows = name === 'broken' ? mergeBroken(open) : open
    return rows.map((row) => toProblem(row, code, severity))
  })
  const ranks = { error: 0, warning: 1, notice: 2 }
  return problems.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
}

/** Describes the lists that are incomplete. */
export function listProblemCuts(report: Report): string[] {
  const inOrder = ['overdue', 'due', 'broken', 'disagreements', 'translations'] as const
  return inOrder.flatMap((name) => {
    const { total, rows } = sectionOf(report, name)
    return total > rows.length ? [describeCut(name, total - rows.length)] : []
  })
}

/** For formats that would otherwise seem complete. */
export function describeCut(name: string, missing: number): string {
  return `${name}: ${formatNumber(missing)} more are counted but not listed.`
}

function toProblem(row: ReportRow, code: ReportRule, severity: ReportProblem['severity']): ReportProblem {
  const { article, articles, places, url, sentence = '', action = '' } = row
  const where = url === undefined ? '' : ofArticles(articles)
  const ask = code === 'link-disagreement' ? undefined : describeOwners(ownersOf(articles))
  // The same file, even if several articles include it.
  const shared = code === 'link-broken' ? places[0]?.file : undefined
  return {
    code,
    severity,
    message: escapeControlInLine(`${sentence}${where}.${ask === undefined ? '' : ` ${capitalised(ask)}.`}`),
    hint: action,
    places: placesOrBeginning(row),
    identity: [shared ?? article.file ?? article.id ?? '', ...(url === undefined ? [] : [url])],
  }
}

/** Names the article if there is no file, and counts the articles that include the file. */
function ofArticles(articles: readonly RowArticle[]): string {
  const [article] = articles
  if (articles.length > 1) return `, in ${pluralize(articles.length, 'article')}`
  return article === undefined || article.file !== undefined ? '' : `, in ${quoted(article)}`
}
