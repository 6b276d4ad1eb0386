import filenamify from 'filenamify'
import { closeSync } from 'node:fs'
import { reasonOf } from '../../core/errors/kb-error.ts'
import {
  type AssetUse,
  fitsUse,
  mayFitUse,
  missingExtension,
  isImageUse,
  imageTypeOf,
  detectImage,
  endingOf,
  IMAGE_ENDINGS,
  storedTypeOf,
} from './asset-types.ts'
import type { FindExactly } from './find-assets.ts'
import { findSvgScript } from './find-svg-script.ts'
import { openInside, HEAD_BYTES, type OpenedContents, readOpened, type OpenedInside } from './open-inside.ts'
import { basename, extname } from 'node:path'
import type { Problem } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatBytes } from '../../core/quantities.ts'
import type { FileStorage } from '../../core/config/settings.ts'
import type { LocalFile } from '../../core/model/local-file.ts'
import { STORED_FILES_PATH } from '../../core/stored-file-names.ts'

/** How files beside the articles are sent. */
export interface AssetSettings {
  /** Without a base URL, larger images are rejected; with one, images of at least this size get a URL. */
  readonly inlineUnderBytes: number
  /** URL of the folder that `kb assets` fills, without a trailing slash; undefined if there is none. */
  readonly baseUrl: string | undefined
  /** Maximum size of a file that gets a URL. */
  readonly maxSizeBytes: number
  /** Whether the target stores files, if there is no base URL. Default: `absent`. */
  readonly storage?: FileStorage | undefined
}

export interface UsedAsset {
  /** As spelled on disk. */
  readonly source: string
  /** Digest of its bytes. */
  readonly hash: string
  readonly bytes: number
  /** Undefined if the file is only embedded in articles. */
  readonly published: { readonly name: string; readonly url: string } | undefined
  /** Set if the target stores the file. */
  readonly stored?: LocalFile
}

type ReadAsset =
  | {
      readonly kind: 'read'
      readonly source: string
      readonly url: string
      readonly used: UsedAsset
      /** A problem that does not prevent sending. */
      readonly warning: AssetProblem | undefined
    }
  | { readonly kind: 'problem'; readonly problem: AssetProblem }

export type AssetReader = ReturnType<typeof createAssetReader>

interface AssetContext {
  readonly contentRoot: string
  readonly findExactly: FindExactly
  readonly settings: AssetSettings
}

/** Reads the files that articles use. Results are cached, except for embedded files, which are read again. */
export function createAssetReader(contentRoot: string, findExactly: FindExactly, settings: AssetSettings) {
  const used = new Map<string, UsedAsset>()
  const unusable = new Set<string>()
  const known = new Map<string, ReadAsset>()
  return {
    /** Returns the URL to send for a file: a `data:` URL, or that of the published file. */
    read: (source: string, use: AssetUse) => {
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
    /** True if files of this name have a URL. */
    publishes: (source: string) => publishes(source, settings),
    /** Returns the problem of a link to a file that is not an article. `shown` is the link as written. */
    notAnArticle: (source: string, shown: string) => notAnArticle(source, shown, settings),
    /** Records a file that does not exist but would be used. */
    noteMissing: (source: string) => unusable.add(source),
    /** Everything read so far, by source. */
    used: () => [...used.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1)),
    /** Sources of files that would be used if they existed or had other content. */
    unusable: () => [...unusable].toSorted(),
  }
}

/** Returns the problem of a file that is never sent, whatever its content. */
function refuseUse(wanted: string, use: AssetUse, settings: AssetSettings): ReadAsset | undefined {
  if ((!isImageUse(use) || use === 'banner') && !publishes(wanted, settings))
    return problem(needsUrl(shownSource(wanted), use, settings))
  return mayFitUse(wanted, use) ? undefined : problem(wrongType(shownSource(wanted), use))
}

function readAsset(wanted: string, use: AssetUse, context: AssetContext): ReadAsset {
  const found = context.findExactly(wanted)
  if (found.kind === 'missing') return problem(missing(shownSource(wanted), use))
  if (found.kind === 'other-case') return problem(otherCase(shownSource(wanted), shownSource(found.source)))
  return readFound(found.source, use, context)
}

