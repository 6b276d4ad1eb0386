import type { ThresholdName } from '../../core/model/threshold.ts'
import type { ExceededThreshold } from '../../inspect/report/report.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'

const WORDS: Readonly<Record<ThresholdName, (count: number) => string>> = {
  overdue: (count) => `${formatNumber(count)} overdue`,
  broken: (count) => pluralize(count, 'broken link'),
  due: (count) => `${formatNumber(count)} due`,
}

/** Which limits were passed, as one sentence; undefined where none was. */
export function formatExceeded(exceeded: readonly ExceededThreshold[]): string | undefined {
  if (exceeded.length === 0) return undefined
  return `Limits exceeded: ${exceeded.map(describeExceeded).join(', ')}.`
}

/** `12 overdue (allowed: 10)` */
export function describeExceeded({ name, count, allowed }: ExceededThreshold): string {
  return `${WORDS[name](count)} (allowed: ${formatNumber(allowed)})`
}
