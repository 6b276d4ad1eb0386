import { describe, expect, test } from 'vitest'
import { applyFixes } from '../../../src/inspect/check/fix/apply-fixes.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { htmlOf, inputOf, realMarkdown, rendererOf } from '../markdown/renderers.ts'

const render = await rendererOf()

/** Returns diagnostics about trailing white space. */
function find(body: string): Diagnostic[] {
  return render(inputOf(body)).problems.flatMap((problem) =>
    problem.code === 'trailing-space' ? [{ ...problem, severity: 'warning' as const, file: 'a.md' }] : [],
  )
}

const fixed = (body: string) => applyFixes(body, find(body)).text

describe('trailing white space', () => {
  test('is one problem of the text, at the first position', () => {
    expect(find('one \n\ntwo\t\n')).toEqual([
      {
        code: 'trailing-space',
        severity: 'warning',
        file: 'a.md',
        message: 'There is white space at the end of 2 lines.',
        hint: 'kb check --fix removes it. Many editors can remove it when they save.',
        line: 1,
        column: 4,
        end: { line: 1, column: 5 },
        fix: [
          { start: { line: 1, column: 4 }, end: { line: 1, column: 5 }, text: '' },
          { start: { line: 3, column: 4 }, end: { line: 3, column: 5 }, text: '' },
        ],
      },
    ])
  })

  test.each([
    ['text \n', 'text\n'],
    ['# Heading  \n', '# Heading\n'],
    ['the end of a paragraph  \n', 'the end of a paragraph\n'],
    ['- item \n-  \n', '- item\n-\n'],
    ['> quote\t\n>  \n', '> quote\n>\n'],
    ['| a | \n| - | \n| b | \n', '| a |\n| - |\n| b |\n'],
    ['a\r\n  \r\nb \r\n', 'a\r\n\r\nb\r\n'],
    ['a `b` \nc', 'a `b`\nc'],
    ['[a]: b.md  \n', '[a]: b.md\n'],
    ['without line end ', 'without line end'],
    ['a\n<pre>b</pre>\n\nc \n', 'a\n<pre>b</pre>\n\nc\n'],
  ])('%j becomes %j', (body, expected) => {
    expect(fixed(body)).toBe(expected)
  })

  test.each([
    'a hard  \nbreak',
    'a hard   \nbreak in\n> a quote  \n> goes on',
    'a backslash\\ \nthat would break the line',
    'code `in \ntwo lines`',
    '```\ncode  \n```',
    '```js  \ncode\n```  ',
    '    indented  \n      \n    code \n',
    '<pre>\nkept  \n</pre>',
    '<div><pre>\n\nkept \n\n</pre></div>',
    '<textarea>\n\nkept \n\nto the end ',
    '<div>  \n</div>',
    'nbsp\u00a0\n',
  ])('stays in %j', (body) => {
    expect(find(body)).toEqual([])
  })

  test('does not affect real documents', { timeout: 240_000 }, async () => {
    const differing: string[] = []
    let changed = 0
    for (const [path, body] of realMarkdown()) {
      if (!/[ \t]\r?\n/.test(body)) continue
      const mended = fixed(body)
      if (mended === body) continue
      changed++
      if (htmlOf(render(inputOf(mended))) !== htmlOf(render(inputOf(body)))) differing.push(path)
      // The native parser frees its memory when the event loop turns.
      if (changed % 16 === 0) await new Promise((turn) => setImmediate(turn))
      expect(find(mended)).toEqual([])
    }
    expect(changed).toBeGreaterThan(20)
    expect(differing).toEqual([])
  })
})
