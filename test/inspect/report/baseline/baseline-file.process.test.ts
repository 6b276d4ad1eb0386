import * as fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KbError } from '../../../../src/core/errors/kb-error.ts'
import {
  createAcceptance,
  formatBaseline,
  writeBaseline,
  readBaseline,
} from '../../../../src/inspect/report/baseline/baseline.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { readRuns } from '../../../support/runs.ts'
import { temporaryFolder } from '../../../support/folder.ts'

const owners = [{ name: 'Ada Smith', email: 'ada@example.com' }]
const article = (id: string, file: string | undefined, title = `Title ${id}`) => ({ id, file, title, owners })

const FINDINGS = {
  overdue: [
    { ...article('2', 'content/b.md'), date: '2025-02-01' },
    { ...article('1', 'content/a.md'), date: '2025-01-31' },
    { ...article('9', undefined, 'Say "hi"\n'), date: '2024-12-31' },
  ],
  broken: [
    { article: article('2', 'content/b.md'), url: 'https://b.example/' },
    { article: article('1', 'content/a.md'), url: 'https://b.example/' },
    { article: article('1', 'content/a.md'), url: 'https://a.example/' },
    { article: article('1', 'content/a.md'), url: 'https://a.example/' },
  ],
}

const TEXT = `{
  "version": 1,
  "overdue": [
    { "file": "content/a.md", "id": "1", "date": "2025-01-31" },
    { "file": "content/b.md", "id": "2", "date": "2025-02-01" },
    { "id": "9", "title": "Say \\"hi\\"\\n", "date": "2024-12-31" }
  ],
  "broken": [
    { "file": "content/a.md", "id": "1", "url": "https://a.example/" },
    { "file": "content/a.md", "id": "1", "url": "https://b.example/" },
    { "file": "content/b.md", "id": "2", "url": "https://b.example/" }
  ]
}
`

function openFile(text?: string) {
  const path = join(temporaryFolder(), 'kb-baseline.json')
  if (text !== undefined) writeFileSync(path, text)
  return { path, name: 'kb-baseline.json' }
}

async function failureOf(text: string | undefined): Promise<unknown> {
  const error: unknown = await readBaseline(openFile(text)).catch((thrown: unknown) => thrown)
  if (!(error instanceof KbError)) return error
  return { code: error.code, message: error.message, hint: error.hint }
}

test('sorted, one line per finding, without people; the written file can be read', async () => {
  expect(formatBaseline(FINDINGS)).toBe(TEXT)
  const file = openFile()
  await writeBaseline(file, FINDINGS)
  expect(readFileSync(file.path, 'utf8')).toBe(TEXT)
  expect(await readBaseline(file)).toEqual(JSON.parse(TEXT))
  await writeBaseline(file, { overdue: [], broken: [] })
  expect(readFileSync(file.path, 'utf8')).toBe('{\n  "version": 1,\n  "overdue": [],\n  "broken": []\n}\n')
  expect(readdirSync(join(file.path, '..'))).toEqual(['kb-baseline.json'])
})

test('a baseline accepts all findings that it was written from, and has no unneeded entries', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1 }),
    fc.constantFrom('a', 'é', 'e\u0301', '__proto__'),
  )
  const anyArticle = fc.record({ id: text, file: fc.option(text, { nil: undefined }), title: text })
  const findings = fc.record({
    overdue: fc.array(
      fc
        .tuple(anyArticle, fc.constantFrom('2025-01-31', '2024-02-29'))
        .map(([each, date]) => ({ ...each, date })),
    ),
    broken: fc.array(fc.record({ article: anyArticle, url: text })),
  })
  const file = openFile()
  await fc.assert(
    fc.asyncProperty(findings, async (found) => {
      writeFileSync(file.path, formatBaseline(found))
      const acceptance = createAcceptance(await readBaseline(file))
      expect(found.overdue.map(acceptance.acceptsOverdue)).not.toContain(false)
      expect(found.broken.map(acceptance.acceptsBroken)).not.toContain(false)
      expect(acceptance.unneeded()).toEqual([])
      const shuffled = { overdue: found.overdue.toReversed(), broken: found.broken.toReversed() }
      expect(formatBaseline(shuffled)).toBe(formatBaseline(found))
    }),
    readRuns('FUZZ', 200),
  )
})

test('git merges the entries of two branches', () => {
  const folder = temporaryFolder()
  const of = (...names: readonly string[]) =>
    formatBaseline({
      overdue: names.map((name) => ({ ...article(name, name), date: '2025-01-31' })),
      broken: [],
    })
  const versions = {
    base: of('a', 'c', 'e', 'g', 'i'),
    ours: of('a', 'b', 'c', 'e', 'g', 'i'),
    theirs: of('a', 'c', 'e', 'g', 'h', 'i'),
  }
  for (const [name, text] of Object.entries(versions)) writeFileSync(join(folder, name), text)
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, of('a', 'b', 'c', 'e', 'g', 'h', 'i')])
})

