import filenamify from 'filenamify'
import { closeSync } from 'node:fs'
import { reasonOf } from '../../core/errors/kb-error.ts'
import { type AssetUse, fitsUse, imageTypeOf, detectImage } from './asset-types.ts'
import * as problems from './asset-problems.ts'
import type { FindExactly } from './find-assets.ts'
import { findSvgScript } from './find-svg-script.ts'
import { openInside, HEAD_BYTES, type OpenedContents, readOpened } from './open-inside.ts'
import { basename, extname } from 'node:path'

/** How files beside the articles are sent. */
export interface AssetSettings {
  /** Without a base URL, larger images are rejected; with one, images from this size on get a URL. */
  readonly inlineUnderBytes: number
  /** URL of the folder that `kb assets` fills, without a slash at its end; undefined if there is none. */
  readonly baseUrl: string | undefined
  /** Largest file that gets a URL. */
  readonly maxSizeBytes: number
}

/** A file that an article uses. */
export interface UsedAsset {
  /** As spelled on disk. */
  readonly source: string
  /** Digest of its bytes. */
  readonly hash: string
  readonly bytes: number
  /** Undefined if it is only embedded in articles. */
  readonly published: { readonly name: string; readonly url: string } | undefined
}

type ReadAsset =
  | {
      readonly kind: 'read'
      readonly source: string
      readonly url: string
      readonly used: UsedAsset
      /** A problem that does not prevent sending. */
      readonly warning: problems.AssetProblem | undefined
    }
  | { readonly kind: 'problem'; readonly problem: problems.AssetProblem }

export interface AssetReader {
  /** Returns the URL to send for a file: a `data:` URL, or that of the published file. */
  readonly read: (source: string, use: AssetUse) => ReadAsset
  /** Notes a file that does not exist, and would be used. */
  readonly noteMissing: (source: string) => void
  /** Everything read so far, by source. */
  readonly used: () => readonly UsedAsset[]
  /** Sources of files that would be used if they existed, or had other contents. */
  readonly unusable: () => readonly string[]
}

interface AssetContext {
  readonly contentRoot: string
  readonly findExactly: FindExactly
  readonly settings: AssetSettings
}

/** Reads the files that articles use. Results are cached, except for embedded files, which are read again. */
export function createAssetReader(
  contentRoot: string,
  findExactly: FindExactly,
  settings: AssetSettings,
): AssetReader {
  const used = new Map<string, UsedAsset>()
  const unusable = new Set<string>()
  const known = new Map<string, ReadAsset>()
  return {
    read: (source, use) => {
      const key = `${use} ${source}`
      const before = known.get(key)
      if (before !== undefined) return before
      const refused = refuseUse(source, use, settings)
      const asset = refused ?? readAsset(source, use, { contentRoot, findExactly, settings })
      if (asset.kind === 'problem' && refused === undefined) unusable.add(source)
      if (asset.kind === 'problem' || !asset.url.startsWith('data:')) known.set(key, asset)
      if (asset.kind === 'read' && (asset.used.published !== undefined || !used.has(asset.source)))
        used.set(asset.source, asset.used)
      return asset
    },
    noteMissing: (source) => unusable.add(source),
    used: () => [...used.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1)),
    unusable: () => [...unusable].toSorted(),
  }
}

/** The problem of a file that is never sent, whatever it contains. */
function refuseUse(wanted: string, use: AssetUse, { baseUrl }: AssetSettings): ReadAsset | undefined {
  if (use !== 'image' && baseUrl === undefined)
    return problem(problems.needsBaseUrl(problems.shownSource(wanted)))
  return fitsUse(wanted, use) ? undefined : problem(problems.wrongType(problems.shownSource(wanted), use))
}

function readAsset(wanted: string, use: AssetUse, context: AssetContext): ReadAsset {
  const found = context.findExactly(wanted)
  if (found.kind === 'missing') return problem(problems.missing(problems.shownSource(wanted), use))
  if (found.kind === 'other-case')
    return problem(problems.otherCase(problems.shownSource(wanted), problems.shownSource(found.source)))
  return readFound(found.source, use, context)
}

