// Files for the extension `files`.
import { createHash } from 'node:crypto'
import { API_KEY, type Answer, type TestServer } from './server.ts'

/** The smallest parts that a reader of sizes needs: a PNG of 640 x 480 pixels. */
export const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d494844520000028000000 1e00806000000'.replaceAll(' ', '') + '35d1dce4',
  'hex',
)

/** The name under which these bytes are stored. */
export function fileName(extension: string, bytes: string | Uint8Array): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${extension}`
}

/** Uploads a file with the key of the tests. */
export async function putFile(
  { app }: Pick<TestServer, 'app'>,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Pick<Answer, 'status' | 'body'>> {
  const length = bytes instanceof ReadableStream ? {} : { 'Content-Length': `${Buffer.byteLength(bytes)}` }
  const response = await app.request(`/api/v2/files/${name}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${API_KEY}`, ...length, ...headers },
    body: bytes,
    ...(bytes instanceof ReadableStream && { duplex: 'half' as const }),
  })
  return { status: response.status, body: await response.json() }
}
