import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { cleanEnvironment } from '../kb.mjs'

/** Starts a Node server that prints `{"url":…}` as its first line. */
export async function startServer(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`node ${args.join(' ')} ended with ${code} before it listened`)
    }),
  ])
  return {
    url: JSON.parse(line).url,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
