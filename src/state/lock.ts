import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { KbError, reasonOf } from '../errors/kb-error.ts'

interface Owner {
  readonly pid: number
  readonly host: string
  readonly since: string
}

/** How long the lock of a process on another host counts, if it shares this folder. */
const EXPIRES_MS = 3_600_000

/**
 * Takes the lock on one target's state and returns the function that gives it back. The lock of a dead process of this
 * host is taken over at once.
 *
 * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
 */
export function takeLock(file: string, now: Date): () => void {
  const owner: Owner = { pid: process.pid, host: hostname(), since: now.toISOString() }
  // A second try follows only after the lock of a dead owner was removed.
  for (const mayRetry of [true, false]) {
    try {
      writeFileSync(file, JSON.stringify(owner), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!isExists(error)) throw unwritable(file, error)
      const holder = readOwner(file)
      if (!mayRetry || (holder !== undefined && isAlive(holder, now))) throw locked(holder, file)
      rmSync(file, { force: true })
    }
  }
  throw locked(undefined, file)
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function isAlive({ pid, host, since }: Owner, now: Date): boolean {
  if (host !== hostname()) return now.getTime() - Date.parse(since) < EXPIRES_MS
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isExists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function locked(holder: Owner | undefined, file: string): KbError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
  return new KbError('LOCKED', `${who} is syncing this project. Nothing was sent.`, {
    hint: `Wait until it is through. If no kb is running, remove ${file}.`,
  })
}

function unwritable(file: string, error: unknown): KbError {
  return new KbError(
    'WORKSPACE_UNWRITABLE',
    `The lock ${file} cannot be written: ${reasonOf(error)}. Nothing was sent.`,
    {
      hint: 'Make the .kb folder writable.',
      cause: error,
    },
  )
}
