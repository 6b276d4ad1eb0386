// Markdown by other authors: the rules do not fail, and their ranges exist.
import { expect, test } from 'vitest'
import type { Position, Problem } from '../../../src/core/model/diagnostic.ts'
import { inputOf, realMarkdown, rendererOf, turn } from '../markdown/renderers.ts'

const EVERY = 16

test('every range of every problem is within its text', async () => {
  const render = await rendererOf()
  const found = new Set<string>()
  const astray: object[] = []
  let count = 0
  for (const [file, body] of realMarkdown()) {
    const lengths = body.split(/\r\n|\n|\r/).map((line) => line.length)
    for (const problem of render(inputOf(body)).problems) {
      found.add(problem.code)
      if (!isWithin(problem, lengths)) astray.push({ file, problem })
    }
    if (++count % EVERY === 0) await turn()
  }
  expect(astray).toEqual([])
  expect(count).toBeGreaterThan(300)
  expect([...found]).toEqual(
    expect.arrayContaining([
      'heading-skipped',
      'heading-second-h1',
      'image-alt-missing',
      'bare-url',
      'link-text-empty',
    ]),
  )
})

function isWithin({ line, column, end = { line, column } }: Problem, lengths: readonly number[]): boolean {
  const isPlace = (at: Position) => at.column >= 1 && at.column <= (lengths[at.line - 1] ?? -1) + 1
  const isForward = end.line > line || (end.line === line && end.column >= column)
  return isPlace({ line, column }) && isPlace(end) && isForward
}
