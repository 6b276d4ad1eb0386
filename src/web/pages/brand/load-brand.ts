import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { imageSize } from 'image-size'
import { type BrandSettings, describeConfig } from '../../../core/config/settings.ts'
import { createSvgCleaner } from '../../../core/clean-svg.ts'
import { digest, digestParts } from '../../../core/digest.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { playerOrigins } from '../../../core/embed-hosts.ts'
import type { Asset } from '../load-assets.ts'
import type { PageSources } from '../page-headers.ts'
import { accentStyles, accentWarnings } from './accent.ts'
import { errorCodeOf } from '../../../core/error-code.ts'

/** The appearance of a company's pages: its settings, and the files that they name. */
export interface Brand extends Pick<
  BrandSettings,
  'header' | 'footer' | 'contact' | 'home' | 'messages' | 'embeds' | 'editUrl'
> {
  /** Changes whenever any part of it changes. */
  readonly digest: string
  readonly logo: Logo | undefined
  readonly favicon: Picture | undefined
  /** URLs of stylesheets, in order. */
  readonly styles: readonly string[]
  /** Additional sources that the pages' content security policy must allow. */
  readonly sources: PageSources
  /** The files by URL. */
  readonly files: ReadonlyMap<string, Asset>
  /** Warnings about the settings, for the owner. */
  readonly warnings: readonly string[]
}

interface Logo {
  readonly light: Picture
  readonly dark: Picture | undefined
  readonly replacesName: boolean
}

