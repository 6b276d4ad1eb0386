import { execFileSync } from 'node:child_process'

/** The end-to-end tests run the built binary: build it once, before any of them, from the sources under test. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
