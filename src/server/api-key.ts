import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { KbError, reasonOf } from '../core/errors/kb-error.ts'
import { tryTo } from '../core/try-to.ts'

/** Returns the stored form of a key: SHA-256, hex. Keys have enough entropy to need no salt or key stretching. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Minimum length of a key that cannot be found by guessing. */
export const SHORTEST_KEY = 16

/** True if a key is short enough to be guessed. Keys that the server creates never are. */
export function isGuessable(key: string): boolean {
  return key.length < SHORTEST_KEY
}

/** Returns the id of a key in lists and logs: the first digits of its hash. */
export function keyIdOf(keyHash: string): string {
  return keyHash.slice(0, 12)
}

/**
 * Creates a key of 256 random bits.
 *
 * @param siteId is part of the key, so that a load balancer can choose a server by it
 */
export function createApiKey(siteId?: string): string {
  const site = siteId === undefined ? '' : `${siteId.replaceAll('-', '')}_`
  return `kb_${site}${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the API key in `file`. If there is none, writes a new one that only its owner can read. Two processes that
 * start at the same time get the same key.
 *
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export function loadOrCreateApiKey(file: string): { readonly key: string; readonly created: boolean } {
  const present = readKey(file)
  if (present !== undefined) return { key: present, created: false }
  const key = createApiKey()
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return { key, created: true }
  } catch (error) {
    const madeMeanwhile = readKey(file)
    if (madeMeanwhile !== undefined) return { key: madeMeanwhile, created: false }
    throw new KbError(
      'WORKSPACE_UNWRITABLE',
      `The API key could not be stored in ${file}: ${reasonOf(error)}.`,
      {
        hint: 'Make the folder writable, remove an empty key file, or pass a key in KB_API_KEY.',
        cause: error,
      },
    )
  }
}

/**
 * Replaces the key in `file`. A running server uses the new key from the next request on.
 *
 * @throws KbError WORKSPACE_UNWRITABLE: the old key is still valid
 */
export function rotateApiKey(file: string): string {
  const key = createApiKey()
  const beside = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(beside, `${key}\n`, { mode: 0o600, flush: true })
    renameSync(beside, file)
    return key
  } catch (error) {
    rmSync(beside, { force: true })
    throw new KbError(
      'WORKSPACE_UNWRITABLE',
      `The API key could not be stored in ${file}: ${reasonOf(error)}. The old key is still valid.`,
      { hint: 'Make the folder writable.', cause: error },
    )
  }
}

/** File systems may give two changes within this time the same time stamp. */
const SETTLED_MS = 2000

/** Returns a function that returns the current key in `file`, or undefined. It reads the file again after a change. */
export function watchApiKey(file: string): () => string | undefined {
  let seen: string | undefined
  let key: string | undefined
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false })
    const stamp = stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
    if (stamp === undefined || stamp !== seen) {
      key = readKey(file)
      seen = stats && Date.now() - stats.ctimeMs > SETTLED_MS ? stamp : undefined
    }
    return key
  }
}

function readKey(file: string): string | undefined {
  return tryTo(() => readFileSync(file, 'utf8').trim() || undefined)
}
