// Which configurations have passed validation before. Disposable: without it, validation runs again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const fileOf = (root: string) => join(root, '.kb', 'cache', 'validated-config')

/** Whether the configuration with this identity has passed validation on this machine. */
export function isAlreadyValidated(root: string, identity: string): boolean {
  try {
    return readFileSync(fileOf(root), 'utf8') === identity
  } catch {
    return false
  }
}

/** Remembers the last valid configuration where the cache folder exists already; nothing is created for it. */
export function rememberValidated(root: string, identity: string): void {
  try {
    mkdirSync(dirname(fileOf(root)))
  } catch {
    // It exists, or .kb does not: the next line decides.
  }
  try {
    writeFileSync(fileOf(root), identity)
  } catch {
    // No .kb folder yet, or not writable: validation runs again the next time.
  }
}
