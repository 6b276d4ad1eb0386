// Which files may travel. Images go where an image stands. What may be linked to, or played, once files have addresses
// of their own, is what readers of a help centre download or watch, and what no browser runs as a page: an HTML, XHTML
// or XML file would be one of our pages in all but name, with scripts that no allow-list has seen.
import { extname } from 'node:path'
import { imageSize } from 'image-size'
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'

/** Media types of images by ending. */
const IMAGES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** What `video`, `audio`, `source` and `track` name. */
const MEDIA = '.flac .m4a .m4v .mov .mp3 .mp4 .oga .ogg .ogv .opus .srt .vtt .wav .webm'.split(' ')

const DOCUMENTS = '.csv .doc .docx .epub .odp .ods .odt .pdf .ppt .pptx .rtf .tsv .txt .xls .xlsx'.split(' ')
const DATA = '.geojson .gpx .ics .json .log .toml .vcf .yaml .yml'.split(' ')
const ARCHIVES = '.7z .bz2 .gz .tar .tgz .xz .zip'.split(' ')
const DOWNLOADS = '.apk .deb .dmg .exe .msi .pkg .rpm .stl .ttf .otf .woff .woff2'.split(' ')

/** What an asset is used as, which decides the types that fit. */
export type AssetUse = 'image' | 'media' | 'link'

export const IMAGE_ENDINGS = Object.keys(IMAGES)

const ENDINGS: Readonly<Record<AssetUse, ReadonlySet<string>>> = {
  image: new Set(IMAGE_ENDINGS),
  media: new Set(MEDIA),
  link: new Set([...IMAGE_ENDINGS, ...MEDIA, ...DOCUMENTS, ...DATA, ...ARCHIVES, ...DOWNLOADS]),
}

/** The ending of a source that decides its type: lower case, with its dot; '' where it has none. */
export function endingOf(source: string): string {
  return extname(source).toLowerCase()
}

export function fitsUse(source: string, use: AssetUse): boolean {
  return ENDINGS[use].has(endingOf(source))
}

/** The media type of an image; undefined for any other file. */
export function imageTypeOf(source: string): string | undefined {
  return IMAGES[endingOf(source)]
}

type Test = (head: Uint8Array) => boolean

const AVIF_BRANDS = new Set(['avif', 'avis', 'mif1', 'msf1'])

const textOf = (head: Uint8Array) => Buffer.from(head).toString('utf8')

// Which image a browser sees is decided by its first bytes. Of SVG the package checks 1000 bytes only, of AVIF at one
// of its brands.
const TESTS: Readonly<Record<string, Test>> = {
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
 * Whether an image begins as its ending promises, and if not, what it is.
 *
 * @param head the first bytes
 */
export function detectImage(
  source: string,
  head: Uint8Array,
): { readonly kind: 'fits' } | { readonly kind: 'other'; readonly type: string | undefined } {
  const test = TESTS[endingOf(source)]
  if (test === undefined || succeeds(() => test(head))) return { kind: 'fits' }
  const known = Object.entries(TESTS).find(([, other]) => succeeds(() => other(head)))
  return { kind: 'other', type: known === undefined ? typeOf(head) : known[0].slice(1) }
}

function succeeds(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return false
  }
}

/** The type as `image-size` names it; undefined for what is no image that it knows. */
function typeOf(head: Uint8Array): string | undefined {
  try {
    const { type } = imageSize(head)
    // Four bytes that are zero are enough for it to see one.
    return type === 'tga' ? undefined : type
  } catch {
    return undefined
  }
}
