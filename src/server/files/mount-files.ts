import type { Context } from 'hono'
import { STORED_FILES_PATH } from '../../core/stored-file-names.ts'
import { SECURITY_HEADERS, streamPieces, type MountContext, type ServerEnv } from '../http/handle-request.ts'
import { HttpError } from '../operations/responses.ts'
import { FILE_CHUNK_BYTES, type FileStore } from '../store/file-store.ts'
import { extensionOf, fileTypeOf } from './file-types.ts'

/** A file name has only one content, so caches never ask again. */
const CACHING = 'public, max-age=31536000, immutable'

/** Called if a response fails after it was started, with the request's id. */
type OnFault = (error: unknown, requestId: string) => void

interface ServedFiles {
  readonly store: FileStore
  /** Sites whose files are not served here. */
  readonly hiddenSites?: readonly string[] | undefined
  readonly onFault: OnFault
}

/** Serves stored files to anyone who knows their names. */
export function mountFiles({ app, handle }: MountContext, served: ServedFiles): void {
  const answer = handle(`${STORED_FILES_PATH}{name}`, (c) => sendFile(c, served))
  app.get(`${STORED_FILES_PATH}:name{[0-9a-f]+\\.[0-9a-z]+}`, answer)
}

async function sendFile(c: Context<ServerEnv>, { store, hiddenSites = [], onFault }: ServedFiles) {
  const name = c.req.param('name') ?? ''
  const file = fileTypeOf(name) && (await store.findFile(name, hiddenSites))
  if (file === undefined) throw new HttpError(404, `There is no file ${name}`)
  const tag = `"${name.slice(0, name.indexOf('.'))}"`
  const headers = { ...headersOf(name), ...c.get('trace').headers, ETag: tag }
  if (knows(c.req.header('If-None-Match'), tag)) return new Response(null, { status: 304, headers })

  const { sizeBytes } = file
  const condition = c.req.header('If-Range')
  const asked = condition === undefined || condition === tag ? c.req.header('Range') : undefined
  const range = readRange(asked, sizeBytes)
  if (range.kind === 'unsatisfiable')
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${sizeBytes}` },
    })
  const { start, end } = range
  const isPart = range.kind === 'part'
  const body =
    c.req.method === 'HEAD' || start === end
      ? null
      : streamPieces(c, readPieces(store, file.id, start, end), onFault)
  return new Response(body, {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(end - start),
      ...(isPart && {
        'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}`,
        // A range of a compressed response is not a range of the file.
        'Cache-Control': `${headers['Cache-Control']}, no-transform`,
      }),
    },
  })
}

/** Returns headers that prevent code in a file from running, in scripts as well as in the file opened as a page. */
function headersOf(name: string) {
  const { contentType = '', isShown = false } = fileTypeOf(name) ?? {}
  // A browser embeds a PDF in a page of its viewer, which a sandbox prevents.
  const policy = extensionOf(name) === 'pdf' ? "object-src 'self'; frame-ancestors 'none'" : 'sandbox'
  return {
    ...SECURITY_HEADERS,
    // Other sites may embed the articles.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; ${policy}`,
    'Content-Type': contentType,
    ...(!isShown && { 'Content-Disposition': 'attachment' }),
    'Cache-Control': CACHING,
    'Accept-Ranges': 'bytes',
  }
}

function knows(condition: string | undefined, tag: string): boolean {
  return condition?.split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}

interface ByteRange {
  readonly kind: 'whole' | 'part'
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** Parses a Range header. Returns the whole file for several ranges, or for another unit. */
export function readRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | { readonly kind: 'unsatisfiable' } {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  const isInverted = first !== '' && last !== '' && Number(last) < Number(first)
  if ((first === '' && last === '') || isInverted) return { kind: 'whole', start: 0, end: sizeBytes }
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  return start < end ? { kind: 'part', start, end } : { kind: 'unsatisfiable' }
}

async function* readPieces(store: FileStore, id: string, start: number, end: number) {
  for (let offset = start; offset < end;) {
    const position = Math.floor(offset / FILE_CHUNK_BYTES)
    const begin = position * FILE_CHUNK_BYTES
    const chunk = await store.readFileChunk(id, position)
    if (chunk === undefined) throw new Error('A file was removed while it was sent')
    const piece = chunk.subarray(offset - begin, end - begin)
    yield piece
    offset += piece.length
  }
}
