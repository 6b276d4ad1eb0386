// The system rejects writes to .kb: nothing is sent that could not be recorded, and sent articles are recognised.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOfSync } from '../../src/cli/results/exit-code.ts'
import { workspaceOf, stateFiles } from '../../src/sync/state/workspace.ts'
import { AFTER, BEFORE, DROPPED, WANTED } from '../support/changes.ts'
import { heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import {
  BINARY,
  configFile,
  createProject,
  type Files,
  manyArticles,
  startCommand,
} from '../support/project.ts'
import { SERVICE_KEY, type ServiceHabits, startStrictService } from '../support/strict-service.ts'

const ALL = { prune: true, yes: true }

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
]

async function startChanged(habits: ServiceHabits) {
  const { service, checkout } = await startSyncedInMemory(habits, BEFORE)
  checkout.write(AFTER)
  checkout.remove(DROPPED)
  const workspace = workspaceOf(checkout.root)
  const { settings } = checkout
  return { service, checkout, files: stateFiles(settings.target, settings, workspace) }
}

test.each(HABITS)('no room for the journal, on a service that %s: nothing is sent', async (_, habits) => {
  const { service, checkout, files } = await startChanged(habits)
  const before = service.articles()
  // There is nothing to read, and nothing can be created there.
  mkdirSync(dirname(files.journal), { recursive: true })
  symlinkSync(checkout.path('no/such/folder/file'), files.journal)
  const result = await checkout.sync(ALL)
  expect([service.articles(), writesTo(service)]).toEqual([before, []])
  expect(result.failure).toMatchObject({ code: 'WORKSPACE_UNWRITABLE' })
  expect(result.failure?.message).toMatch(
    /^The journal .+ could not be written: .+\. Nothing more was sent\.$/,
  )
  expect(exitCodeOfSync(result, 'fail')).toBe(1)

  rmSync(files.journal, { force: true })
  expect((await checkout.sync(ALL)).failure).toBeUndefined()
  expect(heldBy(service)).toEqual(WANTED)
})

test.each(HABITS)(
  'no room for the state, on a service that %s: sent articles are recognised',
  async (_, habits) => {
    const { service, checkout, files } = await startChanged(habits)
    rmSync(files.state)
    mkdirSync(files.state)
    const result = await checkout.sync(ALL)
    expect(heldBy(service)).toEqual(WANTED)
    expect(result.failure).toMatchObject({ code: 'WORKSPACE_UNWRITABLE' })
    expect(result.failure?.message).toMatch(
      /^The state could not be written to .+\. The changes that were sent are on the target\.$/,
    )
    expect(exitCodeOfSync(result, 'fail')).toBe(1)

    rmSync(files.state, { recursive: true })
    service.forget()
    expect((await checkout.sync(ALL)).failure).toBeUndefined()
    expect([heldBy(service), writesTo(service)]).toEqual([WANTED, []])
  },
)

const COUNT = 120
const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo', sync: { settle: '100ms' } }),
  ...manyArticles(COUNT),
}

test('if space runs out during a run, it stops, and the next one does the rest', async () => {
  const service = await startStrictService()
  const project = createProject(FILES)
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
  // Everything is rendered first, so that the journal is the first file that grows.
  expect((await project.run(['plan', '--json'], { env })).code).toBe(0)
  const limited = `ulimit -f 40; exec "$0" "$@"`
  const args = ['-c', limited, process.execPath, BINARY, 'sync', '--json']
  const stopped = await startCommand('bash', args, { cwd: project.root, env }).ended
  expect([stopped.code, stopped.json]).toMatchObject([1, { error: { code: 'WORKSPACE_UNWRITABLE' } }])
  const sent = service.articles().length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(COUNT)

  const next = await project.run(['sync', '--json'], { env })
  expect([next.code, next.json]).toMatchObject([0, { summary: { failed: 0 } }])
  expect(new Set(service.articles().map(({ slug }) => slug)).size).toBe(COUNT)
  expect(service.articles()).toHaveLength(COUNT)
  const last = await project.run(['sync', '--json'], { env })
  expect(last.json).toMatchObject({ summary: { unchanged: COUNT }, operations: [] })
})
