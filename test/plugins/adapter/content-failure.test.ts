import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/index.ts'
import { contentFailure } from '../../../src/plugins/adapter/content-failure.ts'
import { createProject } from '../../support/project.ts'

const BROKEN: Diagnostic = {
  code: 'link-file-missing',
  severity: 'error',
  message: 'There is no file "b.md".\u001B[31m',
  hint: 'Did you mean "c.md"?',
  file: 'content/a.md',
  line: 3,
  column: 9,
  end: { line: 3, column: 13 },
}
const WHOLE: Diagnostic = {
  code: 'frontmatter-missing',
  severity: 'error',
  message: 'There is no frontmatter.',
  file: 'content/z.md',
  line: 1,
  column: 1,
}
const WARNING: Diagnostic = { ...BROKEN, severity: 'warning', line: 1 }

test('warnings alone are no failure', () => {
  expect([contentFailure([], '/'), contentFailure([WARNING], '/')]).toEqual([undefined, undefined])
})

test('errors are counted, the first one has a location, and all are formatted like in kb check', () => {
  const { root, path } = createProject({ 'content/a.md': 'One\n\nSee [b](b.md).\n' })
  const failure = contentFailure([WARNING, BROKEN, WHOLE], root)
  expect(failure).toEqual({
    title: '2 problems in the content',
    report: `content/a.md:3:9 error link-file-missing
  There is no file "b.md".\\u{1b}[31m
  3 | See [b](b.md).
    |         ^^^^
  hint: Did you mean "c.md"?

content/z.md:1:1 error frontmatter-missing
  There is no frontmatter.`,
    first: {
      code: 'link-file-missing',
      message: String.raw`There is no file "b.md".\u{1b}[31m`,
      hint: 'Did you mean "c.md"?',
      file: path('content/a.md'),
      line: 3,
      column: 9,
      frame: '  3 | See [b](b.md).\n    |         ^^^^',
    },
    diagnostics: [BROKEN, WHOLE],
  })
})

test('a problem of a whole file has no frame', () => {
  const { first } = contentFailure([WHOLE], '/nowhere') ?? {}
  expect([first?.frame, first?.file, first?.hint]).toEqual(['', '/nowhere/content/z.md', undefined])
})
