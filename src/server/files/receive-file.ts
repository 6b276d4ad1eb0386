import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type PictureSize, STORED_FILE_NAME } from '../../core/stored-file-names.ts'
import { createSvgCleaner } from '../../core/clean-svg.ts'
import { formatBytes } from '../../core/quantities.ts'
import { HttpError } from '../operations/responses.ts'
import { FILE_CHUNK_BYTES, type FileStore } from '../store/file-store.ts'
import { pictureSizeOf } from '../../web/picture-size.ts'
import { extensionOf, FILE_EXTENSIONS, fileTypeOf, fitsType } from './file-types.ts'

/** Size limits of the files of articles, in bytes. */
export interface FileLimits {
  /** Maximum size of a file. */
  readonly fileBytes: number
  /** Maximum size of all files of a site. */
  readonly siteBytes: number
}

/** An upload in progress. */
export interface Upload {
  /** Header Content-Length. */
  readonly length: string | undefined
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Number of bytes that are checked at a time, while other requests wait. */
const PART_BYTES = 65_536

interface Receiving {
  readonly store: FileStore
  readonly siteId: string
  readonly name: string
  readonly upload: Upload
  readonly limits: FileLimits
  /** The current time. */
  readonly now: string
}

/**
 * Checks and stores a file while it arrives. A file that fails a check, or arrives incompletely, is removed.
 *
 * @throws HttpError 400, 413, 507
 */
export async function receiveFile({ store, siteId, name, upload, limits, now }: Receiving): Promise<void> {
  assertName(name)
  const sizeBytes = lengthOf(upload, limits)
  const begun = await store.beginFile(siteId, { name, sizeBytes, now }, limits.siteBytes)
  if (begun.kind === 'full') throw storeFull(limits)
  if (begun.kind === 'stored') return skip(upload)
  const { id } = begun
  try {
    const content = checkedContent(name, sizeBytes, upload)
    const addChunk = (position: number, data: Uint8Array) => store.addFileChunk(siteId, id, position, data)
    const stored = await storeChunks(content, name, limits, addChunk)
    await store.finishFile(siteId, id, { name, now, ...stored })
  } catch (error) {
    await store.abandonFile(siteId, id)
    throw error
  }
}

function assertName(name: string): void {
  if (!STORED_FILE_NAME.test(name))
    throw new HttpError(400, 'The name of a file must be its SHA-256 in hexadecimal, a dot and its type')
  if (fileTypeOf(name) === undefined)
    throw new HttpError(
      400,
      `Files of the type ${extensionOf(name)} are not stored: use one of ${FILE_EXTENSIONS.join(', ')}`,
    )
}

function lengthOf({ length = '' }: Upload, limits: FileLimits): number {
  if (!/^\d{1,15}$/.test(length)) throw new HttpError(400, 'Send the file with the header Content-Length')
  if (Number(length) > limits.fileBytes) throw tooLarge(limits)
  return Number(length)
}

function tooLarge({ fileBytes }: FileLimits): HttpError {
  return new HttpError(413, `The file is too large: files of at most ${formatBytes(fileBytes)} are stored`)
}

function storeFull({ siteBytes }: FileLimits): HttpError {
  return new HttpError(
    507,
    `There is no room for the file: the files of a knowledge base may have ${formatBytes(siteBytes)} together`,
  )
}

/** Reads a body that is not needed, because a client may not expect the response before its end. */
async function skip({ bytes }: Upload): Promise<void> {
  for await (const _ of received(bytes));
}

/** Yields the bytes to store. Fails at the end if they do not match the digest in the name. */
async function* checkedContent(name: string, sizeBytes: number, upload: Upload): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const cleaner = extensionOf(name) === 'svg' ? createSvgCleaner() : undefined
  let receivedBytes = 0
  for await (const whole of received(upload.bytes)) {
    receivedBytes += whole.length
    if (receivedBytes > sizeBytes) break
    for (let start = 0; start < whole.length; start += PART_BYTES) {
      const part = whole.subarray(start, start + PART_BYTES)
      hash.update(part)
      yield cleaner === undefined ? part : cleaner.write(part)
      await turn()
    }
  }
  if (receivedBytes !== sizeBytes)
    throw new HttpError(400, 'The file does not have the length in the header Content-Length')
  if (!name.startsWith(`${hash.digest('hex')}.`))
    throw new HttpError(400, 'The file does not have the SHA-256 in its name')
  if (cleaner === undefined) return
  const rest = cleaner.end()
  if (rest === undefined)
    throw new HttpError(
      400,
      'The file is no SVG that can be cleaned: it must be well-formed, in UTF-8, without a style or an attribute of more than 5 MB',
    )
  yield rest
}

/** Reports a read error as a lost connection, the only possible cause. */
async function* received(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch {
    throw new HttpError(400, 'The connection was closed within the file')
  }
}

/** Checks the first chunk, then stores the content in chunks of equal size. @throws HttpError 400, 413 */
async function storeChunks(
  content: AsyncIterable<Uint8Array>,
  name: string,
  limits: FileLimits,
  addChunk: (position: number, data: Uint8Array) => Promise<void>,
) {
  const type = fileTypeOf(name)
  let picture: PictureSize | undefined
  let chunk = Buffer.alloc(FILE_CHUNK_BYTES)
  let filled = 0
  let position = 0
  let sizeBytes = 0

  async function flush(): Promise<void> {
    const data = chunk.subarray(0, filled)
    if (position === 0 && type !== undefined) {
      if (!fitsType(type, data))
        throw new HttpError(400, `The file is not of the type in its name, ${extensionOf(name)}`)
      if (type.contentType.startsWith('image/')) picture = pictureSizeOf(data)
    }
    if (filled > 0) await addChunk(position++, data)
    chunk = Buffer.alloc(FILE_CHUNK_BYTES)
    filled = 0
  }

  for await (const part of content) {
    // Cleaning may make a drawing longer.
    sizeBytes += part.length
    if (sizeBytes > limits.fileBytes) throw tooLarge(limits)
    for (let start = 0; start < part.length;) {
      const taken = part.subarray(start, start + FILE_CHUNK_BYTES - filled)
      chunk.set(taken, filled)
      filled += taken.length
      start += taken.length
      if (filled === FILE_CHUNK_BYTES) await flush()
    }
  }
  if (filled > 0 || position === 0) await flush()
  return { sizeBytes, picture }
}