test('a file formatted by other tools is the same baseline', async () => {
  const formatted = JSON.stringify(JSON.parse(TEXT), undefined, '\t').replaceAll('\n', '\r\n')
  expect(await readBaseline(openFile(`\uFEFF${formatted}`))).toEqual(JSON.parse(TEXT))
})

test('a missing file is an error', async () => {
  expect(await failureOf(undefined)).toEqual({
    code: 'BASELINE_INVALID',
    message: 'The baseline kb-baseline.json could not be read: no such file or directory.',
    hint: 'Create it with --write-baseline, or correct its name.',
  })
})

test('a folder is not a baseline, and cannot be overwritten', async () => {
  const file = openFile()
  mkdirSync(file.path)
  await expect(readBaseline(file)).rejects.toMatchObject({
    code: 'BASELINE_INVALID',
    message: expect.stringContaining('illegal operation on a directory') as unknown,
  })
  await expect(writeBaseline(file, FINDINGS)).rejects.toMatchObject({
    code: 'FILES_UNWRITABLE',
    message: expect.stringMatching(
      /^The baseline could not be written to kb-baseline\.json: illegal operation on a directory/,
    ) as unknown,
  })
  expect(readdirSync(join(file.path, '..'))).toEqual(['kb-baseline.json'])
})

const FIX = 'Fix the file, or write a new one with --write-baseline.'

test.each<[string, string, string]>([
  [
    'a merge left half done',
    TEXT.replace('    { "file": "content/b.md", "id": "2", "d', '<<<<<<< ours\n$&'),
    'kb-baseline.json:5: the baseline is not valid JSON: it contains conflict markers of a merge.',
  ],
  [
    'a comma too many',
    TEXT.replace('-01" },\n', '-01" },,\n'),
    'kb-baseline.json:5: the baseline is not valid JSON: Unexpected token',
  ],
  [
    'a comma too few',
    TEXT.replace('-31" },\n    { "file"', '-31" }\n    { "file"'),
    'kb-baseline.json:5: the baseline is not valid JSON: Expected',
  ],
  ['an end that is missing', TEXT.slice(0, -6), 'kb-baseline.json:11: the baseline is not valid JSON: '],
  ['nothing in it', '', 'kb-baseline.json:1: the baseline is not valid JSON: Unexpected end of JSON input'],
  ['something behind its end', `${TEXT}x`, 'kb-baseline.json:14: the baseline is not valid JSON: Unexpected'],
  [
    'another file in its place',
    '{ "name": "x" }',
    'kb-baseline.json:1: the file is not a baseline of kb report: it has no `version`.',
  ],
  [
    'a list in its place',
    '[]',
    'kb-baseline.json:1: the file is not a baseline of kb report: it has no `version`.',
  ],
  [
    'an unknown member',
    TEXT.replace('"title"', '"titel"'),
    'kb-baseline.json:6: the baseline is damaged (overdue[2]): Unrecognized key: "titel".',
  ],
  [
    'an unknown list',
    TEXT.replace('\n}\n', ',\n  "more": []\n}\n'),
    'kb-baseline.json:13: the baseline is damaged: Unrecognized key: "more".',
  ],
  [
    'an entry about nobody',
    TEXT.replace('"id": "9", ', ''),
    'kb-baseline.json:6: the baseline is damaged (overdue[2]): an entry must have the `file` or the `id` of its article.',
  ],
  [
    'a date that is none',
    TEXT.replace('2025-02-01', '2025-02-30'),
    'kb-baseline.json:5: the baseline is damaged (overdue[1].date): a date must have the form YYYY-MM-DD.',
  ],
  [
    'a link without address',
    TEXT.replace(', "url": "https://a.example/"', ''),
    'kb-baseline.json:9: the baseline is damaged (broken[0].url): Invalid input',
  ],
  [
    'a list that is missing',
    '{\n  "version": 1,\n  "overdue": []\n}',
    'kb-baseline.json:1: the baseline is damaged (broken): Invalid input',
  ],
])('%s is an error that names file and line', async (_, text, message) => {
  expect(await failureOf(text)).toEqual({
    code: 'BASELINE_INVALID',
    message: expect.stringContaining(message) as unknown,
    hint: FIX,
  })
})

test('a file of a later version is not interpreted', async () => {
  expect(await failureOf(TEXT.replace('"version": 1', '"version": 2'))).toEqual({
    code: 'BASELINE_INVALID',
    message: 'kb-baseline.json:2: the baseline has version 2, and this kb-sync reads version 1.',
    hint: 'Use the kb-sync that wrote it, or write a new one with --write-baseline.',
  })
})
