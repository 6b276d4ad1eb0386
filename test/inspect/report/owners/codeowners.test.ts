import * as fc from 'fast-check'
import ignore from 'ignore'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type CodeownersDialect,
  createOwnerMatcher,
  parseCodeowners,
  readCodeowners,
} from '../../../../src/inspect/report/owners/codeowners.ts'
import { readRuns } from '../../../support/runs.ts'
import { temporaryFolder } from '../../../support/folder.ts'

function ownersIn(text: string, paths: readonly string[], dialect: CodeownersDialect = 'github') {
  const match = createOwnerMatcher(parseCodeowners(text, dialect), dialect)
  return Object.fromEntries(paths.map((path) => [path, match(path).join(' ')]))
}

test('the last matching rule decides, even inside a folder of an earlier one', () => {
  const text = `# Everybody's
*          @everybody

docs/      @docs  @org/writers # and a comment
*.yml      @devops
docs/a.md  @ada
/docs/private/
`
  expect(
    ownersIn(text, ['README.md', 'docs/b.md', 'docs/x/y.md', 'docs/c.yml', 'docs/a.md', 'docs/private/p.md']),
  ).toEqual({
    'README.md': '@everybody',
    'docs/b.md': '@docs @org/writers',
    'docs/x/y.md': '@docs @org/writers',
    'docs/c.yml': '@devops',
    'docs/a.md': '@ada',
    'docs/private/p.md': '',
  })
})

test.each<[string, CodeownersDialect, readonly string[], readonly string[]]>([
  ['docs/', 'github', ['docs/a.md', 'docs/x/a.md', 'en/docs/a.md'], ['docs', 'docs2/a.md']],
  ['/docs/', 'github', ['docs/a.md', 'docs/x/a.md'], ['en/docs/a.md']],
  ['/docs', 'github', ['docs/a.md', 'docs/x/a.md'], ['en/docs/a.md']],
  ['docs/*', 'github', ['docs/a.md'], ['docs/x/a.md', 'en/docs/a.md', 'a.md']],
  ['/*', 'github', ['a.md'], ['docs/a.md']],
  ['*', 'github', ['a.md', 'docs/x/a.md'], []],
  ['docs/**', 'github', ['docs/a.md', 'docs/x/a.md'], ['en/docs/a.md']],
  ['**/docs/*', 'github', ['docs/a.md', 'en/docs/a.md'], ['en/docs/x/a.md']],
  ['docs/*.md', 'github', ['docs/a.md'], ['docs/x/a.md', 'docs/a.txt']],
  ['*.md', 'github', ['a.md', 'docs/x/a.md'], ['a.mdx']],
  ['docs/x/a.md', 'github', ['docs/x/a.md'], ['en/docs/x/a.md']],
  ['Docs/', 'github', ['Docs/a.md'], ['docs/a.md']],
  ['docs/my\\ guide.md', 'github', ['docs/my guide.md'], ['docs/my']],
  ['/doc*/a.md', 'github', ['docs/a.md', 'doc/a.md'], ['docs/x/a.md']],
  ['/do?s/', 'github', ['docs/a.md', 'dots/x/a.md'], ['do/s/a.md']],
  ['docs/étude/', 'github', ['docs/étude/a.md'], ['docs/etude/a.md']],
  // For GitHub, both are errors, and the line is skipped.
  ['!docs/', 'github', [], ['docs/a.md', 'a.md']],
  ['[ab].md', 'github', [], ['a.md', 'b.md']],
  ['docs/*', 'gitlab', ['docs/a.md', 'en/docs/a.md'], ['docs/x/a.md']],
  ['/docs/*', 'gitlab', ['docs/a.md'], ['docs/x/a.md', 'en/docs/a.md']],
  ['docs/x/a.md', 'gitlab', ['docs/x/a.md', 'en/docs/x/a.md'], ['x/a.md']],
  ['/docs/**/*.md', 'gitlab', ['docs/a.md', 'docs/x/a.md'], ['en/docs/a.md']],
  ['\\#a.md', 'gitlab', ['#a.md'], ['a.md']],
])('%s, in the syntax of %s', (pattern, dialect, fits, others) => {
  const paths = [...fits, ...others]
  const expected = paths.map((path) => [path, fits.includes(path) ? '@ada' : ''])
  expect(ownersIn(`${pattern} @ada`, paths, dialect)).toEqual(Object.fromEntries(expected))
})

test('except for folders below a star, a pattern matches the same as in .gitignore', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'a.md', 'docs', 'x y')
  const part = fc.oneof(name, fc.constantFrom('*', '**', 'a*', '*.md', '?', 'd\\ocs'))
  const pattern = fc
    .tuple(fc.constantFrom('', '/'), fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '/'))
    .map(([start, parts, end]) => `${start}${parts.join('/')}${end}`)
    .filter((text) => !/(?:^|\/)\*$/.test(text))
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(pattern, path, (written, file) => {
      const expected = ignore({ ignorecase: false }).add({ pattern: written }).ignores(file)
      const line = `${written.replaceAll(' ', '\\ ')} @ada`
      expect(ownersIn(line, [file])).toEqual({ [file]: expected ? '@ada' : '' })
    }),
    readRuns('FUZZ', 1000),
  )
})

