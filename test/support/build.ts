import { execFileSync } from 'node:child_process'

/** Many tests run the built program: it is built once, before any of them, where the sources have changed. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { stdio: 'inherit' })
}
