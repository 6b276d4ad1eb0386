import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TargetSettings } from '../../../../src/core/config/settings.ts'
import {
  historyFile,
  readHistory,
  writeHistory,
} from '../../../../src/inspect/report/history/keep-history.ts'
import type { KeptPoint } from '../../../../src/inspect/report/history/compare-with-last.ts'
import { takeLock } from '../../../../src/sync/state/lock.ts'
import { workspaceOf } from '../../../../src/sync/state/workspace.ts'
import { temporaryFolder } from '../../../support/folder.ts'

const NOTHING = { points: [], last: undefined }
const point = (at: string): KeptPoint => ({
  asked: 'digest',
  at,
  overdue: 1,
  due: 2,
  broken: 3,
  unowned: 4,
  outdatedTranslations: 5,
})
const FIRST = point('2026-03-01T10:00:00.000Z')
const SECOND = point('2026-03-02T10:00:00.000Z')

const article = {
  id: '1',
  file: 'content/a.md',
  title: 'A',
  owners: [{ name: 'Ada Smith', email: 'ada@example.com' }],
}
const foreign = { id: '2', file: undefined, title: 'Pricing "2" \u2028' }
const findings = {
  overdue: { total: 2, entries: [article, foreign] },
  broken: { total: 9, entries: [{ article, url: 'https://a.example/?a&b' }] },
}

function openPlace() {
  const workspace = workspaceOf(temporaryFolder())
  const file = join(workspace.historyFolder, 'target.json')
  return { workspace, file, now: () => new Date(), sleep: (ms: number) => sleep(ms) }
}

test('the next report reads the findings of the last one', async () => {
  const place = openPlace()
  expect(await readHistory(place.file)).toEqual(NOTHING)
  expect(await writeHistory(place, { findings, point: FIRST })).toBeUndefined()
  const plain = { id: '1', file: 'content/a.md', title: 'A' }
  expect(await readHistory(place.file)).toEqual({
    points: [FIRST],
    last: {
      at: FIRST.at,
      overdue: { total: 2, entries: [plain, { id: '2', title: foreign.title }] },
      broken: { total: 9, entries: [{ article: plain, url: 'https://a.example/?a&b' }] },
    },
  })
})

test('nothing about people is stored', async () => {
  const place = openPlace()
  await writeHistory(place, { findings, point: FIRST })
  expect(readFileSync(place.file, 'utf8')).not.toMatch(/ada|smith/i)
})

test('git ignores the folder, and no incomplete file stays', async () => {
  const place = openPlace()
  await writeHistory(place, { findings, point: FIRST })
  expect(readFileSync(join(place.workspace.folder, '.gitignore'), 'utf8')).toBe('*\n')
  expect(readdirSync(place.workspace.historyFolder)).toEqual(['target.json'])
})

test('a report that begins earlier and ends later is sorted among the others', async () => {
  const place = openPlace()
  await writeHistory(place, { findings, point: SECOND })
  await writeHistory(place, { findings, point: FIRST })
  const { points, last } = await readHistory(place.file)
  expect([points, last?.at]).toEqual([[FIRST, SECOND], FIRST.at])
})

test('concurrent reports are all in the history, and none waits for a dead process', async () => {
  const place = openPlace()
  mkdirSync(place.workspace.historyFolder, { recursive: true })
  const dead = { pid: 2 ** 22 + 1, host: hostname(), since: new Date().toISOString() }
  writeFileSync(`${place.file}.lock`, JSON.stringify(dead))
  const all = Array.from({ length: 8 }, (_, index) => point(`2026-03-0${index + 1}T10:00:00.000Z`))
  expect(await Promise.all(all.map((each) => writeHistory(place, { findings, point: each })))).toEqual(
    all.map(() => undefined),
  )
  expect((await readHistory(place.file)).points).toEqual(all)
  expect(readdirSync(place.workspace.historyFolder)).toEqual(['target.json'])
})

