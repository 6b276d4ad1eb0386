import { spawnSync } from 'node:child_process'
import { cleanEnvironment } from '../kb.mjs'

/**
 * Runs a whole process.
 *
 * @returns milliseconds from start to exit, and what it printed
 * @throws when it fails: a failed run has no time
 */
export function runProcess(command, args, { cwd, env = {} } = {}) {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: cleanEnvironment(env),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ms = performance.now() - started
  if (status === 0) return { ms, stdout }
  throw new Error(
    `${command} ${args.join(' ')} failed: ${error?.message ?? ''}${stderr?.slice(-2000)}${stdout?.slice(-2000)}`,
  )
}

/** The same for a Node script. */
export function runNode(args, options) {
  return runProcess(process.execPath, args, options)
}
