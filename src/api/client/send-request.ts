import { pipeline, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { isRecord } from '../../core/is-record.ts'
import { AnswerTimeout, type ConnectionFailure, explainConnectionFailure } from './connection-failure.ts'

export interface OutgoingRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS'
  /** Relative to the URL of the service, encoded. */
  readonly path: string
  /** In addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Serialised when it is sent, because thousands may wait. */
  readonly body?: unknown
  /** A body of bytes instead of `body`, opened for each attempt. */
  readonly upload?: { readonly bytes: number; readonly open: () => Readable }
  /** Creates the reader of the response's body, for each attempt; default: the whole body is kept. */
  readonly createReader?: () => BodyReader
}

export interface BodyReader<Part = Uint8Array> {
  write(part: Part): void
  /** Returns the text that replaces the body. */
  end(): string
}

export interface Answer {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The whole body, or the result of its reader. */
  readonly text: string
}

export type SendRequest = (request: OutgoingRequest) => Promise<Answer | ConnectionFailure>

interface SendRequestOptions {
  readonly dispatcher: Dispatcher
  readonly origin: string
  /** Prefix of every path; '' or starting with a slash. */
  readonly basePath: string
  /** Headers of every request: name, value, name, value… */
  readonly headers: readonly string[]
  /** Requests compressed responses to reads; others are short. On loopback, compression costs more than it saves. */
  readonly compressed: boolean
  /**
   * Maximum time from sending a request to the last byte of its response. For an upload, it restarts with each part.
   */
  readonly timeoutMs: number
  /** Aborts requests that change nothing on the target. */
  readonly readSignal?: AbortSignal | undefined
}

/**
 * Sends each request once. Never follows a redirect, because the key is for one origin only. An aborted request rejects
 * with an AbortError.
 */
export function createSendRequest(options: SendRequestOptions): SendRequest {
  const { dispatcher, origin, basePath, headers, compressed, timeoutMs, readSignal } = options
  const readHeaders = compressed ? [...headers, 'accept-encoding', 'gzip'] : headers
  const uploadHeaders = headers.filter((_, index) => headers[index - (index % 2)] !== 'content-type')
  return async ({ method, path, headers: own = {}, body, upload, createReader }) => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new AnswerTimeout()), timeoutMs)
    const stream = upload && watchUpload(upload.open(), () => timer.refresh())
    const isCutOff = (method === 'GET' || method === 'OPTIONS') && readSignal !== undefined
    try {
      const response = await dispatcher.request({
        origin,
        path: basePath + path,
        method,
        headers: [
          ...(upload === undefined
            ? method === 'GET'
              ? readHeaders
              : headers
            : [...uploadHeaders, ...describeUpload(upload.bytes)]),
          ...Object.entries(own).flat(),
        ],
        body: stream?.body ?? (body === undefined ? null : toJson(body)),
        // The timer above sets the limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: isCutOff ? AbortSignal.any([readSignal, late.signal]) : late.signal,
      })
      const plain = decoded(response)
      const received = await (createReader === undefined ? text(plain) : readBody(plain, createReader()))
      return { kind: 'answered', status: response.statusCode, headers: response.headers, text: received }
    } catch (error) {
      if (error instanceof ReaderFault) throw error.cause
      const fault = stream?.fault()
      if (fault instanceof UnreadableUpload) throw fault
      if (error instanceof Error && error.name === 'AbortError') throw error
      return explainConnectionFailure(error)
    } finally {
      stream?.body.destroy()
      clearTimeout(timer)
    }
  }
}

/** The articles of a batch are encoded one by one: V8 keeps long strings until it collects all garbage. */
function toJson(body: unknown): string | Uint8Array {
  const articles = isRecord(body) && Object.keys(body).length === 1 ? body['articles'] : undefined
  if (!Array.isArray(articles)) return JSON.stringify(body)
  const parts = articles.map((each: unknown, at) =>
    Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(each)}`),
  )
  return Buffer.concat([Buffer.from('{"articles":['), ...parts, Buffer.from(']}')])
}

function describeUpload(bytes: number): string[] {
  return ['content-type', 'application/octet-stream', 'content-length', String(bytes)]
}

/** The error of an upload's stream if it must not be completed. A failed request also destroys the stream. */
export class UnreadableUpload extends Error {
  override readonly name = 'UnreadableUpload'
}

/** Reports each part of an upload's body, and its first error. */
function watchUpload(body: Readable, onPart: () => void) {
  let fault: Error | undefined
  body.on('data', onPart).pause()
  body.on('error', (error) => {
    fault ??= error
  })
  return { body, fault: () => fault }
}

/** Returns the decompressed body. Fails if it is truncated. */
function decoded({ body, headers }: Dispatcher.ResponseData): Readable {
  const isPacked = /^(x-)?gzip$/i.test(String(headers['content-encoding'] ?? '').trim())
  if (!isPacked || headers['content-length'] === '0') return body
  // The reader of the body receives the error.
  return pipeline(body, createGunzip(), () => undefined)
}

class ReaderFault extends Error {
  override readonly name = 'ReaderFault'
}

async function readBody(body: AsyncIterable<Uint8Array>, reader: BodyReader): Promise<string> {
  for await (const bytes of body) {
    try {
      reader.write(bytes)
    } catch (cause) {
      throw new ReaderFault('The reader of the body failed.', { cause })
    }
  }
  return reader.end()
}

/** Returns the value of a header; undefined if it is missing. Several values are joined as HTTP allows. */
export function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
