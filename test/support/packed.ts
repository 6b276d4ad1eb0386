// What npm would publish, packed once for all sites of a run, from the dist/ that is there.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the packed file. */
    readonly packed: string
  }
}

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** `KB_PACKED` names a file that was packed before, to be tried as it is. */
export function setup(project: TestProject): (() => void) | undefined {
  const given = process.env['KB_PACKED']
  if (given !== undefined) {
    project.provide('packed', resolve(given))
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'kb-packed-'))
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: REPOSITORY, encoding: 'utf8' })) as {
    filename: string
  }[]
  project.provide('packed', join(folder, packed?.filename ?? ''))
  return () => rmSync(folder, { recursive: true })
}
