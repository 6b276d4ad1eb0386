// One worker thread of the compile pool: the compiler is made once, then files come in batches.
import { setImmediate } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { compileFiles, type CompiledFile, createCompiler } from './create-compiler.ts'
import type { WorkerTask } from './compile-pool.ts'
import { resolveParser } from '../parser/resolve-parser.ts'

// The pool keeps the first element for itself.
const [, { options, contentRoot }] = workerData as [unknown, WorkerTask]
const compiler = await createCompiler(options, await resolveParser(options), contentRoot)

/** What the pool calls: sources in, compiled files in the same order out. */
export async function compile(sources: readonly string[]): Promise<CompiledFile[]> {
  // The pool hands out the next batch without a turn of the event loop, in which the native parser frees its memory.
  await setImmediate()
  return compileFiles(contentRoot, sources, compiler)
}
