import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleScript } from '../support/bundle-script.ts'

const SCRIPT = join(import.meta.dirname, 'serve-until-killed.ts')

export const API_KEY = 'key-for-the-killed'

export interface KillableServer {
  readonly url: string
  /** Ids of what is there to be named. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** SIGKILL, now; resolves when the process is gone. */
  kill(): Promise<void>
}

/** A server process on `db`. @param clockFile a file with the time; default: the machine's clock */
export async function startKillableServer(
  db: string,
  ...clockFile: readonly string[]
): Promise<KillableServer> {
  const child = spawn(process.execPath, [await bundleScript(SCRIPT), db, API_KEY, ...clockFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([
    once(lines, 'line'),
    gone.then(([code]) => {
      throw new Error(`The server ended with ${String(code)} before it listened`)
    }),
  ])) as [string]
  const started = JSON.parse(line) as Pick<KillableServer, 'url' | 'categories' | 'tags'>
  return {
    ...started,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
