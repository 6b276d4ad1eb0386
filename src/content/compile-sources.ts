import { join } from 'node:path'
import pLimit from 'p-limit'
import { KbError } from '../errors/kb-error.ts'
import { digestParts } from '../util/digest.ts'
import { BATCH_SIZE, type CompilePool } from './compile-pool.ts'
import type { CompiledMeta } from './compiled-source.ts'
import type { RenderCache } from './render-cache.ts'

/** One file after compilation; links and HTML stay in the cache under `inputKey`. */
export interface CompiledArticle {
  readonly source: string
  readonly sourceHash: string
  readonly inputKey: string
  readonly meta: CompiledMeta
}

export interface CompileRequest {
  readonly contentRoot: string
  /** Digest of each article's bytes by source. */
  readonly hashes: ReadonlyMap<string, string>
  readonly cache: RenderCache
  /** Digest of all that decides the rendering beside the text: settings, parser, versions. */
  readonly renderKey: string
  /** Called once, and only when there is something to compile. */
  readonly openPool: (files: number) => Promise<CompilePool>
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Compiles what the cache does not hold; the result is in the order of `hashes`. */
export async function compileSources(request: CompileRequest): Promise<CompiledArticle[]> {
  const compiled = new Map<string, CompiledArticle>()
  const missing: string[] = []
  for (const [source, sourceHash] of request.hashes) {
    const inputKey = inputKeyOf(sourceHash, request.renderKey)
    const meta = sourceHash === '' ? undefined : request.cache.readMeta(inputKey)
    if (meta === undefined) missing.push(source)
    else compiled.set(source, { source, sourceHash, inputKey, meta })
  }
  if (missing.length > 0) await compileMissing(missing, compiled, request)
  return [...request.hashes.keys()].flatMap((source) => compiled.get(source) ?? [])
}

async function compileMissing(
  missing: readonly string[],
  compiled: Map<string, CompiledArticle>,
  request: CompileRequest,
): Promise<void> {
  const pool = await request.openPool(missing.length)
  const limit = pLimit(pool.width)
  try {
    await Promise.all(
      batches(missing).map((batch) =>
        limit(async () => {
          if (request.signal?.aborted === true) throw interrupted()
          await compileBatch(batch, pool, compiled, request)
          request.onProgress?.(compiled.size, request.hashes.size)
        }),
      ),
    )
  } finally {
    await pool.close()
  }
}

async function compileBatch(
  batch: readonly string[],
  pool: CompilePool,
  compiled: Map<string, CompiledArticle>,
  { contentRoot, cache, renderKey }: CompileRequest,
): Promise<void> {
  const files = await pool.compile(batch.map((source) => join(contentRoot, source)))
  // A file that could not be read has no hash, and is tried again by the next run.
  const readable = files.filter(({ sourceHash }) => sourceHash !== '')
  cache.store(readable.map((file) => ({ key: inputKeyOf(file.sourceHash, renderKey), ...file })))
  batch.forEach((source, index) => {
    const file = files[index]
    if (file === undefined) return
    const { sourceHash } = file
    const meta = JSON.parse(file.meta) as CompiledMeta
    compiled.set(source, { source, sourceHash, inputKey: inputKeyOf(sourceHash, renderKey), meta })
  })
}

/** @param renderKey see `CompileRequest` */
export function inputKeyOf(sourceHash: string, renderKey: string): string {
  return digestParts([sourceHash, renderKey])
}

function batches(sources: readonly string[]): string[][] {
  const count = Math.ceil(sources.length / BATCH_SIZE)
  return Array.from({ length: count }, (_, index) =>
    sources.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
}

function interrupted(): KbError {
  return new KbError('INTERRUPTED', 'Stopped while reading the content. Nothing was sent.', {
    hint: 'Run the command again; what was rendered is kept.',
  })
}
