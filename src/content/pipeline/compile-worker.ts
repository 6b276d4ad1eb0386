// A worker thread of the compile pool: creates the compiler once, then compiles batches of files.
import { setImmediate } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { compileFiles, type CompiledFile, createCompiler } from './create-compiler.ts'
import type { WorkerTask } from './compile-pool.ts'
import { resolveParser } from '../parser/resolve-parser.ts'

// The pool uses the first element itself.
const [, { options, contentRoot, hasMdx }] = workerData as [unknown, WorkerTask]
const compiler = await createCompiler(options, await resolveParser(options), contentRoot, hasMdx)

/** Called by the pool. Returns the compiled files in the order of the sources. */
export async function compile(sources: readonly string[]): Promise<CompiledFile[]> {
  // The pool sends the next batch without a turn of the event loop, which the native parser needs to free its memory.
  await setImmediate()
  return compileFiles(contentRoot, sources, compiler)
}
