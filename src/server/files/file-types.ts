// The types of files that the service stores, by file extension.

interface FileType {
  readonly contentType: string
  /** True if browsers may show it. All other files are downloads. */
  readonly isShown: boolean
  /** Alternatives for the first bytes, each with its offset; undefined for a text file. */
  readonly signature: readonly (readonly [offset: number, ...texts: string[]])[] | undefined
}

const shown = (contentType: string, ...signature: NonNullable<FileType['signature']>): FileType => ({
  contentType,
  isShown: true,
  signature,
})

const download = (signature: FileType['signature']): FileType => ({
  contentType: 'application/octet-stream',
  isShown: false,
  signature,
})

/** Subtitles. */
const WEBVTT = shown('text/vtt; charset=utf-8', [0, 'WEBVTT', '\xef\xbb\xbfWEBVTT'])

const ARCHIVE = download([[0, 'PK\x03\x04', 'PK\x05\x06']])
const TEXT = download(undefined)

const AVIF_BRANDS = ['ftypavif', 'ftypavis', 'ftypmif1', 'ftypmsf1']
/** Frames of MPEG 1, 2 and 2.5, layer III. */
const MP3_FRAMES = ['\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2', '\xff\xe3', '\xff\xe2']

const FILE_TYPES: Readonly<Record<string, FileType>> = {
  png: shown('image/png', [0, '\x89PNG\r\n\x1a\n']),
  jpg: shown('image/jpeg', [0, '\xff\xd8\xff']),
  gif: shown('image/gif', [0, 'GIF87a', 'GIF89a']),
  webp: shown('image/webp', [0, 'RIFF'], [8, 'WEBP']),
  avif: shown('image/avif', [4, ...AVIF_BRANDS]),
  svg: shown('image/svg+xml'),
  pdf: shown('application/pdf', [0, '%PDF-']),
  mp4: shown('video/mp4', [4, 'ftyp']),
  webm: shown('video/webm', [0, '\x1aE\xdf\xa3']),
  mp3: shown('audio/mpeg', [0, 'ID3', ...MP3_FRAMES]),
  vtt: WEBVTT,
  zip: ARCHIVE,
  docx: ARCHIVE,
  pptx: ARCHIVE,
  xlsx: ARCHIVE,
  csv: TEXT,
  json: TEXT,
  txt: TEXT,
}

export const FILE_EXTENSIONS = Object.keys(FILE_TYPES)

/** Returns the type of a file name; undefined if such files are not stored. */
export function fileTypeOf(name: string): FileType | undefined {
  return Object.hasOwn(FILE_TYPES, extensionOf(name)) ? FILE_TYPES[extensionOf(name)] : undefined
}

export function extensionOf(name: string): string {
  return name.slice(name.indexOf('.') + 1)
}

/** True if the first bytes of a file match its type. */
export function fitsType({ signature }: FileType, head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (signature === undefined) return isText(text)
  return signature.every(([offset, ...texts]) =>
    texts.some((each) => text.toString('latin1', offset, offset + each.length) === each),
  )
}

const BYTE_ORDER_MARKS: ReadonlySet<string> = new Set(['\xff\xfe', '\xfe\xff'])

/** True if there are no bytes that texts lack, and no signature of another type, unless that is a text as well. */
function isText(head: Buffer): boolean {
  if (BYTE_ORDER_MARKS.has(head.toString('latin1', 0, 2))) return true
  const others = Object.values(FILE_TYPES).filter(
    (type) => (type.signature?.length ?? 0) > 0 && type !== WEBVTT,
  )
  return !head.includes(0) && !others.some((type) => fitsType(type, head))
}
