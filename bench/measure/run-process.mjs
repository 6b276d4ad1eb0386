import { spawnSync } from 'node:child_process'
import { cleanEnvironment } from '../kb.mjs'

// The last line of `times` is that of the children.
const WITH_TIMES = '"$@"; status=$?; times; exit $status'

function readCpu(stdout) {
  const times = stdout
    .trimEnd()
    .split('\n')
    .at(-1)
    .matchAll(/(\d+)m([\d.]+)s/g)
  return [...times].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  )
}

/**
 * Runs a whole process.
 *
 * @returns milliseconds from start to exit, and what it printed; with `measuresCpu` also those of the CPU, by a shell
 * @throws when it fails: a failed run has no time
 */
export function runProcess(command, args, { cwd, env = {}, measuresCpu = false } = {}) {
  const started = performance.now()
  const [file, ...given] = measuresCpu ? ['sh', '-c', WITH_TIMES, 'sh', command, ...args] : [command, ...args]
  const { status, stdout, stderr, error } = spawnSync(file, given, {
    cwd,
    env: cleanEnvironment(env),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ms = performance.now() - started
  if (status === 0) return { ms, stdout, ...(measuresCpu && { cpuMs: readCpu(stdout) }) }
  throw new Error(
    `${command} ${args.join(' ')} failed: ${error?.message ?? ''}${stderr?.slice(-2000)}${stdout?.slice(-2000)}`,
  )
}

/** The same for a Node script. */
export function runNode(args, options) {
  return runProcess(process.execPath, args, options)
}
