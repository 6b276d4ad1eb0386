import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { IS_BUILT, packageFile } from '../../core/package-files.ts'
import {
  compileFiles,
  type CompiledFile,
  type Compiler,
  createCompiler,
  isMdxFile,
} from './create-compiler.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'

/** Files per batch. Batches are small, because the native parser frees its memory only when the event loop turns. */
export const BATCH_SIZE = 16

/** With fewer files, starting threads takes more time than it saves. */
const WORTH_THREADS = 300

const MOST_THREADS = 4

export interface CompilePool {
  /** Number of batches that can run concurrently without a long wait. */
  readonly width: number
  /** @param sources paths in the content folder */
  readonly compile: (sources: readonly string[]) => Promise<CompiledFile[]>
  readonly close: () => Promise<void>
}

/**
 * Compiles in this thread, or in several if that is faster and the configuration can be sent to other threads
 * (functions cannot). The bytes are the same either way.
 *
 * @throws KbError CONFIG_INVALID
 */
export async function createCompilePool(
  options: MarkdownOptions,
  parser: MarkdownParser,
  contentRoot: string,
  sources: readonly string[],
): Promise<CompilePool> {
  if (options.elements !== undefined) {
    const { assertAttributesAllowed } = await import('../dialect/own-elements.ts')
    assertAttributesAllowed(options)
  }
  const threads = Math.min(MOST_THREADS, availableParallelism())
  const { read, write } = options.frontmatter ?? {}
  const { components, shortcodes } = options.elements ?? {}
  const hasFunctions =
    options.remarkPlugins.length > 0 ||
    [read, write, components, shortcodes].some((each) => typeof each === 'function')
  const mayTravel = !hasFunctions && IS_BUILT
  const hasMdx = sources.some(isMdxFile)
  if (sources.length < WORTH_THREADS || threads < 2 || !mayTravel)
    return inThisThread(contentRoot, await createCompiler(options, parser, contentRoot, hasMdx))
  return inThreads({ options, contentRoot, hasMdx }, threads)
}

function inThisThread(contentRoot: string, compiler: Compiler): CompilePool {
  return {
    width: 1,
    compile: async (sources) => {
      await setImmediate()
      return compileFiles(contentRoot, sources, compiler)
    },
    close: () => Promise.resolve(),
  }
}

/** The input of a worker thread. */
export interface WorkerTask {
  readonly options: MarkdownOptions
  readonly contentRoot: string
  readonly hasMdx: boolean
}

async function inThreads(task: WorkerTask, threads: number): Promise<CompilePool> {
  const { Tinypool } = await import('tinypool')
  const pool = new Tinypool({
    filename: packageFile('dist/content/pipeline/compile-worker.js').href,
    minThreads: threads,
    maxThreads: threads,
    isolateWorkers: false,
    workerData: task,
    // Keeps short-lived trees out of the old generation: two threads take a fifth more time with half of it. The sum is
    // fixed, so that more threads do not take more memory for it.
    resourceLimits: { maxYoungGenerationSizeMb: 96 / threads },
  })
  return {
    width: threads * 2,
    compile: (sources) => pool.run(sources, { name: 'compile' }) as Promise<CompiledFile[]>,
    close: () => pool.destroy(),
  }
}
