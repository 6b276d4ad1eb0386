import { HttpError } from '../operations/http-error.ts'

/** Largest body that is read, in bytes: an article may hold its images inline. */
export const BODY_LIMIT_BYTES = 32_000_000

/**
 * The JSON that a request carries, unread.
 *
 * @throws Refusal 415 where it is not sent as plain JSON, 413 where it is too large, 400 where it is not whole
 */
export async function readJsonBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new HttpError(415, 'Send the body with the header "Content-Type: application/json"')
  }
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity') {
    throw new HttpError(415, `Send the body as it is: the coding "${coding}" is not supported`, {
      'Accept-Encoding': 'identity',
    })
  }
  return readBytes(request, limitBytes).catch(cutOff)
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === null) return readChunks(request, limitBytes)
  if (Number(announced) > limitBytes) throw tooLarge(limitBytes)
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  return bytes
}

// A body of unannounced length is given up as soon as it has passed the limit.
async function readChunks(request: Request, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Reading fails only where the connection does: no one is left to hear this, but it is no fault of the server.
function cutOff(error: unknown): never {
  throw error instanceof HttpError ? error : new HttpError(400, 'The connection was closed within the body')
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body is too large: at most ${limitBytes} bytes are read`)
}
