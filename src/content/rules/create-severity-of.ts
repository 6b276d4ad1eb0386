import picomatch from 'picomatch'
import {
  type DiagnosticCode,
  type RuleCode,
  type RuleSettings,
  type RuleSeverity,
  severityOf,
} from '../../core/model/diagnostic-codes.ts'

/** How a problem of the file `source` counts. */
export type SeverityOf = (code: DiagnosticCode, source: string) => RuleSeverity

/** @param rules patterns in the syntax of picomatch, matched against sources */
export function createSeverityOf({ rules, overrides }: RuleSettings): SeverityOf {
  const lastFirst = overrides.map((each) => ({ ...each, matches: picomatch([...each.files]) })).toReversed()
  return (code, source) => {
    const override = lastFirst.find(
      (each) => each.rules[code as RuleCode] !== undefined && each.matches(source),
    )
    return severityOf(code, override?.rules ?? rules)
  }
}