function readFound(source: string, use: AssetUse, { contentRoot, settings }: AssetContext): ReadAsset {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') return problem(problems.notOpened(problems.shownSource(source), use, opened))
  try {
    const way = chooseWay(opened.size, use, settings)
    if (way.kind === 'too-large')
      return problem(problems.tooLarge(problems.shownSource(source), opened.size, settings))
    const isInline = way.kind === 'inline'
    const keepsAll = isInline || imageTypeOf(source) === 'image/svg+xml'
    const contents = readOpened(opened.descriptor, { limitBytes: way.limitBytes, keepsAll })
    if (contents.bytes > way.limitBytes)
      return problem(problems.tooLarge(problems.shownSource(source), contents.bytes, settings))
    return isInline ? toInline(source, contents) : toAddress(source, contents, settings)
  } catch (error) {
    return problem(
      problems.notOpened(problems.shownSource(source), use, { kind: 'unreadable', reason: reasonOf(error) }),
    )
  } finally {
    closeSync(opened.descriptor)
  }
}

function toInline(source: string, { hash, bytes, kept }: OpenedContents): ReadAsset {
  const used = { source, hash, bytes, published: undefined }
  const url = `data:${imageTypeOf(source) ?? ''};base64,${kept.toString('base64')}`
  return { kind: 'read', source, url, used, warning: mismatch(source, kept) }
}

function toAddress(
  source: string,
  { hash, bytes, kept }: OpenedContents,
  { baseUrl = '' }: AssetSettings,
): ReadAsset {
  const script = imageTypeOf(source) === 'image/svg+xml' ? findSvgScript(kept) : undefined
  if (script !== undefined) return problem(problems.activeSvg(problems.shownSource(source), script))
  const name = nameAsset(source, hash)
  const url = assetAddress(baseUrl, name)
  const used = { source, hash, bytes, published: { name, url } }
  return { kind: 'read', source, url, used, warning: mismatch(source, kept) }
}

type Way =
  | { readonly kind: 'inline' | 'address'; readonly limitBytes: number }
  | { readonly kind: 'too-large' }

function chooseWay(size: number, use: AssetUse, settings: AssetSettings): Way {
  const { inlineUnderBytes, baseUrl, maxSizeBytes } = settings
  if (baseUrl === undefined)
    return size <= inlineUnderBytes ? { kind: 'inline', limitBytes: inlineUnderBytes } : { kind: 'too-large' }
  if (use === 'image' && size < inlineUnderBytes) return { kind: 'inline', limitBytes: inlineUnderBytes }
  return size <= maxSizeBytes ? { kind: 'address', limitBytes: maxSizeBytes } : { kind: 'too-large' }
}

function mismatch(source: string, bytes: Uint8Array): problems.AssetProblem | undefined {
  const detected = detectImage(source, bytes.subarray(0, HEAD_BYTES))
  return detected.kind === 'fits' ? undefined : problems.mismatch(problems.shownSource(source), detected.type)
}

function problem(found: problems.AssetProblem): ReadAsset {
  return { kind: 'problem', problem: found }
}

/** Characters of the digest in a name: with 64 bits, a collision needs some 4 thousand million files of one name. */
const HASH_LENGTH = 16

/** File names are limited to 255 bytes on common file systems. */
const LONGEST_NAME_BYTES = 200

/**
 * The name of a published file: its own, with a digest of its contents, so that the content of a URL never changes and
 * may be cached forever. It is the same on every machine, and valid on every file system.
 */
export function nameAsset(source: string, hash: string): string {
  const file = basename(source).normalize('NFC')
  const ending = extname(file)
  const name = filenamify(file.slice(0, file.length - ending.length), { replacement: '-', maxLength: 200 })
  return `${cutBytes(name)}-${hash.slice(0, HASH_LENGTH)}${ending.toLowerCase()}`
}

/** The URL of a published file. */
export function assetAddress(baseUrl: string, name: string): string {
  return `${baseUrl}/${encodeURIComponent(name)}`
}

function cutBytes(name: string): string {
  let cut = ''
  for (const character of name) {
    if (Buffer.byteLength(cut) + Buffer.byteLength(character) > LONGEST_NAME_BYTES) break
    cut += character
  }
  return cut
}
