import * as fc from 'fast-check'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts'
import { openCheckBaseline } from '../../../../src/inspect/check/baseline/accept-findings.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { readRuns } from '../../../support/runs.ts'
import { createProject } from '../../../support/project.ts'

const finding = (file: string, line: number, message: string): Diagnostic => ({
  code: 'link-file-missing',
  severity: 'error',
  file: `content/${file}`,
  line,
  column: 3,
  message,
})

const all = () => true

async function write(root: string, found: readonly Diagnostic[]): Promise<string> {
  const file = join(root, 'accepted.json')
  const baseline = await openCheckBaseline({ file, isWritten: true }, root)
  await baseline.apply(found, all)
  return readFileSync(file, 'utf8')
}

const open = (root: string) =>
  openCheckBaseline({ file: join(root, 'accepted.json'), isWritten: false }, root)

const FOUND = [
  finding('b.md', 9, 'There is no "x".'),
  finding('a.md', 3, 'There is no "x".'),
  finding('a.md', 7, 'There is no "x".'),
]

test('sorted, one entry per line, without lines and columns', async () => {
  expect(await write(temporaryFolder(), FOUND)).toBe(`{
  "version": 1,
  "findings": [
    { "file": "content/a.md", "code": "link-file-missing", "message": "There is no \\"x\\".", "count": 2 },
    { "file": "content/b.md", "code": "link-file-missing", "message": "There is no \\"x\\"." }
  ]
}
`)
})

test('a problem is accepted on any line; one more of the same is new', async () => {
  const root = temporaryFolder()
  await write(root, FOUND)
  const baseline = await open(root)
  const moved = FOUND.map((each) => ({ ...each, line: each.line + 40 }))
  expect(await baseline.apply(moved, all)).toEqual({
    diagnostics: [],
    baseline: { accepted: 3, resolved: [] },
  })
  const third = finding('a.md', 50, 'There is no "x".')
  const other = finding('a.md', 3, 'There is no "y".')
  expect(await baseline.apply([...FOUND, third, other], all)).toEqual({
    diagnostics: [third, other],
    baseline: { accepted: 3, resolved: [] },
  })
})

test('fixed problems are listed with their number, but only among those that were looked for', async () => {
  const root = temporaryFolder()
  await write(root, FOUND)
  const baseline = await open(root)
  const x = { code: 'link-file-missing', message: 'There is no "x".' }
  expect((await baseline.apply(FOUND.slice(1, 2), all)).baseline).toEqual({
    accepted: 1,
    resolved: [
      { file: 'content/a.md', ...x },
      { file: 'content/b.md', ...x },
    ],
  })
  expect((await baseline.apply([], all)).baseline.resolved).toContainEqual({
    file: 'content/a.md',
    ...x,
    count: 2,
  })
  expect((await baseline.apply([], ({ file }) => file.endsWith('b.md'))).baseline.resolved).toHaveLength(1)
})

test('of duplicate entries, each that is not needed is listed', async () => {
  const root = temporaryFolder()
  const entry = { file: 'content/a.md', code: 'link-file-missing', message: 'There is no "x".' }
  writeFileSync(join(root, 'accepted.json'), JSON.stringify({ version: 1, findings: [entry, entry, entry] }))
  expect((await (await open(root)).apply(FOUND.slice(1, 2), all)).baseline).toEqual({
    accepted: 1,
    resolved: [entry, entry],
  })
})

test('nothing counts as fixed while an article cannot be read', async () => {
  const root = temporaryFolder()
  await write(root, FOUND)
  const unread: Diagnostic = { ...finding('a.md', 1, 'It is not UTF-8.'), code: 'file-not-utf8' }
  expect(await (await open(root)).apply([unread], all)).toEqual({
    diagnostics: [unread],
    baseline: { accepted: 0, resolved: [] },
  })
})

test('a line number in a message does not identify the problem', async () => {
  const root = temporaryFolder()
  await write(root, [finding('_tags.yml', 4, '"b" has the same slug as the entry on line 2.')])
  const moved = finding('_tags.yml', 8, '"b" has the same slug as the entry on line 6.')
  expect((await (await open(root)).apply([moved], all)).diagnostics).toEqual([])
})

test('fewer lines with trailing white space are not a new problem', async () => {
  const root = temporaryFolder()
  await write(root, [finding('a.md', 4, 'There is white space at the end of 5 lines.')])
  const fewer = finding('a.md', 8, 'There is white space at the end of 1 line.')
  expect(await (await open(root)).apply([fewer], all)).toEqual({
    diagnostics: [],
    baseline: { accepted: 1, resolved: [] },
  })
})