interface Picture {
  /** A URL, or the path of one of the files, below the pages' own path. */
  readonly address: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** The built-in appearance. */
export const NO_BRAND: Brand = {
  digest: '',
  logo: undefined,
  favicon: undefined,
  styles: [],
  sources: { style: [], font: [], frame: [] },
  files: new Map(),
  warnings: [],
}

const LIMIT_BYTES = 2_000_000

/** Types of images by their names in `image-size`. */
const IMAGES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  heif: 'image/avif',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

const FONTS: Readonly<Record<string, string>> = {
  '.otf': 'font/otf',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

interface LoadBrandOptions {
  /** The project folder. */
  readonly root: string
  readonly brand: BrandSettings
  /** The part of the configuration, for messages; default `pages`. */
  readonly field?: string
}

/**
 * Reads the files of the configuration.
 *
 * @param onFile called with the absolute path of each file before it is read
 * @throws KbError CONFIG_INVALID for a file that is missing, too large or of a wrong type
 */
export function loadBrand(
  { root, brand, field = 'pages' }: LoadBrandOptions,
  onFile: (path: string) => void = () => undefined,
): Brand {
  const {
    logo,
    favicon,
    css,
    colours = {},
    header,
    footer,
    contact,
    home,
    messages,
    embeds = [],
    editUrl,
  } = brand
  const files = createBrandFiles(root, onFile)
  const { light, dark, replacesName = false } = typeof logo === 'string' ? { light: logo } : (logo ?? {})
  const lightLogo = files.picture(`${field}.logo`, light)
  const text =
    accentStyles(colours) + (css === undefined || isUrl(css) ? '' : files.styles(`${field}.css`, css))
  const styles = [
    ...(text === '' ? [] : [files.add('brand.css', styleAsset(text))]),
    ...(css !== undefined && isUrl(css) ? [css] : []),
  ]
  const hosts = styles.filter(isUrl).map((url) => new URL(url).origin)
  const parts = {
    logo: lightLogo && { light: lightLogo, dark: files.picture(`${field}.logo.dark`, dark), replacesName },
    favicon: files.picture(`${field}.favicon`, favicon),
    styles,
    sources: {
      style: hosts,
      font: css === undefined ? [] : ["'self'", 'data:', ...hosts],
      frame: playerOrigins(embeds),
    },
    embeds,
    editUrl,
    header,
    footer,
    contact,
    home,
  }
  return {
    ...parts,
    files: files.all,
    warnings: accentWarnings(colours, `${field}.colours`),
    messages,
    // A message may be a function, so it is described.
    digest: digestParts([JSON.stringify(parts), describeConfig(messages)]),
  }
}

/** Reads files, and gives each a URL with its digest. @param field names the setting in errors */
function createBrandFiles(root: string, onFile: (path: string) => void) {
  const all = new Map<string, Asset>()
  const read = (field: string, path: string): FileOfBrand => {
    const file = resolve(root, path)
    onFile(file)
    return { field, path, bytes: readBytes(field, path, file) }
  }
  const add = (name: string, asset: Asset): string => {
    const address = `/${digest(asset.bytes).slice(0, 16)}/${encodeURIComponent(name)}`
    all.set(address, asset)
    return address
  }
  return {
    all,
    add,
    picture: (field: string, from: string | undefined): Picture | undefined => {
      if (from === undefined || isUrl(from)) return from === undefined ? undefined : { address: from }
      const { asset, width, height } = imageIn(read(field, from))
      return { address: add(basename(from), asset), width, height }
    },
    /** Returns a stylesheet in which references to files are replaced by URLs. */
    styles: (field: string, path: string): string =>
      withAddresses(textIn(read(field, path)), (name) => {
        const file = read(field, join(dirname(path), name))
        const font = FONTS[extname(name).toLowerCase()]
        const asset = font === undefined ? imageIn(file).asset : { bytes: file.bytes, contentType: font }
        // Relative to the stylesheet, which is in a separate folder.
        return `..${add(basename(name), asset)}`
      }),
  }
}

interface FileOfBrand {
  readonly field: string
  /** The path in the configuration. */
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Decodes a text without its byte order mark. */
function textIn({ bytes }: FileOfBrand): string {
  return new TextDecoder().decode(bytes)
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function styleAsset(text: string): Asset {
  return { bytes: new Uint8Array(Buffer.from(text)), contentType: 'text/css; charset=utf-8' }
}

function readBytes(field: string, path: string, file: string): Uint8Array<ArrayBuffer> {
  try {
    if (statSync(file).size > LIMIT_BYTES)
      throw new KbError('CONFIG_INVALID', `${field}: ${path} is larger than ${LIMIT_BYTES / 1e6} MB.`, {
        hint: 'Use a smaller file: every reader has to load it.',
      })
    return new Uint8Array(readFileSync(file))
  } catch (error) {
    if (error instanceof KbError) throw error
    const isMissing = errorCodeOf(error) === 'ENOENT'
    const problem = isMissing
      ? `the file ${path} does not exist`
      : `${path} could not be read: ${reasonOf(error)}`
    throw new KbError('CONFIG_INVALID', `${field}: ${problem}.`, {
      hint: 'Create the file, or correct its path, which is relative to the project folder.',
      cause: error,
    })
  }
}

/** Detects the type by the content, regardless of the name. */
function imageIn({ field, path, bytes }: FileOfBrand) {
  const { type = '', width, height } = sizeOf(bytes)
  const contentType = IMAGES[type]
  if (contentType === undefined)
    throw new KbError('CONFIG_INVALID', `${field}: ${path} is not an image that browsers show.`, {
      hint: 'Use an SVG, PNG, WebP, AVIF, JPEG, GIF or ICO file.',
    })
  return {
    asset: { bytes: type === 'svg' ? cleaned(field, path, bytes) : bytes, contentType },
    width,
    height,
  }
}

/** Sanitises an SVG like one of an article. */
function cleaned(field: string, path: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const cleaner = createSvgCleaner()
  const start = cleaner.write(bytes)
  const rest = cleaner.end()
  if (rest === undefined)
    throw new KbError('CONFIG_INVALID', `${field}: ${path} is no SVG that can be cleaned.`, {
      hint: 'Use a well-formed SVG in UTF-8.',
    })
  return new Uint8Array(Buffer.concat([start, rest]))
}

function sizeOf(bytes: Uint8Array): Partial<ReturnType<typeof imageSize>> {
  try {
    return imageSize(bytes)
  } catch {
    // An SVG may have no size, or a long comment before its first element.
    const text = new TextDecoder().decode(bytes)
    return /^\s*</.test(text) && /<(?:[\w-]+:)?svg[\s/>]/.test(text) ? { type: 'svg' } : {}
  }
}

/** Replaces references to files next to the stylesheet by URLs. */
function withAddresses(css: string, addressOf: (path: string) => string): string {
  return css.replaceAll(
    /\/\*[\s\S]*?\*\/|\burl\(\s*(["']?)(?![a-z][a-z\d+.-]*:|[/#])([^"'()\s]+)\1\s*\)/gi,
    (whole, _quote: string, path: string | undefined) => {
      if (path === undefined) return whole
      const [, name = path, end = ''] = /^([^?#]*)(.*)$/.exec(path) ?? []
      return `url("${addressOf(name)}${end}")`
    },
  )
}
