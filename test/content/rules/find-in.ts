// Findings of rules in one text, with the exact range.
import { expect } from 'vitest'
import type { Problem, Position } from '../../../src/core/model/diagnostic.ts'
import type { RuleCode } from '../../../src/core/model/diagnostic-codes.ts'
import { rendererOf } from '../markdown/renderers.ts'

const LINES_BEFORE = 4

const renderers = await Promise.all([rendererOf({ parser: 'native' }), rendererOf({ parser: 'remark' })])

/** Returns each finding of a rule as `line:column text`, with the text of its range. Both parsers must agree. */
export function findIn(code: RuleCode, body: string, title = 'Title'): string[] {
  const [found = [], other] = renderers.map((render) =>
    render({ body, title, lineOffset: LINES_BEFORE, nonce: 'abc' })
      .problems.filter((problem) => problem.code === code)
      .map((problem) => `${problem.line - LINES_BEFORE}:${problem.column} ${coveredBy(problem, body)}`),
  )
  expect(other).toEqual(found)
  return found
}

/** Returns the text in the range of a problem. */
export function coveredBy({ line, column, end }: Problem, body: string): string {
  const start = offsetOf({ line, column }, body)
  return body.slice(start, end === undefined ? start : offsetOf(end, body))
}

function offsetOf({ line, column }: Position, body: string): number {
  const ends = [...body.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: ending }) => index + ending.length)
  return ([0, ...ends][line - LINES_BEFORE - 1] ?? Number.NaN) + column - 1
}
