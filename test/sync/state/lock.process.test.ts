import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeLock } from '../../../src/sync/state/lock.ts'
import { temporaryFolder } from '../../support/folder.ts'

const NOW = new Date()
const HOUR_MS = 3_600_000

function lockFile(owner?: unknown): string {
  const file = join(temporaryFolder(), 'target.lock')
  if (owner !== undefined) writeFileSync(file, typeof owner === 'string' ? owner : JSON.stringify(owner))
  return file
}

const isTaken = (file: string) =>
  expect.objectContaining({
    code: 'LOCKED',
    exitCode: 1,
    message: expect.stringMatching(
      /^Process \d+ on .* is syncing this project\. Nothing was sent\.$/,
    ) as string,
    hint: `Wait until it is finished. If no kb is running, delete ${file}.`,
  }) as Error

/** The pid of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '0']).pid

describe('a lock', () => {
  test('is held by one process at a time, names its owner, and leaves no files', () => {
    const file = lockFile()
    const release = takeLock(file, NOW)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: process.pid,
      host: hostname(),
      since: NOW.toISOString(),
    })
    expect(() => takeLock(file, NOW)).toThrow(isTaken(file))
    expect(readdirSync(join(file, '..'))).toEqual(['target.lock'])
    release()
    expect(readdirSync(join(file, '..'))).toEqual([])
    takeLock(file, NOW)()
  })

  test('that was released twice, or taken over since, stays with its owner', () => {
    const file = lockFile()
    const release = takeLock(file, NOW)
    const other = JSON.stringify({ pid: process.ppid, host: hostname(), since: NOW.toISOString() })
    writeFileSync(file, other)
    release()
    expect(readFileSync(file, 'utf8')).toBe(other)
  })

  test.each<[string, () => unknown]>([
    [
      'of a dead process of this host',
      () => ({ pid: deadPid(), host: hostname(), since: NOW.toISOString() }),
    ],
    [
      'of a process that had our number before us',
      () => ({
        pid: process.pid,
        host: hostname(),
        since: new Date(performance.timeOrigin - 1000).toISOString(),
      }),
    ],
    [
      'of another host, an hour old',
      () => ({ pid: 1, host: 'other', since: new Date(NOW.getTime() - HOUR_MS).toISOString() }),
    ],
    ['that is empty', () => ''],
    ['that is damaged', () => '{"pid":'],
    ['that names nobody', () => 'null'],
    ['that names everybody', () => ({ pid: 0, host: hostname(), since: NOW.toISOString() })],
  ])('%s is taken over at once', (_, owner) => {
    const file = lockFile(owner())
    const release = takeLock(file, NOW)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
    expect(readdirSync(join(file, '..'))).toEqual(['target.lock'])
    release()
  })

  test.each<[string, () => unknown]>([
    [
      'of a living process of this host',
      () => ({ pid: process.ppid, host: hostname(), since: '2020-01-01T00:00:00.000Z' }),
    ],
    [
      'of another host, younger than an hour',
      () => ({ pid: deadPid(), host: 'other', since: new Date(NOW.getTime() - HOUR_MS + 1).toISOString() }),
    ],
  ])('%s is respected', (_, owner) => {
    const file = lockFile(owner())
    const before = readFileSync(file, 'utf8')
    expect(() => takeLock(file, NOW)).toThrow(isTaken(file))
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('in a missing folder is an error', () => {
    expect(() => takeLock(join(temporaryFolder(), 'no', 'target.lock'), NOW)).toThrow(
      expect.objectContaining({
        code: 'WORKSPACE_UNWRITABLE',
        hint: 'Make the .kb folder and its contents writable for this user, and run the command again.',
      }) as Error,
    )
  })
})
