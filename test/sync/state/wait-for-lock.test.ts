import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeLock, waitForLock } from '../../../src/sync/state/lock.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { article, configFile, createProject } from '../../support/project.ts'
import { syncInProcess } from '../../support/sync-in-process.ts'

const now = () => new Date()

function lockOf(pid: number, host = hostname()): string {
  const file = join(temporaryFolder(), 'target.lock')
  writeFileSync(file, JSON.stringify({ pid, host, since: now().toISOString() }))
  return file
}

/** Counts the pauses, and calls `onPause` in each. */
function pauses(onPause: (count: number) => void = () => undefined) {
  let count = 0
  const sleep = () => {
    onPause(++count)
    return Promise.resolve()
  }
  return { sleep, count: () => count }
}

test('another process on this machine is waited for', async () => {
  const file = lockOf(process.ppid)
  const { sleep, count } = pauses((at) => at === 3 && rmSync(file))
  const { unlock, hasWaited } = await waitForLock(file, { now, sleep })
  expect([hasWaited, count()]).toEqual([true, 3])
  unlock()
  expect((await waitForLock(file, { now, sleep })).hasWaited).toBe(false)
})

test('but only for three seconds', async () => {
  const { sleep, count } = pauses()
  await expect(waitForLock(lockOf(process.ppid), { now, sleep })).rejects.toMatchObject({ code: 'LOCKED' })
  expect(count()).toBe(60)
})

test('another machine, and another run of this process, are not', async () => {
  const { sleep, count } = pauses()
  const far = waitForLock(lockOf(1, 'elsewhere'), { now, sleep })
  await expect(far).rejects.toMatchObject({ code: 'LOCKED' })
  const file = join(temporaryFolder(), 'target.lock')
  takeLock(file, now())
  await expect(waitForLock(file, { now, sleep })).rejects.toMatchObject({ code: 'LOCKED' })
  expect(count()).toBe(0)
})

test('a run whose session cannot be opened leaves no lock', async () => {
  const { root } = createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/a.md': article('A'),
  })
  const fail = () => Promise.reject(new Error('no thread'))
  const connect = Object.assign(fail, { prepare: () => fail })
  for (const _ of ['first', 'second'])
    await expect(syncInProcess(root, { connect })).rejects.toThrow('no thread')
})
