import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { cleanEnvironment } from '../kb.mjs'

/**
 * Starts a Node server that prints `{"url":…}` as its first line.
 *
 * @param stderr where its messages go, as child_process.spawn names it
 */
export async function startServer(args, env = {}, stderr = 'inherit') {
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', stderr],
  })
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`node ${args.join(' ')} ended with ${code} before it listened`)
    }),
  ])
  return {
    url: JSON.parse(line).url,
    pid: child.pid,
    async stop() {
      // One that broke has ended already.
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
