import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { KbError, reasonOf, unwritableHint } from '../../core/errors/kb-error.ts'

interface LockOwner {
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
  const owner: LockOwner = { pid: process.pid, host: hostname(), since: now.toISOString() }
  const mine = `${file}.${randomUUID()}`
  try {
    // Written whole beside its place, then linked there: no other process ever reads half a lock.
    writeFileSync(mine, JSON.stringify(owner))
    linkOrTakeOver(mine, file, now)
  } catch (error) {
    throw error instanceof KbError ? error : unwritable(file, error)
  } finally {
    removeIfPossible(mine)
  }
  return () => release(file, owner)
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The reason is in the error that is on its way.
  }
}

/** What a lock file says; `stale` where its owner is dead, gone for long, or cannot be told. */
export type LockStatus =
  | { readonly kind: 'free' }
  | { readonly kind: 'held' | 'stale'; readonly owner: LockOwner | undefined }

/** Checks a lock and leaves it alone. */
export function inspectLock(file: string, now: Date): LockStatus {
  if (!existsSync(file)) return { kind: 'free' }
  const owner = readOwner(file)
  return { kind: owner !== undefined && isAlive(owner, now) ? 'held' : 'stale', owner }
}

function linkOrTakeOver(mine: string, file: string, now: Date): void {
  // A second try follows only after the lock of a dead owner was removed.
  for (const mayRetry of [true, false]) {
    try {
      return place(mine, file)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      const holder = readOwner(file)
      if (!mayRetry || (holder !== undefined && isAlive(holder, now))) throw locked(holder, file)
      removeDead(file, holder)
    }
  }
}

/** @throws with the code EEXIST where there is a lock already */
function place(mine: string, file: string): void {
  try {
    linkSync(mine, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    // Some file systems know no links.
    copyFileSync(mine, file, constants.COPYFILE_EXCL)
  }
}

/** Moves the lock away before it is removed: another process may have replaced the dead owner's since it was read. */
function removeDead(file: string, dead: LockOwner | undefined): void {
  const moved = `${file}.${randomUUID()}`
  try {
    renameSync(file, moved)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  const found = readOwner(moved)
  try {
    if (!isSame(found, dead)) place(moved, file)
  } catch (error) {
    // In the meantime a third process has taken it: the next try says so.
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(moved, { force: true })
  }
}

/** Gives back only what is still ours: a lock that expired may be another's by now. */
function release(file: string, owner: LockOwner): void {
  if (isSame(readOwner(file), owner)) rmSync(file, { force: true })
}

function readOwner(file: string): LockOwner | undefined {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, 'utf8')) as LockOwner
    return Number.isInteger(pid) && pid > 0 ? { pid, host, since } : undefined
  } catch {
    return undefined
  }
}

function isSame(one: LockOwner | undefined, other: LockOwner | undefined): boolean {
  return one?.pid === other?.pid && one?.host === other?.host && one?.since === other?.since
}

function isAlive({ pid, host, since }: LockOwner, now: Date): boolean {
  if (host !== hostname()) return now.getTime() - Date.parse(since) < EXPIRES_MS
  // In a restarted container the same number names another process, this one: a lock older than it is not its own.
  if (pid === process.pid) return Date.parse(since) >= Math.floor(performance.timeOrigin)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another user.
    return hasCode(error, 'EPERM')
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function locked(holder: LockOwner | undefined, file: string): KbError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
  return new KbError('LOCKED', `${who} is syncing this project. Nothing was sent.`, {
    hint: `Wait until it is finished. If no kb is running, delete ${file}.`,
  })
}

function unwritable(file: string, error: unknown): KbError {
  return new KbError(
    'WORKSPACE_UNWRITABLE',
    `The lock ${file} cannot be written: ${reasonOf(error)}. Nothing was sent.`,
    { hint: unwritableHint(error), cause: error },
  )
}

/** A watch holds the lock for a moment with each save. */
const WAIT_MS = 3000
const PAUSE_MS = 50

/**
 * Takes the lock as `takeLock` does; one that another process of this machine has is waited for, for some seconds: what
 * was read before may be out of date then.
 *
 * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
 */
export async function waitForLock(
  file: string,
  { now, sleep }: { readonly now: () => Date; readonly sleep: (ms: number) => Promise<void> },
): Promise<{ readonly unlock: () => void; readonly hasWaited: boolean }> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return { unlock: takeLock(file, now()), hasWaited: waitedMs > 0 }
    } catch (error) {
      const isLocked = error instanceof KbError && error.code === 'LOCKED'
      if (!isLocked || waitedMs >= WAIT_MS || !isOfNeighbour(file, now())) throw error
    }
    await sleep(PAUSE_MS)
  }
}

/** Another run of this very process is no moment's work: its caller may do something about it. */
function isOfNeighbour(file: string, now: Date): boolean {
  const status = inspectLock(file, now)
  if (status.kind !== 'held') return true
  return status.owner?.host === hostname() && status.owner.pid !== process.pid
}
