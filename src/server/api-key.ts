import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { KbError, reasonOf } from '../errors/kb-error.ts'

/** The form in which a server keeps a key: SHA-256, hex. A key has the entropy that makes salt and stretching idle. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Fewest characters of a key that cannot be guessed. */
export const SHORTEST_KEY = 16

/** Whether a key is so short that it may be found by trying; those that the server makes are not. */
export function isGuessable(key: string): boolean {
  return key.length < SHORTEST_KEY
}

/** What names a key where it must not be shown, such as in lists and logs: the beginning of its hash. */
export function keyIdOf(keyHash: string): string {
  return keyHash.slice(0, 12)
}

/** A new key: 256 random bits. */
export function createApiKey(): string {
  return `kb_${randomBytes(32).toString('base64url')}`
}

/**
 * The API key in `file`; made there, readable by its owner only, where there is none. Two processes that start at once
 * end up with the same key.
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
      `The API key could not be kept in ${file}: ${reasonOf(error)}.`,
      {
        hint: 'Make the folder writable, remove an empty key file, or pass a key in KB_API_KEY.',
        cause: error,
      },
    )
  }
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
