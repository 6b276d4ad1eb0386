// Which files may travel. Images go where an image stands. What may be linked to, or played, once files have addresses
// of their own, is what readers of a help centre download or watch, and what no browser runs as a page: an HTML, XHTML
// or XML file would be a page of ours in all but name, with scripts that no allow-list has seen.
import { extname } from 'node:path'

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
