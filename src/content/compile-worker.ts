// One worker thread of the compile pool: the renderer is made once, then files come in batches.
import { setImmediate } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { compileFiles, type CompiledFile } from './compile-files.ts'
import { createRenderer } from './markdown/create-renderer.ts'
import type { MarkdownOptions } from './markdown/rendered-body.ts'
import { resolveParser } from './markdown/resolve-parser.ts'

// The pool keeps the first element for itself.
const [, options] = workerData as [unknown, MarkdownOptions]
const render = createRenderer(options, await resolveParser(options))

/** What the pool calls: absolute paths in, compiled files in the same order out. */
export async function compile(files: readonly string[]): Promise<CompiledFile[]> {
  // The pool hands out the next batch without a turn of the event loop, in which the native parser frees its memory.
  await setImmediate()
  return compileFiles(files, render)
}
