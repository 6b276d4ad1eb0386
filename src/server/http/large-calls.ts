import type { Tinypool } from 'tinypool'
import type { RouteName } from '../../api/contract/routes.ts'
import { packageFile } from '../../core/package-files.ts'
import { HttpError } from '../operations/responses.ts'
import type { CallHead, LargeCall, LargeResult } from './large-call-worker.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/** Memory for a call: a valid body of 32 MB takes half, as text in UTF-16 is twice as long and exists twice. */
const WORKER_MEMORY_MB = 512

/** Maximum number of waiting calls, whose bodies are in memory. */
const MOST_WAITING = 8

/** Time that the idle thread waits for another call before it ends. */
const IDLE_MS = 10_000

type LargeAnswer = Extract<LargeResult, { kind: 'answered' }>

export type LargeCalls = ReturnType<typeof createLargeCalls>

interface LargeCallsOptions extends Pick<LargeCall, 'store' | 'fileLimits'> {
  readonly workerMemoryMb?: number
}

/**
 * Runs calls that read or write a large text one at a time in a separate thread. They delay only each other, and
 * running out of memory ends only that thread.
 */
export function createLargeCalls({ workerMemoryMb = WORKER_MEMORY_MB, ...context }: LargeCallsOptions) {
  let pool: Promise<Tinypool> | undefined
  let revisions = 0

  async function run(name: RouteName, call: CallHead, bytes?: Uint8Array): Promise<LargeAnswer> {
    pool ??= startPool(workerMemoryMb)
    const started = await pool
    if (started.queueSize >= MOST_WAITING)
      throw new HttpError(503, 'Too many large articles wait to be read or written', { 'Retry-After': '1' })
    const { caller, id, query, conditions, now } = call
    const task: LargeCall = { name, call: { caller, id, query, conditions, now }, bytes, ...context }
    const transferList = bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]
    const result = (await started.run(task, { name: 'run', transferList }).catch(explainEnd)) as LargeResult
    if (result.kind === 'refused') throw new HttpError(result.status, result.message, result.headers)
    revisions += result.revisions
    return result
  }

  return {
    /** Takes ownership of `bytes`. @throws HttpError of the operation; 413, 503 */
    run,
    /** Number of times that these calls have raised the revision. */
    revisions: () => revisions,
    close: async () => {
      await (await pool)?.destroy()
    },
  }
}

// Loaded on demand: few servers ever receive such a call.
async function startPool(workerMemoryMb: number): Promise<Tinypool> {
  const { Tinypool: Pool } = await import('tinypool')
  return new Pool({
    filename: packageFile('dist/server/http/large-call-worker.js').href,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    isolateWorkers: false,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb },
  })
}

function explainEnd(error: unknown): never {
  if (errorCodeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
  throw new HttpError(
    413,
    'The body needs more memory than is available for one article: split it into several articles',
  )
}