test('a report that waits too long for another one writes anyway', async () => {
  const place = { ...openPlace(), sleep: () => Promise.resolve() }
  mkdirSync(place.workspace.historyFolder, { recursive: true })
  takeLock(`${place.file}.lock`, new Date())
  expect(await writeHistory(place, { findings, point: FIRST })).toBeUndefined()
  expect((await readHistory(place.file)).points).toEqual([FIRST])
})

test('a bug of the report is not treated as a disk error', async () => {
  const huge = { ...FIRST, overdue: 1n } as unknown as typeof FIRST
  await expect(writeHistory(openPlace(), { findings, point: huge })).rejects.toThrow('BigInt')
})

const known = { version: 1, points: [FIRST], last: { at: FIRST.at, overdue: empty(), broken: empty() } }

function empty() {
  return { total: 0, entries: [] }
}

test.each<[string, string]>([
  ['nothing', ''],
  ['no JSON', '{"version": 1'],
  ['no object', '[]'],
  ['null', 'null'],
  ['another version', JSON.stringify({ ...known, version: 2 })],
  ['a number that is none', JSON.stringify({ ...known, points: [{ ...FIRST, overdue: '1' }] })],
  ['a moment that is none', JSON.stringify({ ...known, points: [{ ...FIRST, at: 'yesterday' }] })],
  [
    'findings that are none',
    JSON.stringify({ ...known, last: { at: FIRST.at, overdue: [], broken: empty() } }),
  ],
])('a file with %s is not a history, and is written again', async (_, text) => {
  const place = openPlace()
  mkdirSync(dirname(place.file), { recursive: true })
  writeFileSync(place.file, JSON.stringify(known))
  expect((await readHistory(place.file)).points).toEqual([FIRST])
  writeFileSync(place.file, text)
  expect(await readHistory(place.file)).toEqual(NOTHING)
  expect(await writeHistory(place, { findings, point: SECOND })).toBeUndefined()
  expect((await readHistory(place.file)).points).toEqual([SECOND])
})

test('if nothing can be stored, the report says so and continues', async () => {
  const place = openPlace()
  mkdirSync(place.workspace.folder, { recursive: true })
  writeFileSync(place.workspace.historyFolder, 'a file where the folder belongs')
  expect(await writeHistory(place, { findings, point: FIRST })).toBe(
    'The results of this report could not be stored in .kb/history: file already exists.',
  )
  expect(existsSync(place.file)).toBe(false)
})

test('each target of each project has its own history, whatever its key', () => {
  const workspace = workspaceOf('/project')
  const server = { db: '/project/.kb/kb.db' } as Parameters<typeof historyFile>[1]['server']
  const remote = (name: string, url: string, apiKey = 'key'): TargetSettings => ({
    kind: 'remote',
    name,
    url,
    apiKey,
    allowHttp: undefined,
  })
  const fileOf = (target: TargetSettings, project = 'docs') =>
    historyFile(target, { project, server }, workspace)
  const here = fileOf(remote('prod', 'https://help.example.com'))
  const others = [
    fileOf(remote('Prod', 'https://help.example.com')),
    fileOf(remote('prod', 'https://help.example.com/b')),
    fileOf(remote('prod', 'https://help.example.com'), 'other'),
    fileOf(remote('https://help.example.com/../../x', 'https://help.example.com/../../x')),
    fileOf({ kind: 'builtin', name: 'builtin' }),
  ]
  expect(new Set([here, ...others].map((file) => file.toLowerCase())).size).toBe(6)
  expect(fileOf(remote('prod', 'https://help.example.com', 'another key'))).toBe(here)
  expect([here, ...others].map((file) => dirname(file))).toEqual(Array(6).fill('/project/.kb/history'))
  const secret = 'https://ada:secret@help.example.com'
  expect(fileOf(remote(secret, secret))).toMatch(/\/help\.example\.com-[0-9a-f]{12}\.json$/)
  expect(here).toMatch(/\/prod-[0-9a-f]{12}\.json$/)
})
