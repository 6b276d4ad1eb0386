import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { bundleScript } from '../../../support/bundle-script.ts'

const SCRIPT = fileURLToPath(new URL('summarize-many.ts', import.meta.url))

/** Memory use is the same for a million; only the time is not. */
const MANY = 80_000

/** Far less than the entries would need: storing them would exceed it. */
const HEAP_MB = 24

test('with any number of articles and broken links, little memory is sufficient', async () => {
  // Bundled beforehand, because that needs more memory than the lists.
  const script = await bundleScript(SCRIPT)
  const args = [`--max-old-space-size=${HEAP_MB}`, script, String(MANY)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed: string[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(0)
  // As many overdue as the cycle of dates contains, and too many hosts for an exact count.
  expect(JSON.parse(printed.join(''))).toEqual({ overdue: 12 * 11, total: MANY, hosts: 8 })
})
