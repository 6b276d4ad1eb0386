import type { Report } from '../../web/report/report.ts'
import { formatAnnotations, formatNotice } from '../diagnostics/format-github.ts'
import { formatExceeded } from '../../web/report/report-words.ts'
import { listProblemCuts, listProblems } from './report-problems.ts'

const TITLE = 'kb report'

/**
 * GitHub's workflow commands: why the job fails, then each finding at its line, the most important first, since GitHub
 * shows ten of a kind only. What the baseline accepts is left out.
 *
 * @param context `prefix` leads from the repository's root to the project, '' or ending in a slash
 */
export function formatReportGithub(report: Report, { prefix }: { readonly prefix: string }): string {
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
