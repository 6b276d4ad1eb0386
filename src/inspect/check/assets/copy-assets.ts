import { closeSync, lstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside, realPath, statIfThere } from '../../../core/paths.ts'
import type { Settings } from '../../../core/config/settings.ts'
import type { UsedAsset } from '../../../content/assets/create-asset-reader.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { type Diagnostic, isError } from '../../../core/model/diagnostic.ts'
import type { Progress } from '../../../sync/target-session.ts'
import { readContent } from '../../../sync/open-content.ts'
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { openInside, readOpened } from '../../../content/assets/open-inside.ts'
import { createDigest } from '../../../core/digest.ts'

interface AssetsTask {
  readonly settings: Settings
  /** Absolute path; created if missing. */
  readonly folder: string
  /** Reports what would be copied, and writes nothing. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

/** A file to publish. */
export interface PublishedAsset {
  /** Source of the file; the first one, if several have the same content and name. */
  readonly source: string
  /** Its name in the target folder. */
  readonly name: string
  readonly url: string
  readonly bytes: number
  /** `present`: the folder already had it. */
  readonly outcome: 'copied' | 'present' | 'planned'
}

export interface AssetsResult {
  /** An error prevents copying, as it prevents sending. */
  readonly diagnostics: readonly Diagnostic[]
  readonly files: readonly PublishedAsset[]
}

/**
 * Copies every file that articles refer to by a URL below `assets.baseUrl` into a folder, under the names that the
 * articles use. Existing files stay; nothing is ever deleted, since older articles may still refer to it.
 *
 * @throws KbError USAGE (no base URL, or an unsuitable folder), ASSETS_NOT_COPIED, INTERRUPTED, and what reading the
 *   content throws
 */
export async function copyAssets(task: AssetsTask): Promise<AssetsResult> {
  const { settings, folder, dryRun = false, onProgress, signal } = task
  if (settings.assets.baseUrl === undefined) throw noBaseUrl()
  openFolder(folder, settings.contentRoot, dryRun)
  const { content, cache } = await readContent(settings, { onProgress, signal })
  cache.close()
  const { diagnostics } = content
  if (diagnostics.some(isError)) return { diagnostics, files: [] }
  const wanted = oncePerName(content.assets)
  const files: PublishedAsset[] = []
  for (const asset of wanted) {
    if (signal?.aborted === true) throw interrupted(files.length, wanted.length)
    files.push(await publish(asset, settings.contentRoot, folder, dryRun))
    onProgress?.('copy', files.length, wanted.length)
  }
  return { diagnostics, files }
}

type Published = UsedAsset & { readonly published: NonNullable<UsedAsset['published']> }

function oncePerName(assets: readonly UsedAsset[]): Published[] {
  const names = new Map<string, Published>()
  for (const { published, ...asset } of assets) {
    if (published !== undefined && !names.has(published.name))
      names.set(published.name, { ...asset, published })
  }
  return [...names.values()]
}

async function publish(
  asset: Published,
  contentRoot: string,
  folder: string,
  dryRun: boolean,
): Promise<PublishedAsset> {
  const { source, bytes, published } = asset
  const file = join(folder, published.name)
  const outcome = isThere(file, asset) ? 'present' : dryRun ? 'planned' : 'copied'
  if (outcome === 'copied') await copyWhole(contentRoot, asset, file)
  return { source, name: published.name, url: published.url, bytes, outcome }
}

function noBaseUrl(): KbError {
  return new KbError(
    'USAGE',
    'There is nothing to copy: assets.baseUrl is not set, so images are sent inside articles.',
    { hint: 'Set assets.baseUrl in kb.config.ts to the URL at which the folder will be served.' },
  )
}

function interrupted(done: number, total: number): KbError {
  return new KbError('INTERRUPTED', `Stopped after ${done} of ${total} files.`, {
    hint: 'Run the command again: the files that were copied are complete and stay.',
  })
}

/**
 * Creates the folder for published files, unless nothing may be written.
 *
 * @throws KbError USAGE if it is a file or inside the content folder, ASSETS_NOT_COPIED if it cannot be created
 */
function openFolder(folder: string, contentRoot: string, dryRun: boolean): void {
  const stats = statIfThere(folder)
  if (stats !== undefined && !stats.isDirectory())
    throw new KbError('USAGE', `${folder} is a file.`, {
      hint: 'Use the path of a folder; it may be a new one.',
    })
  if (isInside(realPath(contentRoot), realPath(folder))) {
    throw new KbError('USAGE', `${folder} is in the content folder.`, {
      hint: 'Use a folder outside it: copies in it would become content.',
    })
  }
  if (dryRun) return
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new KbError('ASSETS_NOT_COPIED', `The folder ${folder} could not be created: ${reasonOf(error)}.`, {
      hint: 'Free disk space, or make the folder writable, and run the command again.',
      cause: error,
    })
  }
}

const CHUNK_BYTES = 1 << 20

type Wanted = Pick<UsedAsset, 'source' | 'bytes' | 'hash'>

function isThere(file: string, { bytes, hash }: Wanted): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() !== true || stats.size !== bytes) return false
  try {
    const descriptor = openSync(file, 'r')
    try {
      return readOpened(descriptor, { limitBytes: bytes, keepsAll: false }).hash === hash
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

/**
 * Copies a file of the content folder atomically: completely or not at all.
 *
 * @throws KbError ASSETS_NOT_COPIED
 */
export async function copyWhole(contentRoot: string, asset: Wanted, file: string): Promise<void> {
  const opened = openInside(contentRoot, asset.source)
  if (opened.kind !== 'opened') throw changed(asset.source)
  const beside = join(dirname(file), `.${randomBytes(6).toString('hex')}.part`)
  try {
    const handle = await open(beside, 'wx')
    try {
      if ((await copyBytes(opened.descriptor, handle)) !== asset.hash) throw changed(asset.source)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    if (error instanceof KbError) throw error
    throw new KbError('ASSETS_NOT_COPIED', `${file} could not be written: ${reasonOf(error)}.`, {
      hint: 'Free disk space, or make the folder writable, and run the command again.',
      cause: error,
    })
  } finally {
    closeSync(opened.descriptor)
  }
}

/** @returns digest of the copied bytes */
async function copyBytes(from: number, to: FileHandle): Promise<string> {
  const digest = createDigest()
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  for (let count = -1; count !== 0; at += count) {
    count = readSync(from, chunk, 0, chunk.length, at)
    const read = chunk.subarray(0, count)
    digest.update(read)
    // Continues after a short write, until everything is written.
    await to.writeFile(read)
  }
  return digest.digest()
}

function changed(source: string): KbError {
  return new KbError('ASSETS_NOT_COPIED', `"${source}" was changed while it was copied.`, {
    hint: 'Run the command again.',
  })
}
