import type { Report } from '../../web/report/report.ts'
import { formatAnnotations, formatNotice } from '../diagnostics/format-github.ts'
import { formatExceeded } from '../../web/report/report-words.ts'
import { listProblemCuts, listProblems } from './report-problems.ts'

const TITLE = 'kb report'

/**
 * Formats GitHub's workflow commands: the reason why the job fails, then each finding at its line, the most important
 * first, because GitHub shows only ten of each kind. Omits findings that the baseline accepts.
 *
 * @param prefix path from the root of the repository to the project, '' or with a trailing slash
 */
export function formatReportGithub(report: Report, prefix: string): string {
  const exceeded = formatExceeded(report.exceeded)
  const problems = listProblems(report)
  return [
    ...(exceeded === undefined ? [] : [formatNotice('error', exceeded, TITLE)]),
    ...problems.map(({ places: [place], ...problem }) =>
      place === undefined
        ? formatNotice(problem.severity, `${problem.message} ${problem.hint}`, problem.code)
        : formatAnnotations([{ ...problem, ...place }], prefix),
    ),
    ...[...listProblemCuts(report), ...report.notes].map((note) => formatNotice('notice', note, TITLE)),
  ].join('')
}
