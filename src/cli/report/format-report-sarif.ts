import type { Report } from '../../web/report/report.ts'
import { pluralize } from '../../core/pluralize.ts'
import {
  createFingerprints,
  formatSarifLog,
  locationOf,
  MOST_SARIF_RESULTS,
  toolOf,
} from '../sarif/sarif-parts.ts'
import {
  listProblemCuts,
  listProblems,
  REPORT_RULES,
  type ReportProblem,
  type ReportRule,
} from './report-problems.ts'

interface ReportSarifContext {
  /** Path from the root of the repository to the project, '' or with a trailing slash. */
  readonly prefix: string
  readonly version: string
}

const LEVELS = { error: 'error', warning: 'warning', notice: 'note' } as const

/**
 * Formats a SARIF 2.1.0 log with one run, for GitHub's code scanning: a result for each finding in a file, with all its
 * positions. Findings without a file are counted in a notification, because a result needs a position. So are findings
 * that the baseline accepts, for which code scanning would open an alert.
 */
export function formatReportSarif(report: Report, { prefix, version }: ReportSarifContext): string {
  const problems = listProblems(report)
  const placed = problems.filter(({ places }) => places.length > 0)
  const codes = [...new Set(placed.map(({ code }) => code))].toSorted()
  const fingerprintOf = createFingerprints()
  const run = {
    tool: toolOf(version, codes.map(ruleOf)),
    // Keeps this log separate from that of a check, which it must not replace.
    automationDetails: { id: 'kb-report/' },
    columnKind: 'utf16CodeUnits' as const,
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: notify(report, problems, placed).map((text) => ({
          level: 'note',
          message: { text: sarifText(text) },
        })),
      },
    ],
    results: placed
      .slice(0, MOST_SARIF_RESULTS)
      .map((problem) => resultOf(problem, codes, prefix, fingerprintOf([problem.code, ...problem.identity]))),
  }
  return formatSarifLog(run)
}

function ruleOf(code: ReportRule) {
  const { summary, help } = REPORT_RULES[code]
  return {
    id: code,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: help.replaceAll('`', ''), markdown: help },
  }
}

function resultOf(problem: ReportProblem, codes: readonly ReportRule[], prefix: string, fingerprint: string) {
  const { code, severity, message, hint, places } = problem
  const [location, ...others] = places.map(({ file, ...span }) => locationOf(prefix + file, span))
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: sarifText(`${message} ${hint}`) },
    locations: [location],
    ...(others.length > 0 && {
      relatedLocations: others.map((other, index) => ({ id: index + 1, ...other })),
    }),
    partialFingerprints: { 'kbReport/v1': fingerprint },
  }
}

function notify(report: Report, problems: readonly ReportProblem[], placed: readonly ReportProblem[]) {
  const homeless = problems.length - placed.length
  const beyond = placed.length - MOST_SARIF_RESULTS
  const { unowned, counts, notes } = report
  const accepted = counts.acceptedOverdue + counts.acceptedBroken
  return [
    ...(homeless > 0
      ? [`${pluralize(homeless, 'finding')} in articles without a file: kb report lists them.`]
      : []),
    ...(unowned.total > 0 ? [`${pluralize(unowned.total, 'article')} on the target without a file.`] : []),
    ...(beyond > 0
      ? [`${pluralize(beyond, 'finding')} more than code scanning accepts: kb report lists them.`]
      : []),
    ...(accepted > 0 ? [`${pluralize(accepted, 'finding')} accepted by the baseline.`] : []),
    ...listProblemCuts(report),
    ...notes,
  ]
}

/** Prevents brackets of a title or a URL in a message from becoming a link. */
function sarifText(text: string): string {
  return text.replaceAll('](', '] (')
}
