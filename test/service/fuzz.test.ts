// Whatever comes in at the socket, what goes out is JSON in the shape of the interface, never a fault of the server,
// and the next request is served as if nothing had been. FUZZ sets how many of each kind are tried.
import { METHODS } from 'node:http'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createFuzzTarget, type FuzzTarget } from './fuzz-target.ts'
import { exchange, faultOf, type RawAnswer } from './raw-http.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'

const RUNS = readRuns('FUZZ', 60)
const CLOSE = 'Connection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'

let target: FuzzTarget

beforeAll(async () => {
  target = await createFuzzTarget()
})
afterAll(() => target.close())
afterEach(async () => {
  const { faults, problems } = await target.isServing()
  if (faults.length + problems.length > 0)
    throw new Error(`Afterwards: ${[...faults, ...problems].join('; ')}`)
})

/** Sends one request as bytes; it must be answered once, as every request is. */
async function send(request: {
  readonly method: string
  readonly path: string
  readonly headers?: string
  readonly body?: string | Uint8Array
}): Promise<RawAnswer> {
  const { method, path, headers = '', body = '' } = request
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const head = `${method} ${path} HTTP/1.1\r\nHost: kb\r\n${CLOSE}${headers}Content-Length: ${length}\r\n\r\n`
  const answers = await exchange(target.port, [head, body], [method])
  expect(answers.map((answer) => faultOf(answer, method))).toEqual([undefined])
  return answers[0] as RawAnswer
}

const write = (at: number, body: string | Uint8Array, headers = JSON_TYPE) => {
  const { method, path } = target.writes[at % target.writes.length] as FuzzTarget['writes'][number]
  return send({ method, path, headers: target.authorization + headers, body })
}

const REFUSALS = [400, 403, 404, 409, 413, 415]

test('bodies of any shape', timeoutOf(RUNS, 200), async () => {
  const property = fc.asyncProperty(fc.nat(9), fc.json(), async (at, body) => {
    expect(REFUSALS).toContain((await write(at, body)).status)
  })
  await fc.assert(property, RUNS)
})

test('bodies that are right but for one place', timeoutOf(RUNS, 200), async () => {
  const place = fc.nat(40)
  const property = fc.asyncProperty(fc.nat(9), place, fc.jsonValue(), async (at, key, value) => {
    const { body } = target.writes[at % target.writes.length] as FuzzTarget['writes'][number]
    const changed = JSON.stringify(replaceAt(body, { left: key }, value))
    expect([200, ...REFUSALS]).toContain((await write(at, changed)).status)
  })
  await fc.assert(property, RUNS)
})

/** A copy of `value` in which its n-th member, counted in depth, is another. */
function replaceAt(value: unknown, count: { left: number }, replacement: unknown): unknown {
  if (count.left-- === 0) return replacement
  if (Array.isArray(value)) return value.map((each) => replaceAt(each, count, replacement))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, replaceAt(each, count, replacement)]),
  )
}

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const within = (member: string) => (body: string) => `${body.slice(0, -1)},${member}}`

