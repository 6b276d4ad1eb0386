import type { Tinypool } from 'tinypool'
import type { RouteName } from '../../contract/routes.ts'
import { packageFile } from '../../util/package-files.ts'
import { Refusal } from '../operations/refusal.ts'
import type { BodyResult, BodyTask } from './body-worker.ts'
import { parseBody, type ParsedBody } from './parse-body.ts'

/** Up to this size a body is parsed where it arrives, in some milliseconds. */
const INLINE_LIMIT_BYTES = 1_000_000

/** A legal body of 32 MB takes half of it: text in UTF-16 is twice as long as its bytes, and stands there twice. */
const WORKER_MEMORY_MB = 512

/** How many large bodies wait for it: each is held in memory. */
const MOST_WAITING = 8

/** How long the thread waits for the next large body before it ends. */
const IDLE_MS = 10_000

export interface BodyParser {
  /** Takes over `bytes`. @throws Refusal 400, 413, 503 */
  readonly parse: (bytes: Uint8Array, name: RouteName) => Promise<ParsedBody>
  readonly close: () => Promise<void>
}

/**
 * Parses bodies, large ones in a thread of its own and one at a time: so they keep nobody waiting but each other, and a
 * body that takes too much memory ends that thread alone.
 */
export function createBodyParser(workerMemoryMb: number = WORKER_MEMORY_MB): BodyParser {
  let pool: Promise<Tinypool> | undefined

  async function parseLarge(bytes: Uint8Array, name: RouteName): Promise<ParsedBody> {
    pool ??= startPool(workerMemoryMb)
    const started = await pool
    if (started.queueSize >= MOST_WAITING)
      throw new Refusal(503, 'Too many large bodies wait to be read', { 'Retry-After': '1' })
    const task: BodyTask = { bytes, name }
    const options = { name: 'parse', transferList: [bytes.buffer as ArrayBuffer] }
    const result = (await started.run(task, options).catch(explainEnd)) as BodyResult
    if (result.kind === 'refused') throw new Refusal(result.status, result.message)
    return result
  }

  return {
    parse: async (bytes, name) =>
      bytes.length <= INLINE_LIMIT_BYTES ? parseBody(bytes, name) : parseLarge(bytes, name),
    close: async () => {
      await (await pool)?.destroy()
    },
  }
}

// The package is loaded when it is needed: few servers ever see such a body.
async function startPool(workerMemoryMb: number): Promise<Tinypool> {
  const { Tinypool: Pool } = await import('tinypool')
  return new Pool({
    filename: packageFile('dist/server/http/body-worker.js').href,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    isolateWorkers: false,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb },
  })
}

function explainEnd(error: unknown): never {
  if ((error as { readonly code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
  throw new Refusal(413, 'The body takes more memory than there is for one: send it in several articles')
}
