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
import { digest } from '../../core/digest.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { errorCodeOf } from '../../core/error-code.ts'
import { workspaceUnwritable } from './workspace.ts'

interface LockOwner {
  readonly pid: number
  readonly host: string
  readonly since: string
}

/** Lifetime of a lock of a process on another host that shares this folder. */
const EXPIRES_MS = 3_600_000

/**
 * Takes the lock on the state of a target and returns a function that releases it. Replaces the lock of a dead process
 * on this host at once.
 *
 * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
 */
export function takeLock(file: string, now: Date): () => void {
  const owner: LockOwner = { pid: process.pid, host: hostname(), since: now.toISOString() }
  const mine = `${file}.${randomUUID()}`
  try {
    // Written to a temporary file and then linked, so that no process reads an incomplete lock.
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
    // The pending error contains the reason.
  }
}

/** The content of a lock file; `stale` if its owner is dead, expired or unknown. */
export type LockStatus =
  | { readonly kind: 'free' }
  | { readonly kind: 'held' | 'stale'; readonly owner: LockOwner | undefined }

/** Reads a lock without changing it. */
export function inspectLock(file: string, now: Date): LockStatus {
  if (!existsSync(file)) return { kind: 'free' }
  const owner = readOwner(file)
  return { kind: owner !== undefined && isAlive(owner, now) ? 'held' : 'stale', owner }
}

function linkOrTakeOver(mine: string, file: string, now: Date): void {
  // The second attempt follows the removal of a dead owner's lock.
  for (const mayRetry of [true, false]) {
    try {
      return place(mine, file)
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error
      const holder = readOwner(file)
      if (!mayRetry || (holder !== undefined && isAlive(holder, now))) throw locked(holder, file)
      removeDead(file, holder)
    }
  }
}

/** @throws an error with the code EEXIST if there is a lock */
function place(mine: string, file: string): void {
  try {
    linkSync(mine, file)
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw error
    // Some file systems do not support links.
    copyFileSync(mine, file, constants.COPYFILE_EXCL)
  }
}

/** Renames the lock before it is removed, because another process may have replaced it since it was read. */
function removeDead(file: string, dead: LockOwner | undefined): void {
  const moved = `${file}.${randomUUID()}`
  try {
    renameSync(file, moved)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return
    throw error
  }
  const found = readOwner(moved)
  try {
    if (!isSame(found, dead)) place(moved, file)
  } catch (error) {
    // A third process has taken the lock, which the next attempt reports.
    if (errorCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(moved, { force: true })
  }
}

/** Removes the lock only if it is still ours: another process may have replaced an expired one. */
function release(file: string, owner: LockOwner): void {
  if (isSame(readOwner(file), owner)) rmSync(file, { force: true })
}

function readOwner<More = object>(file: string): (LockOwner & Partial<More>) | undefined {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as LockOwner & Partial<More>
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : undefined
  } catch {
    return undefined
  }
}

function isSame(one: LockOwner | undefined, other: LockOwner | undefined): boolean {
  return one?.pid === other?.pid && one?.host === other?.host && one?.since === other?.since
}

function isAlive({ pid, host, since }: LockOwner, now: Date): boolean {
  if (host !== hostname()) return now.getTime() - Date.parse(since) < EXPIRES_MS
  // In a restarted container, this process may have the pid of the owner. A lock that is older than the process is not
  // its own.
  if (pid === process.pid) return Date.parse(since) >= Math.floor(performance.timeOrigin)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCodeOf(error) === 'EPERM'
  }
}

function locked(holder: LockOwner | undefined, file: string): KbError {
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
  return new KbError('LOCKED', `${who} is syncing this project. Nothing was sent.`, {
    hint: `Wait until it is finished. If no kb is running, delete ${file}.`,
  })
}

function unwritable(file: string, error: unknown): KbError {
  return workspaceUnwritable(`The lock ${file} cannot be written`, error, 'Nothing was sent.')
}

/** How long to wait for a watch, which holds the lock for a moment with each save. */
const WAIT_MS = 3000
const PAUSE_MS = 50

/**
 * Like `takeLock`, but waits some seconds for a lock of another process on this host. Data that was read before may be
 * out of date afterwards.
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

/** True if waiting makes sense: a run in this same process does not end soon. */
function isOfNeighbour(file: string, now: Date): boolean {
  const status = inspectLock(file, now)
  if (status.kind !== 'held') return true
  return status.owner?.host === hostname() && status.owner.pid !== process.pid
}

/** A server that shows pages. */
interface Serving {
  readonly url: string
  readonly db: string
}

/**
 * Records for other commands that this process shows the pages of a database, and returns a function that removes the
 * record. If it cannot be written, other commands only know less.
 */
export function noteServing(file: string, { url, db }: Serving, now: Date): () => void {
  const owner: LockOwner = { pid: process.pid, host: hostname(), since: now.toISOString() }
  try {
    // The URL of a database may contain a password.
    writeFileSync(file, JSON.stringify({ ...owner, url, db: digest(db) }))
  } catch {
    return () => undefined
  }
  return () => release(file, owner)
}

/** Returns the URL of the pages of a database, if a server shows them. */
export function findServing(file: string, db: string, now: Date): string | undefined {
  const noted = readOwner<Serving>(file)
  return noted?.db === digest(db) && isAlive(noted, now) ? noted.url : undefined
}
