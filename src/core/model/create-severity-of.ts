import picomatch from 'picomatch'
import {
  type DiagnosticCode,
  type RuleCode,
  type RuleSettings,
  type RuleSeverity,
  severityOf,
} from './diagnostic-codes.ts'

/** Returns the severity of a problem in the file `source`. */
export type SeverityOf = (code: DiagnosticCode, source: string) => RuleSeverity

/** @param rules patterns in picomatch syntax, matched against sources */
export function createSeverityOf({ rules, overrides }: RuleSettings): SeverityOf {
  const lastFirst = overrides.map((each) => ({ ...each, matches: picomatch([...each.files]) })).toReversed()
  return (code, source) => {
    const override = lastFirst.find(
      (each) => each.rules[code as RuleCode] !== undefined && each.matches(source),
    )
    return severityOf(code, override?.rules ?? rules)
  }
}