test('a baseline accepts all findings that it was written from', async () => {
  const root = temporaryFolder()
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('é', 'e\u0301', '__proto__', 'on line 1'),
  )
  const findings = fc.array(fc.tuple(text, fc.nat(9), text).map((each) => finding(...each)))
  await fc.assert(
    fc.asyncProperty(findings, async (found) => {
      const written = await write(root, found)
      const shuffled = found.toReversed().map((each) => ({ ...each, line: each.line + 1 }))
      expect(await (await open(root)).apply(shuffled, all)).toEqual({
        diagnostics: [],
        baseline: { accepted: found.length, resolved: [] },
      })
      expect(await write(root, found.toReversed())).toHaveLength(written.length)
    }),
    readRuns('FUZZ', 100),
  )
})

test.each([
  ['"message"', '"mesage"', 'accepted.json:4: the baseline is damaged (findings[0].message): Invalid input'],
  ['"count": 2', '"count": 0', 'accepted.json:4: the baseline is damaged (findings[0].count): '],
  ['    {', '<<<<<<< ours\n    {', 'accepted.json:4: the baseline is not valid JSON: it contains conflict'],
  ['"version": 1,', '', 'accepted.json:1: the file is not a baseline of kb check: it has no `version`.'],
])('a damaged file is an error that names the line: %s', async (before, after, message) => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'accepted.json'), (await write(root, FOUND)).replace(before, after))
  await expect(open(root)).rejects.toMatchObject({
    code: 'BASELINE_INVALID',
    message: expect.stringContaining(message) as unknown,
  })
})

test('kb check --baseline: writing ends with 0, new problems fail, resolved ones are listed', async () => {
  const page = (body: string) => `---\ntitle: A\ncategories: [G]\n---\n\nText\n\n${body}`
  const project = createProject({ 'content/a.md': page('[one](gone.md)\n') })
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.kb('check', ...args)
    return { code, stdout, stderr: stderr.replace(/^Reading .*\n/, '') }
  }
  const flags = ['--baseline', 'accepted.json']
  expect(await run(...flags)).toMatchObject({ code: 2 })
  expect(await run(...flags, '--write-baseline')).toEqual({
    code: 0,
    stdout: 'No other problems in 1 article.\n',
    stderr: 'accepted.json is written: 1 problem is accepted now.\n',
  })
  expect(await run(...flags)).toEqual({
    code: 0,
    stdout: 'No other problems in 1 article.\n',
    stderr: '1 problem is accepted by accepted.json.\n',
  })
  project.write({ 'content/a.md': page('New above.\n\n[one](gone.md) [two](lost.md)\n') })
  const more = await run(...flags, '--json')
  const { summary, diagnostics, baseline } = JSON.parse(more.stdout) as Record<string, object>
  expect([more.code, summary, baseline]).toEqual([
    1,
    { articles: 1, errors: 1, warnings: 0, fixable: 0 },
    { accepted: 1, resolved: [] },
  ])
  expect(diagnostics).toMatchObject([{ code: 'link-file-missing', line: 10, column: 22 }])
  project.write({ 'content/a.md': page('') })
  expect((await run(...flags)).stderr).toContain('  content/a.md link-file-missing: ')
  expect((await run('content/a.md', ...flags)).stderr).not.toContain('no longer needed')
  expect(await run('content/a.md', ...flags, '--write-baseline')).toMatchObject({ code: 2 })
  expect(await run('--write-baseline')).toMatchObject({ code: 2 })
  const dry = await run(...flags, '--write-baseline', '--fix', '--dry-run')
  expect([dry.code, dry.stderr]).toEqual([2, expect.stringContaining('A dry run cannot write a baseline.')])
})

test('a dry run of fixes does not list fixable problems as fixed', async () => {
  const project = createProject({
    'content/a.md': '---\ntitle: A\ncategories: [G]\n---\n\n## Heading\n\n[one](#headin)\n',
  })
  const flags = ['--baseline', 'accepted.json']
  await project.kb('check', ...flags, '--write-baseline')
  expect((await project.kb('check', ...flags, '--fix', '--dry-run')).stderr).not.toContain('no longer needed')
  expect((await project.kb('check', ...flags, '--fix')).stderr).toContain('no longer needed')
})
