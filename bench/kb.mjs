// The program under test: the built binary, run as its users run it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const PROJECT_ROOT = join(import.meta.dirname, '..')

export const BINARY = join(PROJECT_ROOT, 'dist', 'cli', 'bin.js')

/** The built-in database of the project in `root`. */
export function databaseOf(root) {
  return join(root, '.kb', 'kb.db')
}

export function assertBuilt() {
  if (!existsSync(BINARY)) throw new Error('dist/ is missing: run "npm run build" first')
}

/** The environment without what would send a run to another target. */
export function cleanEnvironment(added = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('KB_'))
  return { ...Object.fromEntries(kept), ...added }
}

/** The diagnostics of `kb check` on the project in `root`. */
export function readCheck(root) {
  const { stdout, stderr } = spawnSync(process.execPath, [BINARY, 'check', '--json', '--cwd', root], {
    env: cleanEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  const diagnostics = parse(stdout)?.diagnostics
  if (diagnostics === undefined) throw new Error(`kb check failed: ${stdout.slice(0, 500)}${stderr}`)
  return diagnostics
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