test.each<[string, (body: string) => string | Uint8Array]>([
  ['nothing', () => ''],
  ['white space', () => ' \r\n\t '],
  ['a byte order mark before it', (body) => `\uFEFF${body}`],
  ['UTF-16', (body) => Buffer.from(body, 'utf16le')],
  [
    'bytes that are no UTF-8',
    (body) => Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
  ],
  ['a surrogate pair in UTF-8', () => Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22])],
  ['gzip', (body) => gzipSync(body)],
  ['a depth of 100,000', () => deep(100_000)],
  ['a depth of 50,000 in a member that nobody reads', within(`"more":${deep(50_000)}`)],
  ['a depth of 50,000 in one that is read', within(`"content":${deep(50_000)}`)],
  ['a number beyond all', within('"ordering":1e999,"priority":1e999')],
  ['a number of 10,000 digits', within(`"ordering":${'9'.repeat(10_000)},"priority":${'9'.repeat(10_000)}`)],
  ['the same member twice', within('"title":"other","name":"other"')],
  ['__proto__', within('"__proto__":{"title":1,"admin":true},"constructor":{"prototype":{"title":1}}')],
  ['only __proto__', () => '{"__proto__":{"title":"x","name":"x"}}'],
  ['a thousand members', within(Array.from({ length: 1000 }, (_, n) => `"m${n}":${n}`).join())],
  [
    'ten thousand categories',
    within(`"categories":[${Array.from({ length: 10_000 }, () => '{"value":"x"}').join()}]`),
  ],
  ['JavaScript', () => '{title: "x", name: undefined}'],
  ['two values', (body) => `${body}${body}`],
  ['a comment', (body) => `/* x */${body}`],
  ['U+0000', (body) => body.replace(/"(title|name)":"/, '"$1":"\\u0000')],
  ['half of a surrogate pair', (body) => body.replace(/"(title|name)":"/, '"$1":"\\ud83d')],
])('a body with %s', async (_, spoil) => {
  for (const [at, { body }] of target.writes.entries()) {
    const spoilt = spoil(JSON.stringify(body))
    expect([200, ...REFUSALS]).toContain((await write(at, spoilt)).status)
    const labelled = await write(at, spoilt, `${JSON_TYPE}Content-Encoding: gzip\r\n`)
    expect([200, ...REFUSALS]).toContain(labelled.status)
  }
})

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? 'x' : String.fromCharCode(code))),
  maxLength: 60,
})
const TYPES = [
  'application/json',
  'APPLICATION/JSON;charset=utf-16',
  'text/json',
  'application/json, text/html',
  ';',
  '',
]

test('headers of any content', timeoutOf(RUNS, 200), async () => {
  const type = fc.oneof(fc.constantFrom(...TYPES), headerText)
  const key = fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
    fc.constantFrom('Bearer', 'Bearer  ', 'Basic x:y'),
  )
  const names = [
    'Accept',
    'Cookie',
    'Range',
    'If-None-Match',
    'X-Request-Id',
    'X-Forwarded-For',
    'Origin',
    'Transfer-Encoding',
    'Content-Encoding',
    'Accept-Encoding',
    'X-HTTP-Method-Override',
    'Upgrade',
    'Host',
    'traceparent',
  ]
  const others = fc.array(fc.tuple(fc.constantFrom(...names), headerText), { maxLength: 5 })
  const property = fc.asyncProperty(
    fc.boolean(),
    key,
    type,
    others,
    async (hasKey, wrongKey, contentType, more) => {
      const { method, path, body } = target.writes[0] as FuzzTarget['writes'][number]
      const sent = JSON.stringify(body)
      const head = [
        `${method} ${path} HTTP/1.1`,
        ...(more.some(([name]) => name === 'Host') ? [] : ['Host: kb']),
        hasKey ? target.authorization.trim() : `Authorization: ${wrongKey}`,
        `Content-Type: ${contentType}`,
        `Content-Length: ${Buffer.byteLength(sent)}`,
        ...more.map(([name, value]) => `${name}: ${value}`),
        'Connection: close',
      ]
      const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
      const answers = await exchange(target.port, [bytes, sent])
      expect(answers.map((answer) => faultOf(answer))).toEqual(answers.map(() => undefined))
      expect(answers.length).toBeGreaterThan(0)
    },
  )
  await fc.assert(property, RUNS)
})

