import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { BINARY, cleanEnvironment } from '../kb.mjs'

const REPORTER = new URL('report-usage.mjs', import.meta.url).href

/**
 * Starts `kb watch` on the project in `root` and resolves when it is ready.
 *
 * @returns the address of its pages; `next`, which waits for an event that it had not told when it was called; `usage`
 */
export async function startWatch(root, scratch) {
  const usageFile = join(scratch, 'usage.json')
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', REPORTER, BINARY, 'watch', '--json', '--port', '0', '--cwd', root],
    { env: cleanEnvironment({ BENCH_USAGE_FILE: usageFile }), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const events = listen(child)
  const { pages } = await events.next(({ event }) => event === 'started')
  await events.next(({ event }) => event === 'ready')
  return {
    pages,
    next: events.next,
    /** Heap and whole memory in MiB, processor time in ms. */
    async usage() {
      rmSync(usageFile, { force: true })
      child.kill('SIGUSR2')
      while (!existsSync(usageFile)) await sleep(5)
      const { heapUsed, rss, before, after } = JSON.parse(readFileSync(usageFile, 'utf8'))
      return { heapMiB: heapUsed / 1024 ** 2, rssMiB: rss / 1024 ** 2, before, after }
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

/** Waits for events of a process that prints one JSON object per line. */
function listen(child) {
  let waiting = []
  createInterface(child.stdout).on('line', (line) => {
    const event = JSON.parse(line)
    waiting = waiting.filter(({ matches, resolve }) => !matches(event) || resolve(event))
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`kb watch ended with ${code}`)
  })
  ended.catch(() => undefined)
  return {
    next: (matches) => Promise.race([new Promise((resolve) => waiting.push({ matches, resolve })), ended]),
  }
}