function readFound(source: string, use: AssetUse, { contentRoot, settings }: AssetContext): ReadAsset {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') return problem(notOpened(shownSource(source), use, opened))
  try {
    const way = chooseWay(opened.size, use, settings)
    if (way.kind === 'too-large') return problem(tooLarge(shownSource(source), opened.size, settings))
    const isInline = way.kind === 'inline'
    const keepsAll = isInline || imageTypeOf(source) === 'image/svg+xml'
    const contents = readOpened(opened.descriptor, { limitBytes: way.limitBytes, keepsAll })
    if (contents.bytes > way.limitBytes)
      return problem(tooLarge(shownSource(source), contents.bytes, settings))
    const ending = endingOf(source) === '' ? missingExtension(contents.kept.subarray(0, HEAD_BYTES)) : ''
    if (ending === undefined) return problem(wrongType(shownSource(source), use))
    const named = source + ending
    if (isInline) return ofSource(source, toInline(named, contents))
    return ofSource(
      source,
      settings.baseUrl === undefined
        ? toStored(named, contents, settings)
        : toAddress(named, contents, settings),
    )
  } catch (error) {
    return problem(notOpened(shownSource(source), use, { kind: 'unreadable', reason: reasonOf(error) }))
  } finally {
    closeSync(opened.descriptor)
  }
}

/** Restores the name of a file that was read under one with its extension. */
function ofSource(source: string, asset: ReadAsset): ReadAsset {
  if (asset.kind === 'problem' || asset.source === source) return asset
  const { stored } = asset.used
  const used = { ...asset.used, source, ...(stored && { stored: { ...stored, source } }) }
  return { ...asset, source, used }
}

function toInline(source: string, { hash, bytes, kept }: OpenedContents): ReadAsset {
  const used = { source, hash, bytes, published: undefined }
  const url = `data:${imageTypeOf(source) ?? ''};base64,${kept.toString('base64')}`
  return { kind: 'read', source, url, used, warning: mismatch(source, kept) }
}

function toAddress(source: string, contents: OpenedContents, { baseUrl = '' }: AssetSettings): ReadAsset {
  const { hash, bytes, kept } = contents
  const active = refuseScript(source, kept)
  if (active !== undefined) return active
  const name = nameAsset(source, hash)
  const url = assetAddress(baseUrl, name)
  const used = { source, hash, bytes, published: { name, url } }
  return { kind: 'read', source, url, used, warning: mismatch(source, kept) }
}

/** A service rejects a file whose content does not match its type, so an image is stored under its detected type. */
function toStored(source: string, contents: OpenedContents, { storage }: AssetSettings): ReadAsset {
  const { hash, sha256, bytes, kept } = contents
  const active = refuseScript(source, kept)
  if (active !== undefined) return active
  const detected = detectImage(source, kept.subarray(0, HEAD_BYTES))
  const type = storedTypeOf(detected.kind === 'fits' ? source : `image.${detected.type}`)
  if (type === undefined)
    return problem({ ...wrongContents(shownSource(source), undefined), code: 'asset-type' })
  const name = `${sha256}.${type}`
  const url = `${STORED_FILES_PATH}${name}`
  const used = { source, hash, bytes, published: { name, url }, stored: { name, source, bytes } }
  const warning = storage === 'unknown' ? unconfirmed(shownSource(source), bytes) : mismatch(source, kept)
  return { kind: 'read', source, url, used, warning }
}

function refuseScript(source: string, kept: Buffer): ReadAsset | undefined {
  const script = imageTypeOf(source) === 'image/svg+xml' ? findSvgScript(kept) : undefined
  return script === undefined ? undefined : problem(activeSvg(shownSource(source), script))
}

/** Returns true if files with this name get their own URL unless they are embedded. */
function publishes(source: string, { baseUrl, storage }: AssetSettings): boolean {
  if (baseUrl !== undefined) return !source.endsWith('.md')
  return isStoring(storage) && storedTypeOf(source) !== undefined
}

function isStoring(storage: FileStorage = 'absent'): boolean {
  return storage !== 'absent'
}

type Way =
  | { readonly kind: 'inline' | 'address'; readonly limitBytes: number }
  | { readonly kind: 'too-large' }

function chooseWay(size: number, use: AssetUse, settings: AssetSettings): Way {
  const { inlineUnderBytes, baseUrl, maxSizeBytes, storage } = settings
  const isSmall = baseUrl === undefined ? size <= inlineUnderBytes : size < inlineUnderBytes
  const hasNoUrl = baseUrl === undefined && !isStoring(storage)
  if (isSmall && (use === 'image' || (use === 'picture' && hasNoUrl)))
    return { kind: 'inline', limitBytes: inlineUnderBytes }
  if (hasNoUrl) return { kind: 'too-large' }
  return size <= maxSizeBytes ? { kind: 'address', limitBytes: maxSizeBytes } : { kind: 'too-large' }
}

