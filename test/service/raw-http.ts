// HTTP by hand: what is sent may be anything, and what comes back is taken apart byte by byte.
import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Longest wait for the server to close; reaching it means that the server hangs. */
const PATIENCE_MS = 20_000

/**
 * Sends `parts` in a connection of their own, ends this side, and waits until the server has closed its side.
 *
 * @param methods of the requests sent, where one is HEAD: its answer has no body
 */
export async function exchange(
  port: number,
  parts: readonly (string | Uint8Array)[],
  methods: readonly string[] = [],
): Promise<RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // The server may give up while we are still sending: what it said until then is its answer.
  socket.on('error', () => undefined)
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('The server did not close the connection')))
  await once(socket, 'connect')
  for (const part of parts) if (socket.writable) socket.write(part)
  socket.end()
  if (!socket.closed) await once(socket, 'close')
  if (socket.errored?.message.startsWith('The server did not') === true) throw socket.errored
  return takeApart(Buffer.concat(chunks).toString('latin1'), methods)
}

function takeApart(text: string, methods: readonly string[]): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`The answer has no end of its head: ${rest}`)
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (Number.isNaN(status)) throw new Error(`The answer begins with ${line}`)
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.replace(/^[^:]*: */, ''),
      ]),
    )
    rest = rest.slice(end + 4)
    if (status < 200) continue
    // What is not valid HTTP was not read so far that its method would be known.
    const hasBody = methods[answers.length] !== 'HEAD' || (status === 400 && rest.startsWith('{'))
    const { body, size } = hasBody ? bodyOf(rest, headers) : { body: '', size: 0 }
    answers.push({ status, headers, body })
    rest = rest.slice(size)
  }
  return answers
}

function bodyOf(text: string, headers: Readonly<Record<string, string>>): { body: string; size: number } {
  if (headers['transfer-encoding'] === 'chunked') return chunkedBody(text)
  const size = Number(headers['content-length'] ?? text.length)
  if (text.length < size) throw new Error(`The answer breaks off after ${text.length} of ${size} bytes`)
  return { body: Buffer.from(text.slice(0, size), 'latin1').toString('utf8'), size }
}

function chunkedBody(text: string): { body: string; size: number } {
  let [body, at] = ['', 0]
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    const length = Number.parseInt(text.slice(at, lineEnd), 16)
    if (lineEnd < 0 || Number.isNaN(length)) throw new Error('The answer breaks off between chunks')
    body += text.slice(lineEnd + 2, lineEnd + 2 + length)
    at = lineEnd + 2 + length + 2
    if (length === 0) return { body: Buffer.from(body, 'latin1').toString('utf8'), size: at }
  }
}

/** How an answer departs from what every answer is, whatever was sent; undefined where it does not. */
export function faultOf({ status, headers, body }: RawAnswer, method = 'GET'): string | undefined {
  const told = `${status} ${JSON.stringify(headers)} ${body.slice(0, 500)}`
  if (status >= 500) return `a fault of the server: ${told}`
  if (method === 'HEAD' && body === '') return undefined
  if (!/^application\/json($|;)/.test(headers['content-type'] ?? '')) return `not sent as JSON: ${told}`
  const answer = parse(body)
  if (answer === undefined) return `no JSON: ${told}`
  if (status === 200) return undefined
  const { success, message, ...more } = answer
  const isFailure = success === false && typeof message === 'string' && message !== ''
  return isFailure && Object.keys(more).length === 0 ? undefined : `not in the shape of a failure: ${told}`
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
