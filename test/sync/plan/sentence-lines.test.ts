import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakSentences } from '../../../src/sync/plan/difference/diff-article.ts'
import { readRuns } from '../../support/runs.ts'
import { collapseHtmlSpace } from '../../../src/sync/difference/read-differences.ts'

test.each([
  ['- [What is this? Why?](#what-is-this)', '- [What is this? Why?](#what-is-this)'],
  ['[a? b](x "T! U") c. [D? E][f] G.', '[a? b](x "T! U") c.\n[D? E][f] G.'],
  ['Use `a. B. C` now. And ``d`. E`` too.', 'Use `a. B. C` now.\nAnd ``d`. E`` too.'],
  ['A <img alt="One. Two." src="x"> b. C.', 'A <img alt="One. Two." src="x"> b.\nC.'],
  ['![A. B. [C. D.](e. F)](g. H) i. J.', '![A. B. [C. D.](e. F)](g. H) i.\nJ.'],
  ['Open [ and ( and < and ` stay open. Next.', 'Open [ and ( and < and ` stay open.\nNext.'],
  [String.raw`A \[b. C\] d. E.`, `A \\[b.\nC\\] d.\nE.`],
  ['> 1. [A. B](c)', '> 1. [A. B](c)'],
])('%s', (line, lines) => {
  expect(breakSentences(line)).toBe(lines)
})

test('only white space changes', () => {
  const text = fc
    .array(fc.constantFrom('a', 'B. ', 'C? ', '`', '``', '[', ']', '](', '(', ')', '<', '>', '\\', ' '), {
      maxLength: 40,
    })
    .map((parts) => `a ${parts.join('')}`)
  const squeeze = (each: string): string => each.replaceAll(/\s+/g, '')
  fc.assert(
    fc.property(text, (line) => {
      expect(squeeze(breakSentences(line))).toBe(squeeze(line))
    }),
    readRuns('FUZZ', 2000),
  )
})

test('unclosed elements in lines and articles take no time', { timeout: 60_000 }, () => {
  for (const part of ['[', '`', '<', '[a](', '`` `', '<pre>'])
    expect(breakSentences(part.repeat(20_000)).length).toBeGreaterThan(0)
  expect(collapseHtmlSpace('<pre>'.repeat(200_000))).toBe('<pre>'.repeat(200_000))
})

test('white space matters only in code', () => {
  expect(collapseHtmlSpace('a\n b<pre>\n  c</PRE >\n\nd <pre class="e">\n')).toBe(
    'a b<pre>\n  c</PRE > d <pre class="e">\n',
  )
})