const PATHS = [
  [
    '/',
    '',
    '//',
    '/api',
    '/api/v2',
    '/api/v2/',
    '//api/v2/categories',
    '/api/v2//categories',
    '/api//v2/categories',
  ],
  ['/api/v2/articles/', '/api/v2/articles/..', '/api/v2/../v2/categories', '/api/v2/./categories'],
  [
    '/api/v2/articles/%2e%2e/categories',
    '/api/v2/articles/a%2Fb',
    '/api/v2/articles/%00',
    '/api/v2/articles/%',
  ],
  ['/api/v2/articles/%zz', '/api/v2/articles/%E0%A4%A', '/api/v2/articles/%ff%fe', '/api/v2/articles/%ud83d'],
  ['/api/v2/articles/__proto__', '/api/v2/articles/constructor', '/api/v2/tags/{id}', '/api/v2/tags/:id'],
  [
    '/api/v2/categories?',
    '/api/v2/categories?lang=%',
    '/api/v2/articles/x?lang=%ff',
    '/api/v2/articles/x?lang',
  ],
  ['/api/v2/articles/x?lang=en&lang=fr', '/api/v2/articles/x?__proto__=1&lang[]=x', '/api/v2/categories#x'],
  [
    '/api/v2/categories;x=1',
    '/api/v2/categories/',
    '/API/V2/CATEGORIES',
    '/api/v2/categories%20',
    '/%61pi/v2/categories',
  ],
  [
    '*',
    'http://',
    'http://kb',
    'http://other.example/api/v2/categories',
    'https://kb:99999/api/v2/categories',
  ],
  [
    'categories',
    '?',
    '#',
    '\\api\\v2',
    '/api/v2/articles/\\',
    '/api/v2/articles/ü',
    '/api/v2/articles/"<>^`{|}',
  ],
  [
    `/api/v2/articles/${'x'.repeat(12_000)}`,
    `/${'../'.repeat(2000)}`,
    `/api/v2/articles/${'%41'.repeat(4000)}`,
  ],
  [`/api/v2/articles/x?${'a=b&'.repeat(3000)}`, '/favicon.ico', '/robots.txt', '/api/v1/categories'],
].flat()