function mismatch(source: string, bytes: Uint8Array): AssetProblem | undefined {
  const detected = detectImage(source, bytes.subarray(0, HEAD_BYTES))
  return detected.kind === 'fits' ? undefined : wrongContents(shownSource(source), detected.type)
}

function problem(found: AssetProblem): ReadAsset {
  return { kind: 'problem', problem: found }
}

/** Hex digits of the digest in a name. With 64 bits, a collision needs some 4 billion files of one name. */
const HASH_LENGTH = 16

/** File names are limited to 255 bytes on common file systems. */
const LONGEST_NAME_BYTES = 200

/**
 * Returns the name of a published file: its own name with a digest of its content. Thus the content of a URL never
 * changes and can be cached forever. The name is the same on every machine and valid on every file system.
 */
export function nameAsset(source: string, hash: string): string {
  const file = basename(source).normalize('NFC')
  const ending = extname(file)
  const name = filenamify(file.slice(0, file.length - ending.length), { replacement: '-', maxLength: 200 })
  return `${cutBytes(name)}-${hash.slice(0, HASH_LENGTH)}${ending.toLowerCase()}`
}

/** Returns the URL of a published file. */
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

// The problems of files, with their messages.

/** A problem without its position. */
type AssetProblem = Pick<Problem, 'code' | 'message' | 'hint'>

/** Describes a file in terms of the site: without the path to a folder beside the content. */
export function shownSource(source: string): string {
  return source.replace(/^(?:\.\.\/)+/, '')
}

const NOUNS: Readonly<Record<AssetUse, string>> = {
  image: 'image',
  picture: 'image',
  banner: 'image',
  media: 'file',
  link: 'file',
}

function needsUrl(source: string, use: AssetUse, settings: AssetSettings): AssetProblem {
  const embedded =
    use === 'banner'
      ? `The banner "${source}" cannot be embedded: previews of links load it by its URL.`
      : `"${source}" is not an image, so it cannot be sent inside an article.`
  return {
    code: 'asset-type',
    message: isStoring(settings.storage) ? notStored(source) : embedded,
    hint: `Set assets.baseUrl to publish it with kb assets,${orStore(source, settings)} or upload it yourself and use its absolute URL.`,
  }
}

/** Returns advice that only helps with files that such a service stores. */
function orStore(source: string, { storage }: AssetSettings): string {
  return isStoring(storage) || storedTypeOf(source) === undefined
    ? ''
    : ' sync to a service that stores files,'
}

function notStored(shown: string): string {
  return `"${shown}" is of a type that the target does not store.`
}

function notAnArticle(source: string, shown: string, settings: AssetSettings): AssetProblem {
  const { baseUrl, storage } = settings
  const hasUrls = baseUrl !== undefined || isStoring(storage)
  const publish = fitsUse(source, 'link') ? ' set assets.baseUrl to publish it,' : ''
  if (hasUrls && !source.endsWith('.md')) {
    return {
      code: 'link-not-article',
      message: notStored(shown),
      hint: `Put it into a ZIP file,${publish} or link to an absolute URL.`,
    }
  }
  return {
    code: 'link-not-article',
    message: `"${shown}" is a file but not an article.`,
    hint: hasUrls
      ? 'It is excluded by include, exclude, an index.md beside a README.md, or a name that starts with _ or a dot.'
      : `Only articles and images are sent. Set assets.baseUrl to publish other files,${orStore(source, settings)} or link to an absolute URL.`,
  }
}

/** Only a run that sends asks the target. */
function unconfirmed(source: string, bytes: number): AssetProblem {
  return {
    code: 'asset-unconfirmed',
    message: `"${source}" (${formatBytes(bytes)}) can only be sent if the target stores files, which is not known yet.`,
    hint: 'kb sync asks the target. If it stores no files, set assets.baseUrl to publish the file with kb assets.',
  }
}

function wrongType(source: string, use: AssetUse): AssetProblem {
  if (isImageUse(use)) {
    return {
      code: 'asset-type',
      message: `"${source}" is not an image of a known type.`,
      hint: `Supported image types: ${IMAGE_ENDINGS.join(', ')}.`,
    }
  }
  const ending = endingOf(source)
  return {
    code: 'asset-type',
    message: `Files that ${ending === '' ? 'have no ending' : `end in ${ending}`} are not published: "${source}".`,
    hint: 'Put it into a ZIP file, or upload it yourself and link to its absolute URL.',
  }
}

