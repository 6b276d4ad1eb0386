import type { FileDigests } from '../source/hash-sources.ts'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { KbError } from '../../core/errors/kb-error.ts'
import type { CompiledFile } from './create-compiler.ts'
import { BATCH_SIZE, type CompilePool } from './compile-pool.ts'
import {
  type CompiledArticle,
  type CompiledMeta,
  COMPILED_FORMAT,
  type IncludedFile,
} from '../markdown/rendered-body.ts'
import { hashSnippet } from '../includes/read-snippet.ts'
import type { CacheEntry, RenderCache } from './render-cache.ts'
import { digestParts } from '../../core/digest.ts'
import type { ContentOptions } from './content-options.ts'

export type FindCompiled = (
  source: string,
  sourceHash: string,
  hashOf: (source: string) => string,
) => CompiledArticle | undefined

interface CompileRequest {
  readonly contentRoot: string
  /** Digest of each article's bytes by source. */
  readonly hashes: FileDigests
  readonly cache: RenderCache
  /** Called before the cache is searched. `hashOf` returns the digest of an included file. */
  readonly recall?: FindCompiled | undefined
  readonly renderKey: RenderKey
  /** Called at most once, if something must be compiled. */
  readonly openPool: (sources: readonly string[]) => Promise<CompilePool>
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Compiles what is not cached. The result has the order of `hashes`. */
export async function compileSources(request: CompileRequest): Promise<CompiledArticle[]> {
  const compiled = new Map<string, CompiledArticle>()
  const missing: string[] = []
  const findKept = createKeptFinder(request)
  for (const [source, sourceHash] of request.hashes) {
    const kept = sourceHash === undefined ? undefined : findKept(source, sourceHash)
    if (kept === undefined) missing.push(source)
    else compiled.set(source, kept)
  }
  if (missing.length > 0) await compileMissing(missing, compiled, request)
  await yieldToEventLoop(request.signal)
  return [...request.hashes.keys()].flatMap((source) => compiled.get(source) ?? [])
}

export type FindKept = (source: string, sourceHash: string) => CompiledArticle | undefined

/** Returns a function that finds compiled files for the same bytes, including those of included files. */
export function createKeptFinder(
  request: Pick<CompileRequest, 'contentRoot' | 'cache' | 'renderKey' | 'recall'>,
): FindKept {
  const { contentRoot, cache, renderKey, recall } = request
  const hashes = new Map<string, string>()
  const hashOf = (source: string): string => {
    const hash = hashes.get(source) ?? hashSnippet(contentRoot, source)
    hashes.set(source, hash)
    return hash
  }
  const keyOf = (source: string, sourceHash: string): string => {
    const included = cache.readIncludes(includesKeyOf({ source, sourceHash }, renderKey))
    const includes = included?.map((each) => [each, hashOf(each)] as const)
    return inputKeysOf({ source, sourceHash }, includes, renderKey).inputKey
  }
  return (source, sourceHash) => {
    const recalled = recall?.(source, sourceHash, hashOf)
    if (recalled !== undefined) return recalled
    const plainKey = plainKeyOf({ source, sourceHash }, renderKey)
    const plain = cache.readMeta(plainKey)
    if (plain !== undefined) return { source, sourceHash, inputKey: plainKey, meta: plain }
    const inputKey = keyOf(source, sourceHash)
    const meta = inputKey === plainKey ? undefined : cache.readMeta(inputKey)
    return meta === undefined || lacksIncludes(meta) ? undefined : { source, sourceHash, inputKey, meta }
  }
}

/** Returns true if a file could not be included. Such a result is not reused, because any new file may be a match. */
export function lacksIncludes({ problems }: CompiledMeta): boolean {
  return problems.some(({ code }) => code === 'include-missing')
}

async function compileMissing(
  missing: readonly string[],
  compiled: Map<string, CompiledArticle>,
  request: CompileRequest,
): Promise<void> {
  const pool = await request.openPool(missing)
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
  { cache, renderKey }: CompileRequest,
): Promise<void> {
  const files = await pool.compile(batch)
  const made = files.flatMap((file, index) => {
    const source = batch[index]
    return source === undefined ? [] : [keepCompiled(source, file, renderKey)]
  })
  // An unreadable file has no hash, and the next run tries again.
  cache.store(made.flatMap(({ article, entry }) => (article.sourceHash === undefined ? [] : [entry])))
  for (const { article } of made) compiled.set(article.source, article)
}

/** Converts a compiled file to the form of the pipeline, with its cache entry. */
export function keepCompiled(
  source: string,
  { sourceHash, meta, links, html }: CompiledFile,
  renderKey: RenderKey,
): { readonly article: CompiledArticle; readonly entry: CacheEntry } {
  const parsed = JSON.parse(meta) as CompiledMeta
  const { inputKey, includesKey } = inputKeysOf({ source, sourceHash }, parsed.includes, renderKey)
  const sources = parsed.includes?.map(([included]) => included) ?? []
  const includes = includesKey === undefined ? undefined : { key: includesKey, sources }
  return {
    article: { source, sourceHash, inputKey, meta: parsed },
    entry: { key: inputKey, meta, links, html, includes },
  }
}

function batches(sources: readonly string[]): string[][] {
  const count = Math.ceil(sources.length / BATCH_SIZE)
  return Array.from({ length: count }, (_, index) =>
    sources.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
}

/** Yields to the event loop during a long load. @throws KbError INTERRUPTED */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return
  await setImmediate()
  if (signal.aborted) throw interrupted()
}

function interrupted(): KbError {
  return new KbError('INTERRUPTED', 'Stopped while reading the content. Nothing was sent.', {
    hint: 'Run the command again; kb-sync keeps the articles that it rendered.',
  })
}

/** Everything that determines how texts are rendered: settings, parser, format. */
export type RenderKey = ReturnType<typeof renderKeyOf>

export function renderKeyOf({ renderDigest, markdown }: ContentOptions, parser: string) {
  return {
    digest: digestParts([renderDigest, parser, COMPILED_FORMAT]),
    /** True if the path of a file also matters, as with a preset. */
    isOfPlace: markdown.frontmatter !== undefined,
  }
}

interface SourceFile {
  readonly source: string
  readonly sourceHash: string | undefined
}

/** Returns the key of an article without includes. If paths do not matter, files with the same bytes share it. */
function plainKeyOf({ source, sourceHash = '' }: SourceFile, { digest, isOfPlace }: RenderKey): string {
  return digestParts([sourceHash, digest, ...(isOfPlace ? ['at', source] : [])])
}

/** Includes the source, because the same bytes in two folders may include different files. */
function includesKeyOf({ source, sourceHash = '' }: SourceFile, { digest }: RenderKey): string {
  return digestParts([sourceHash, digest, source])
}

/** Returns the cache keys of a template and of the list of its includes; undefined if it includes nothing. */
export function inputKeysOf(
  file: SourceFile,
  includes: readonly IncludedFile[] | undefined,
  renderKey: RenderKey,
) {
  if (includes === undefined) return { inputKey: plainKeyOf(file, renderKey), includesKey: undefined }
  const includesKey = includesKeyOf(file, renderKey)
  return { inputKey: digestParts([includesKey, ...includes.flat()]), includesKey }
}
