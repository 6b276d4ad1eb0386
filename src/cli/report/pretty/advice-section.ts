import type { Report } from '../../../inspect/report/report.ts'
import { listAdvice } from '../list-advice.ts'
import { wrapped } from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** What to do about all that was found. */
export function prettyAdvice(report: Report, view: PrettyView): string[] {
  const advice = listAdvice(report)
  if (advice.length === 0) return []
  const lines = advice.flatMap((text) =>
    wrapped(text, '    ', view).map((line, index) => (index === 0 ? line.replace('    ', '  - ') : line)),
  )
  return ['', view.colors.bold('What to do'), ...lines]
}