export function missing(source: string, use: AssetUse): AssetProblem {
  return {
    code: 'asset-missing',
    message: `The ${NOUNS[use]} "${source}" does not exist.`,
    hint: 'The path is relative to the file that contains it, uses /, and is case-sensitive.',
  }
}

function otherCase(source: string, actual: string): AssetProblem {
  return {
    code: 'asset-missing',
    message: `There is no "${source}", but "${actual}": the case differs.`,
    hint: `Write it as ${fromDifference(source, actual)}; other machines would not find it.`,
  }
}

function notOpened(
  source: string,
  use: AssetUse,
  opened: Exclude<OpenedInside, { readonly kind: 'opened' }>,
): AssetProblem {
  switch (opened.kind) {
    case 'missing':
      return missing(source, use)
    case 'outside':
      return {
        code: 'link-outside',
        message: `"${source}" points to a file outside the content folder.`,
        hint: `Copy the ${NOUNS[use]} into the content folder.`,
      }
    case 'hidden':
      return {
        code: 'link-outside',
        message: `"${source}" points to a hidden file or folder, which kb-sync never reads.`,
        hint: `Use ${isImageUse(use) ? 'an image' : 'a file'} without a name that starts with a dot in its path.`,
      }
    case 'no-file':
      return {
        code: 'asset-missing',
        message: `"${source}" is not a file, but a folder, a pipe or a device.`,
        hint: 'Use the path of a file.',
      }
    case 'unreadable':
      return {
        code: 'asset-missing',
        message: `The ${NOUNS[use]} "${source}" could not be read: ${opened.reason}.`,
        hint: 'Make the file readable.',
      }
  }
}

function tooLarge(source: string, size: number, limits: AssetSettings): AssetProblem {
  if (limits.baseUrl === undefined && !isStoring(limits.storage)) {
    return {
      code: 'asset-too-large',
      message: `The image "${source}" has ${formatBytes(size)}; only images of up to ${formatBytes(limits.inlineUnderBytes)} can be sent inside the article.`,
      hint: 'Make it smaller, raise assets.inlineUnder, set assets.baseUrl to publish it with kb assets, or sync to a service that stores files.',
    }
  }
  return {
    code: 'asset-too-large',
    message: `"${source}" has ${formatBytes(size)}; only files of up to ${formatBytes(limits.maxSizeBytes)} are published.`,
    hint: 'Make it smaller, raise assets.maxSize, or upload it yourself and link to its absolute URL.',
  }
}

/** @param total total length of the embedded images of the article */
export function tooMuchEmbedded(
  source: string,
  count: number,
  { total, maximum }: { readonly total: number; readonly maximum: number },
): AssetProblem {
  return {
    code: 'asset-too-large',
    message: `With "${shownSource(source)}" (${pluralize(count, 'time')}), the images embedded in the article total ${formatBytes(total)}; the limit is ${formatBytes(maximum)}.`,
    hint: 'Use the image less often, make it smaller, or publish it with kb assets (assets.baseUrl).',
  }
}

function activeSvg(source: string, what: string): AssetProblem {
  return {
    code: 'asset-type',
    message: `"${source}" contains ${what}, which would run for anyone who opens the file by its URL.`,
    hint: 'Save it as a plain SVG without scripts, or as another type.',
  }
}

/** @param type as detected in the file; undefined if it is not an image */
function wrongContents(source: string, type: string | undefined): AssetProblem {
  return {
    code: 'asset-type-mismatch',
    message:
      type === undefined
        ? `"${source}" does not match its ending: it is not an image of a known type.`
        : `"${source}" does not match its ending: its type is ${type}.`,
    hint:
      type === undefined
        ? 'Save it again as an image: it may be damaged, or be a web page. If it is a pointer of Git LFS, run git lfs pull.'
        : `Rename it, or save it again as ${endingOf(source).slice(1)}.`,
  }
}

/** Returns the end of a path from the first folder or file name that differs. */
function fromDifference(source: string, actual: string): string {
  const written = source.split('/')
  const parts = actual.split('/')
  return parts.slice(parts.findIndex((part, index) => part !== written[index])).join('/')
}