test.each(PATHS.map((path) => [path.slice(0, 60), path] as const))('the path %j', async (_, path) => {
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
    for (const authorization of [target.authorization, '']) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: kb\r\n${CLOSE}${authorization}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`
      const answers = await exchange(target.port, [head], [method])
      expect(answers.map((answer) => faultOf(answer, method))).toEqual([undefined])
    }
  }
})

test('paths of any characters', timeoutOf(RUNS, 200), async () => {
  const character = fc.oneof(
    fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('/', '..', '%2f', '%00', '%', '?', '#', ';', '//', 'ü', '%c3%bc', '🙂'),
  )
  const path = fc.array(character, { maxLength: 30 }).map((some) => some.join(''))
  const base = fc.constantFrom('/', '/api/v2/', '/api/v2/articles/', '/api/v2/tags/', '/api/v2/tools/')
  const property = fc.asyncProperty(
    fc.constantFrom('GET', 'DELETE', 'POST'),
    base,
    path,
    async (method, start, rest) => {
      // No path of the interface: what stands there may be a page.
      fc.pre(!/^\/+(healthz|readyz|metrics)|docs/.test(`${start}${rest}`))
      const headers = `${target.authorization}${JSON_TYPE}`
      expect(await send({ method, path: `${start}${rest}`, headers })).toBeDefined()
    },
  )
  await fc.assert(property, RUNS)
})

const PLACES = [
  '/',
  '/api/v2/articles',
  '/api/v2/articles/x',
  '/api/v2/categories',
  '/api/v2/categories/x',
  '/api/v2/tags/x',
  '/api/v2/tools/link_manager',
]

test.each([...METHODS.filter((method) => method !== 'CONNECT'), 'get', 'Put', 'FOO', 'G E T', ''])(
  'the method %j',
  async (method) => {
    for (const path of PLACES) {
      const headers = `${target.authorization}${JSON_TYPE}`
      const allowed = await send({ method, path, headers, body: '{}' })
      const stranger = await send({ method, path, headers: JSON_TYPE })
      expect([allowed.status, stranger.status]).not.toContain(500)
    }
  },
)

const GET = '/api/v2/categories HTTP/1.1\r\nHost: kb\r\n'
const PUT = 'PUT /api/v2/articles HTTP/1.1\r\nHost: kb\r\nContent-Type: application/json\r\n'
const TLS_HELLO = Buffer.from('16030100c8010000c40303', 'hex')

// Each is sent as it stands; `{key}` is replaced by the header with the key.
test.each<[string, readonly (string | Uint8Array)[]]>([
  ['half a request line', ['GET /api/v2/cat']],
  ['half of the headers', [`GET ${GET}Author`]],
  ['no end of the headers', [`GET ${GET}{key}`]],
  ['less of a body than announced', [`${PUT}{key}Content-Length: 500\r\n\r\n{"title":`]],
  ['no body of what was announced', [`${PUT}{key}Content-Length: 500\r\n\r\n`]],
  ['half of a chunk', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\nff\r\n{"title":`]],
  ['no last chunk', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`]],
  ['a chunk size that is no number', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`]],
  ['a chunk size below zero', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`]],
  ['a chunk size beyond all', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}\r\n`]],
  ['a chunk longer than its size', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`]],
  [
    'chunk extensions',
    [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0;${'x'.repeat(20_000)}\r\n\r\n`],
  ],
  ['trailers', [`${PUT}{key}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n`]],
  [
    'both lengths',
    [`${PUT}{key}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  ],
  ['two lengths', [`${PUT}{key}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}   `]],
  ['a length below zero', [`${PUT}{key}Content-Length: -1\r\n\r\n{}`]],
  ['a length that is no number', [`${PUT}{key}Content-Length: 2x\r\n\r\n{}`]],
  ['a length beyond all', [`${PUT}{key}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`]],
  ['a length beyond the limit', [`${PUT}{key}Content-Length: 99999999999\r\n\r\n{}`]],
  ['an unknown transfer encoding', [`${PUT}{key}Transfer-Encoding: gzip\r\n\r\n{}`]],
  [
    'a transfer encoding twice',
    [`${PUT}{key}Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  ],
  ['white space before a colon', [`GET ${GET}Foo : bar\r\n\r\n`]],
  ['a folded header', [`GET ${GET}Foo: bar\r\n baz\r\n\r\n`]],
  ['a header without colon', [`GET ${GET}Foo\r\n\r\n`]],
  ['a header without name', [`GET ${GET}: bar\r\n\r\n`]],
  ['U+0000 in a header', [`GET ${GET}Foo: b\0r\r\n\r\n`]],
  ['line feeds only', ['GET /api/v2/categories HTTP/1.1\nHost: kb\n{key}\n\n']],
  ['a huge header', [`GET ${GET}{key}Foo: ${'x'.repeat(100_000)}\r\n\r\n`]],
  ['very many headers', [`GET ${GET}{key}${'A: b\r\n'.repeat(5000)}\r\n`]],
  ['a huge request line', [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: kb\r\n\r\n`]],
  ['two hosts', [`GET ${GET}{key}Host: other\r\n\r\n`]],
  ['an empty host', ['GET /api/v2/categories HTTP/1.1\r\nHost:\r\n{key}\r\n']],
  ['a host that is none', ['GET /api/v2/categories HTTP/1.1\r\nHost: [::1\r\n{key}\r\n']],
  ['no host', ['GET /api/v2/categories HTTP/1.1\r\n{key}\r\n']],
  ['HTTP/1.0', ['GET /api/v2/categories HTTP/1.0\r\n{key}\r\n']],
  [
    'HTTP/1.0 with chunks',
    ['PUT /api/v2/articles HTTP/1.0\r\n{key}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ],
  ['HTTP/0.9', ['GET /\r\n']],
  ['HTTP/9.9', ['GET / HTTP/9.9\r\nHost: kb\r\n\r\n']],
  ['the preface of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0']],
  [
    'an upgrade to HTTP/2',
    [
      `GET ${GET}{key}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    ],
  ],
  [
    'an upgrade to a WebSocket',
    [
      `GET ${GET}{key}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    ],
  ],
  ['a TLS hello', [TLS_HELLO, Buffer.alloc(200, 1)]],
  ['zeros', [Buffer.alloc(5000)]],
  ['a tunnel', ['CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n']],
  ['a tunnel with a body', ['CONNECT / HTTP/1.1\r\nHost: kb\r\nContent-Length: 2\r\n\r\n{}']],
  [
    'a whole address',
    ['GET http://kb/api/v2/categories HTTP/1.1\r\nHost: kb\r\nConnection: close\r\n{key}\r\n'],
  ],
  ['an address of another kind', ['GET ftp://kb/x HTTP/1.1\r\nHost: kb\r\nConnection: close\r\n{key}\r\n']],
  ['an asterisk', ['OPTIONS * HTTP/1.1\r\nHost: kb\r\nConnection: close\r\n{key}\r\n']],
  [
    'an expectation that is met',
    [`${PUT}{key}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`, '{}'],
  ],
  ['an expectation that is not', [`GET ${GET}Expect: tea\r\nConnection: close\r\n\r\n`]],
  ['garbage after a request', [`GET ${GET}{key}\r\n\u0001\u0002garbage\r\n\r\n`]],
  ['a body that nobody asked for', [`GET ${GET}{key}Content-Length: 5\r\n\r\nhello`]],
  [
    'a body that is refused unread',
    [`PUT /api/v2/nothing HTTP/1.1\r\nHost: kb\r\nContent-Length: 3000000\r\n\r\n`, 'x'.repeat(3_000_000)],
  ],
])('broken HTTP: %s', async (_, parts) => {
  const sent = parts.map((part) =>
    typeof part === 'string' ? part.replaceAll('{key}', target.authorization) : part,
  )
  const answers = await exchange(target.port, sent)
  expect(answers.length).toBeGreaterThan(0)
  expect(answers.map((answer) => faultOf(answer))).toEqual(answers.map(() => undefined))
})

test('a hundred requests in one go are answered in their order', async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `nr-${n}`)
  const requests = ids.map(
    (id) => `GET /api/v2/articles/${id} HTTP/1.1\r\nHost: kb\r\n${target.authorization}\r\n`,
  )
  const answers = await exchange(target.port, [requests.join('')])
  expect(answers.map(({ status, body }) => [status, /nr-\d+/.exec(body)?.[0]])).toEqual(
    ids.map((id) => [404, id]),
  )
})

test('valid requests with bytes changed, left out or doubled', timeoutOf(RUNS, 200), async () => {
  const change = fc.record({
    kind: fc.constantFrom('insert', 'remove', 'double', 'cut'),
    at: fc.nat(1000),
    length: fc.integer({ min: 1, max: 20 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  })
  const property = fc.asyncProperty(
    fc.nat(9),
    fc.array(change, { minLength: 1, maxLength: 4 }),
    async (which, changes) => {
      const { method, path, body } = target.writes[
        which % target.writes.length
      ] as FuzzTarget['writes'][number]
      const text = JSON.stringify(body)
      const head = `${method} ${path} HTTP/1.1\r\nHost: kb\r\n${target.authorization}${JSON_TYPE}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`
      let bytes = Buffer.from(head + text)
      for (const { kind, at, length, bytes: more } of changes) {
        const [start, end] = [
          bytes.subarray(0, at % bytes.length),
          bytes.subarray((at % bytes.length) + length),
        ]
        const middle = bytes.subarray(at % bytes.length, (at % bytes.length) + length)
        if (kind === 'insert') bytes = Buffer.concat([start, more, middle, end])
        if (kind === 'remove') bytes = Buffer.concat([start, end])
        if (kind === 'double') bytes = Buffer.concat([start, middle, middle, end])
        if (kind === 'cut' && start.length > 0) bytes = Buffer.from(start)
      }
      const answers = await exchange(target.port, [bytes])
      expect(answers.map((answer) => faultOf(answer))).toEqual(answers.map(() => undefined))
      expect(target.faults).toEqual([])
    },
  )
  await fc.assert(property, RUNS)
})
