// The types of files that may be sent. Image types are allowed wherever an image is. Links, audio and video may use
// files that readers download or play and that no browser runs as a page: an HTML, XHTML or XML file would be a page on
// our host, with scripts that no allow-list has checked.
import { extname } from 'node:path'
import { imageSize } from 'image-size'
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { tryTo } from '../../core/try-to.ts'

/** Media types of images by extension. */
const IMAGES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** Types for `video`, `audio`, `source` and `track`. */
const MEDIA = '.flac .m4a .m4v .mov .mp3 .mp4 .oga .ogg .ogv .opus .srt .vtt .wav .webm'.split(' ')

const DOCUMENTS = '.csv .doc .docx .epub .odp .ods .odt .pdf .ppt .pptx .rtf .tsv .txt .xls .xlsx'.split(' ')
const DATA = '.geojson .gpx .ics .json .log .toml .vcf .yaml .yml'.split(' ')
const ARCHIVES = '.7z .bz2 .gz .tar .tgz .xz .zip'.split(' ')
const DOWNLOADS = '.apk .deb .dmg .exe .msi .pkg .rpm .stl .ttf .otf .woff .woff2'.split(' ')

/** Types that a service with the extension `files` stores, by file extension. */
const STORED: ReadonlyMap<string, string> = new Map([
  ...'avif csv docx gif jpg json mp3 mp4 pdf png pptx svg txt vtt webm webp xlsx zip'
    .split(' ')
    .map((type) => [`.${type}`, type] as const),
  ['.jpeg', 'jpg'],
])

/** Returns the type under which a service stores a file; undefined if it does not store such files. */
export function storedTypeOf(source: string): string | undefined {
  return STORED.get(endingOf(source))
}

/**
 * The use of an asset, which determines the allowed types. `picture`: the image in a URL field. `banner`: the same, for
 * programs that load the image by its URL.
 */
export type AssetUse = 'image' | 'picture' | 'banner' | 'media' | 'link'

export const IMAGE_ENDINGS = Object.keys(IMAGES)

const ENDINGS: Readonly<Record<AssetUse, ReadonlySet<string>>> = {
  image: new Set(IMAGE_ENDINGS),
  picture: new Set(IMAGE_ENDINGS),
  banner: new Set(IMAGE_ENDINGS),
  media: new Set(MEDIA),
  link: new Set([...IMAGE_ENDINGS, ...MEDIA, ...DOCUMENTS, ...DATA, ...ARCHIVES, ...DOWNLOADS]),
}

/** Returns the extension of a source in lower case, with its dot; '' if there is none. */
export function endingOf(source: string): string {
  return extname(source).toLowerCase()
}

export function isImageUse(use: AssetUse): boolean {
  return use === 'image' || use === 'picture' || use === 'banner'
}

/** True for images without an extension, too: their first bytes tell their type. */
export function mayFitUse(source: string, use: AssetUse): boolean {
  return fitsUse(source, use) || (isImageUse(use) && endingOf(source) === '')
}

export function fitsUse(source: string, use: AssetUse): boolean {
  return ENDINGS[use].has(endingOf(source))
}

/** Returns the media type of an image, or undefined for any other file. */
export function imageTypeOf(source: string): string | undefined {
  return IMAGES[endingOf(source)]
}

const AVIF_BRANDS = new Set(['avif', 'avis', 'mif1', 'msf1'])

const textOf = (head: Uint8Array) => Buffer.from(head).toString('utf8')

// A browser detects an image by its first bytes. For SVG, the package checks only 1000 bytes; for AVIF, only one brand.
const TESTS: Readonly<Record<string, (head: Uint8Array) => boolean>> = {
  '.avif': (head) => {
    const type = Buffer.from(head.subarray(4, 12)).toString('latin1')
    return type.startsWith('ftyp') && AVIF_BRANDS.has(type.slice(4))
  },
  '.gif': (head) => GIF.validate(head),
  '.jpg': (head) => JPG.validate(head),
  '.jpeg': (head) => JPG.validate(head),
  '.png': (head) => PNG.validate(head),
  '.svg': (head) => /<(?:[\w-]+:)?svg[\s/>]/.test(textOf(head)),
  '.webp': (head) => WEBP.validate(head),
}

/**
 * Checks an image's first bytes against its extension and returns the detected type if they differ.
 *
 * @param head the first bytes
 */
export function detectImage(
  source: string,
  head: Uint8Array,
): { readonly kind: 'fits' } | { readonly kind: 'other'; readonly type: string | undefined } {
  const test = TESTS[endingOf(source)]
  if (test === undefined || tryTo(() => test(head), false)) return { kind: 'fits' }
  const known = Object.entries(TESTS).find(([, other]) => tryTo(() => other(head), false))
  return { kind: 'other', type: known === undefined ? typeOf(head) : known[0].slice(1) }
}

/** Returns the extension that the name of an image lacks, by its first bytes. SVG is text, which needs its extension. */
export function missingExtension(head: Uint8Array): string | undefined {
  return Object.keys(TESTS).find((ending) => ending !== '.svg' && tryTo(() => TESTS[ending]?.(head), false))
}

/** Returns the type as named by `image-size`, or undefined for unknown images. */
function typeOf(head: Uint8Array): string | undefined {
  const type = tryTo(() => imageSize(head).type)
  // The package accepts four zero bytes as TGA.
  return type === 'tga' ? undefined : type
}