test('sections of GitLab: default owners, exclusions, duplicate names, and each adds its owners', () => {
  const text = `* @everybody
[Documentation] @docs
docs/
/docs/api/ @api
!/docs/drafts/

^[Law][2] @lawyer law@example.com
/docs/terms.md
[DOCUMENTATION]
/docs/terms.md @@maintainer
[Empty]
`
  expect(
    ownersIn(text, ['a.md', 'docs/a.md', 'docs/api/a.md', 'docs/drafts/a.md', 'docs/terms.md'], 'gitlab'),
  ).toEqual({
    'a.md': '@everybody',
    'docs/a.md': '@everybody @docs',
    'docs/api/a.md': '@everybody @api',
    'docs/drafts/a.md': '@everybody',
    // The second [Documentation] has no default owners, and the last rule of both decides.
    'docs/terms.md': '@everybody @@maintainer @lawyer law@example.com',
  })
})

test('lines without a rule are skipped, and so are words that are not owners', () => {
  const text =
    '\uFEFF# c\r\n\r\n   \r\n*.md @ada nobody a@b@c @ ada@example.com\r\n  docs/  @docs\r\n@lost\r\n'
  expect(ownersIn(text, ['a.md', 'docs/a.md', 'x.txt'])).toEqual({
    'a.md': '@ada ada@example.com',
    'docs/a.md': '@docs',
    'x.txt': '',
  })
})

function repository(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  mkdirSync(join(root, '.git'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

test('email addresses are shown only on request; handles are names', async () => {
  const root = repository({ CODEOWNERS: '* @ada ada@example.com @org/team\n' })
  const names = await readCodeowners(root, 'names')
  expect(names.ownersOf('content/a.md')).toEqual([{ name: '@ada' }, { name: '@org/team' }])
  const emails = await readCodeowners(root, 'email')
  expect([emails.ownersOf('content/a.md'), emails.notes]).toEqual([
    [{ name: '@ada' }, { name: 'ada@example.com', email: 'ada@example.com' }, { name: '@org/team' }],
    [],
  ])
})

test('the file is found in the repository, even if the project is a subfolder', async () => {
  const root = repository({
    CODEOWNERS: '* @root',
    '.github/CODEOWNERS': '/handbook/content/guides/ @guides\n',
    'handbook/content/a.md': '',
  })
  const { ownersOf } = await readCodeowners(join(root, 'handbook'), 'names')
  expect([ownersOf('content/guides/a.md'), ownersOf('content/a.md')]).toEqual([[{ name: '@guides' }], []])
  const beside = repository({ CODEOWNERS: '* @all\n/docs/ @docs\n', 'site/kb.config.ts': '' })
  const ofSite = await readCodeowners(join(beside, 'site'), 'names')
  expect(['../docs/a.md', 'b.md', '../../elsewhere/a.md'].map(ofSite.ownersOf)).toEqual([
    [{ name: '@docs' }],
    [{ name: '@all' }],
    [],
  ])
})

test('a file of GitLab is recognised by its location or its sections', async () => {
  const byPlace = repository({ '.gitlab/CODEOWNERS': 'docs/guides/ @ada\n' })
  expect((await readCodeowners(byPlace, 'names')).ownersOf('en/docs/guides/a.md')).toEqual([{ name: '@ada' }])
  const bySection = repository({ CODEOWNERS: '[Guides] @ada\ndocs/guides/\n' })
  expect((await readCodeowners(bySection, 'names')).ownersOf('en/docs/guides/a.md')).toEqual([
    { name: '@ada' },
  ])
  const neither = repository({ CODEOWNERS: 'docs/guides/ @ada\n' })
  expect((await readCodeowners(neither, 'names')).ownersOf('en/docs/guides/a.md')).toEqual([])
})

test('if the file is missing or unreadable, no one is named and the report explains it', async () => {
  const none = await readCodeowners(repository({}), 'names')
  expect([none.ownersOf('a.md'), none.notes]).toEqual([
    [],
    [
      'Owners are unknown: there is no CODEOWNERS file (.github/CODEOWNERS, CODEOWNERS, docs/CODEOWNERS, .gitlab/CODEOWNERS).',
    ],
  ])
  const folder = repository({ 'CODEOWNERS/a': '' })
  expect((await readCodeowners(folder, 'names')).notes).toEqual([
    expect.stringMatching(
      /^Owners are unknown: CODEOWNERS could not be read: (?:EISDIR: )?illegal operation on a directory(?:, read)?\.$/,
    ),
  ])
})
