import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'

/** Many tests run the built program: it is built once, before any of them, where the sources have changed. */
export function setup(project: TestProject): void {
  // vitest.config.ts says it once, and every kind of tests inherits it from there.
  if (!project.isRootProject()) return
  // What tests before have bundled for their processes.
  rmSync('.kb/test-scripts', { recursive: true, force: true })
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { stdio: 'inherit' })
}
