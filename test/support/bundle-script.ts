// TypeScript files of the tests that run as processes of their own, as JavaScript with all they import: a process loads
// that in a quarter of a second, where it would otherwise translate some hundred files first.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const TESTS = fileURLToPath(new URL('../', import.meta.url))

/** In this package, where its own files and its dependencies are found, and out of the way of git and npm. */
const FOLDER = fileURLToPath(new URL('../../.kb/test-scripts/', import.meta.url))

/** They share most of what they import, so all of them take hardly longer than one. */
const SCRIPTS = [
  'e2e/keep-target-open.ts',
  'web/dashboard/summary/summarize-many.ts',
  'server/copy-until-killed.ts',
  'server/create-until-killed.ts',
  'server/links/check-until-killed.ts',
  'server/links/open-and-leave.ts',
  'server/migrate-until-stopped.ts',
  'server/restore-once.ts',
  'server/write-until-killed.ts',
  'service/serve-until-killed.ts',
].map((name) => join(TESTS, name))

/** Of this worker; the others have the same sources, and whoever is first writes the bundle of all. */
let bundled: Promise<string> | undefined

/** @returns path of the bundled script */
export async function bundleScript(file: string): Promise<string> {
  if (!SCRIPTS.includes(file)) throw new Error(`${file} is not in the list of scripts`)
  bundled ??= bundle(join(FOLDER, 'bundled'))
  return join(await bundled, `${basename(file, '.ts')}.mjs`)
}

async function bundle(folder: string): Promise<string> {
  if (existsSync(folder)) return folder
  // These load a binary that lies beside them.
  const scripts = await rolldown({ input: SCRIPTS, platform: 'node', external: ['libsql', 'satteri'] })
  const dir = join(FOLDER, String(process.pid))
  // Not .js: that is how the program knows that it was built.
  await scripts.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await scripts.close()
  try {
    renameSync(dir, folder)
  } catch (error) {
    // Another worker has been faster.
    if (!existsSync(folder)) throw error
    rmSync(dir, { recursive: true })
  }
  return folder
}
