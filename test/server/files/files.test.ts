// The files of articles over HTTP: uploads, and the responses to readers.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { issueKey } from '../../../src/server/open-administration.ts'
import { createArticle, NOW, openTestServer, type TestServer } from '../../support/server.ts'
import { fileName, PNG, putFile } from '../../support/stored-files.ts'
import { addKey } from '../../support/with-admin.ts'
import { waitFor } from '../../support/wait-for.ts'

const GRACE_MS = 86_400_000
const LIMITS = { fileBytes: 2_000_000, siteBytes: 3_000_000, graceMs: GRACE_MS }

const stored = { status: 200, body: { success: true, message: 'The file was stored' } }

async function store(
  server: TestServer,
  extension: string,
  bytes: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = fileName(extension, bytes)
  expect(await putFile(server, name, bytes)).toEqual(stored)
  return name
}

const get = (server: TestServer, name: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.app.request(`/files/${name}`, { method, headers })

async function missing(server: TestServer, ...names: string[]): Promise<unknown> {
  const { body } = await server.call('POST', '/api/v2/files/missing', { files: names })
  return (body as { data: unknown }).data
}

describe('an upload', () => {
  test('is stored under its digest, and available at once', async () => {
    const server = await openTestServer({ files: LIMITS })
    const name = fileName('png', PNG)
    expect((await server.call('POST', '/api/v2/files/missing', { files: [name] })).body).toEqual({
      success: true,
      message: '',
      data: [name],
      limits: { fileBytes: 2_000_000 },
    })
    await store(server, 'png', PNG)
    expect(await missing(server, name)).toEqual([])
    const answer = await get(server, name)
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(PNG)]).toEqual([200, true])
    // Again, and by two clients at once.
    expect(await Promise.all([putFile(server, name, PNG), putFile(server, name, PNG)])).toEqual([
      stored,
      stored,
    ])
  })

  test('can be much larger than a chunk', async () => {
    const server = await openTestServer({ files: LIMITS })
    const bytes = Buffer.alloc(1_500_001, 'abcdefg')
    const name = await store(server, 'txt', bytes)
    expect(Buffer.from(await (await get(server, name)).arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('of 25 MB allows other responses while it is stored', async () => {
    const server = await openTestServer()
    const bytes = Buffer.alloc(25_000_000, 'abcdefg')
    const sent = new AbortController()
    let answered = 0
    const sending = putFile(server, fileName('txt', bytes), bytes).finally(() => sent.abort())
    while (!sent.signal.aborted) {
      await server.call('GET', '/healthz')
      answered++
      await turn()
    }
    expect(await sending).toEqual(stored)
    expect(answered).toBeGreaterThan(50)
  })

  test('can be empty', async () => {
    const server = await openTestServer()
    const answer = await get(server, await store(server, 'csv', ''))
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', ''])
  })

  const HTML = '<!doctype html><script>alert(1)</script>'
  test.each([
    ['another digest', fileName('png', 'another'), PNG, 'does not have the SHA-256'],
    ['HTML as a picture', fileName('png', HTML), HTML, 'is not of the type in its name, png'],
    ['a picture as another', fileName('jpg', PNG), PNG, 'is not of the type in its name, jpg'],
    ['a picture as a text', fileName('txt', PNG), PNG, 'is not of the type in its name, txt'],
    ['bytes as a text', fileName('json', 'a\0b'), 'a\0b', 'is not of the type in its name, json'],
    ['HTML as a drawing', fileName('svg', HTML), HTML, 'no SVG that can be cleaned'],
    ['an unknown type', fileName('html', HTML), HTML, 'Files of the type html are not stored'],
    ['a property as its type', fileName('call', HTML), HTML, 'Files of the type call are not stored'],
    ['no digest', 'picture.png', PNG, 'must be its SHA-256'],
    ['a path', `..%2f${fileName('png', PNG)}`, PNG, 'must be its SHA-256'],
    ['an upper-case digest', fileName('png', PNG).toUpperCase(), PNG, 'must be its SHA-256'],
  ])('with %s is rejected, and leaves nothing', async (_, name, bytes, message) => {
    const server = await openTestServer({ files: LIMITS })
    const answer = await putFile(server, name, bytes)
    expect(answer).toEqual({
      status: 400,
      body: { success: false, message: expect.stringContaining(message) },
    })
    expect((await get(server, name)).status).toBe(404)
    expect(await server.store.removeUnusedFiles('9999', '9999')).toBe(0)
  })

  test('of another length is rejected: shorter, longer, or missing', async () => {
    const server = await openTestServer({ files: LIMITS })
    const name = fileName('png', PNG)
    const refused = {
      status: 400,
      body: { success: false, message: expect.stringContaining('Content-Length') },
    }
    expect(await putFile(server, name, PNG, { 'Content-Length': '20' })).toEqual(refused)
    expect(await putFile(server, name, PNG, { 'Content-Length': '2000' })).toEqual(refused)
    expect(await putFile(server, name, new Blob([PNG]).stream())).toEqual(refused)
    expect(await putFile(server, name, PNG, { 'Content-Length': '-1' })).toEqual(refused)
    expect(await server.store.removeUnusedFiles('9999', '9999')).toBe(0)
  })

  test('that ends early leaves nothing', async () => {
    const server = await openTestServer({ files: LIMITS })
    const bytes = Buffer.alloc(1_000_000, 'x')
    const name = fileName('txt', bytes)
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 600_000))
      },
      pull(controller) {
        controller.error(new Error('closed'))
      },
    })
    expect(await putFile(server, name, broken, { 'Content-Length': '1000000' })).toEqual({
      status: 400,
      body: { success: false, message: 'The connection was closed within the file' },
    })
    expect(await missing(server, name)).toEqual([name])
    expect(await server.store.removeUnusedFiles('9999', '9999')).toBe(0)
  })

  test('that is too large, or for which there is no room, is rejected before it is read', async () => {
    const server = await openTestServer({ files: LIMITS })
    const large = Buffer.alloc(2_000_001, 'x')
    expect(await putFile(server, fileName('txt', large), large)).toEqual({
      status: 413,
      body: { success: false, message: 'The file is too large: files of at most 2.0 MB are stored' },
    })
    await store(server, 'txt', large.subarray(1))
    const other = Buffer.alloc(1_500_000, 'y')
    expect(await putFile(server, fileName('txt', other), other)).toEqual({
      status: 507,
      body: {
        success: false,
        message: 'There is no room for the file: the files of a knowledge base may have 3.0 MB together',
      },
    })
  })

  test('of a drawing that becomes too large by cleaning is rejected before its end', async () => {
    const server = await openTestServer({ files: LIMITS })
    const drawing = `<svg><text>${'>'.repeat(600_000)}</text></svg>`
    // The digest is compared at the end.
    expect(await putFile(server, fileName('svg', 'another'), drawing)).toEqual({
      status: 413,
      body: { success: false, message: 'The file is too large: files of at most 2.0 MB are stored' },
    })
    expect(await server.store.removeUnusedFiles('9999', '9999')).toBe(0)
  })

  test('needs a key with write access, but a query does not', async () => {
    const server = await openTestServer()
    const name = fileName('png', PNG)
    expect(await putFile(server, name, PNG, { Authorization: '' })).toMatchObject({ status: 401 })
    const { key, hash } = issueKey(server.store.defaultSiteId)
    await addKey(server.db, { hash, siteId: server.store.defaultSiteId, readOnly: true })
    const reader = { Authorization: `Bearer ${key}` }
    expect(await putFile(server, name, PNG, reader)).toMatchObject({ status: 403 })
    const question = await server.call('POST', '/api/v2/files/missing', { files: [name] }, reader)
    expect([question.status, question.body]).toMatchObject([200, { data: [name] }])
  })

  test.each([
    ['no list', {}],
    ['too many names', { files: Array.from({ length: 1001 }, () => fileName('png', PNG)) }],
    ['other names', { files: ['../../etc/passwd'] }],
  ])('a query with %s is rejected', async (_, body) => {
    const server = await openTestServer()
    expect((await server.call('POST', '/api/v2/files/missing', body)).status).toBe(400)
  })
})

describe('a stored file is served', () => {
  test('with permanent caching, with its type, and without running anything', async () => {
    const server = await openTestServer()
    const name = await store(server, 'png', PNG)
    const { headers } = await get(server, name)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': `${PNG.length}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${name.slice(0, 64)}"`,
    })
    expect(headers.get('content-disposition')).toBeNull()
    const head = await get(server, name, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      `${PNG.length}`,
      '',
    ])
    const known = await get(server, name, { 'If-None-Match': `W/"x", W/"${name.slice(0, 64)}"` })
    expect([known.status, await known.text()]).toEqual([304, ''])
  })

  test("a PDF with the browser's viewer, and subtitles with their type", async () => {
    const server = await openTestServer()
    const look = async (extension: string, bytes: string) => {
      const { headers } = await get(server, await store(server, extension, bytes))
      const names = [
        'content-type',
        'content-disposition',
        'content-security-policy',
        'x-content-type-options',
      ]
      return names.map((name) => headers.get(name))
    }
    const [none, nosniff] = ["default-src 'none'; style-src 'unsafe-inline'", 'nosniff']
    // The page of the viewer embeds the file, which a sandbox prevents.
    const viewer = `${none}; object-src 'self'; frame-ancestors 'none'`
    expect(await look('pdf', '%PDF-1.7')).toEqual(['application/pdf', null, viewer, nosniff])
    for (const mark of ['', '\u{feff}'])
      expect(await look('vtt', `${mark}WEBVTT`)).toEqual([
        'text/vtt; charset=utf-8',
        null,
        `${none}; sandbox`,
        nosniff,
      ])
  })

  test.each([
    ['zip', 'PK\x03\x04…'],
    ['txt', '<script>alert(1)</script>'],
    ['json', '{}'],
    ['txt', 'WEBVTT as a text'],
  ])('%s as a download', async (extension, bytes) => {
    const server = await openTestServer()
    const { headers } = await get(server, await store(server, extension, bytes))
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment',
    ])
  })

  test('a drawing without its scripts, compressed if a browser asks for it', async () => {
    const server = await openTestServer()
    const drawing = `<svg viewBox="0 0 4 3" onload="alert(1)"><script>alert(1)</script>${'<rect/>'.repeat(200)}</svg>`
    const name = await store(server, 'svg', drawing)
    const answer = await get(server, name)
    const text = await answer.text()
    expect([answer.headers.get('content-type'), /script|onload/.exec(text)]).toEqual(['image/svg+xml', null])
    expect(text).toContain('viewBox="0 0 4 3"><rect></rect>')
    const packed = await get(server, name, { 'Accept-Encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const part = await get(server, name, { 'Accept-Encoding': 'gzip', Range: 'bytes=0-1999' })
    expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([
      206,
      null,
      text.slice(0, 2000),
    ])
  })

  test('in ranges', async () => {
    const server = await openTestServer()
    const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, index) => 32 + (index % 90)))
    const name = await store(server, 'txt', bytes)
    const ask = async (range: string, headers: Record<string, string> = {}) => {
      const answer = await get(server, name, { Range: range, ...headers })
      const body = Buffer.from(await answer.arrayBuffer())
      const place = answer.headers.get('content-range')
      return [answer.status, place, body.length, bytes.indexOf(body.subarray(0, 90))]
    }
    expect(await ask('bytes=262100-524300')).toEqual([206, 'bytes 262100-524300/600000', 262_201, 20])
    expect(await ask('bytes=599990-')).toEqual([206, 'bytes 599990-599999/600000', 10, 50])
    expect(await ask('bytes=-10')).toEqual([206, 'bytes 599990-599999/600000', 10, 50])
    expect(await ask('bytes=0-9999999')).toEqual([206, 'bytes 0-599999/600000', 600_000, 0])
    expect(await ask('bytes=-9999999')).toEqual([206, 'bytes 0-599999/600000', 600_000, 0])
    expect(await ask('bytes=600000-')).toEqual([416, 'bytes */600000', 0, 0])
    expect(await ask('bytes=-0')).toEqual([416, 'bytes */600000', 0, 0])
    for (const whole of ['bytes=9-3', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'nonsense'])
      expect(await ask(whole)).toEqual([200, null, 600_000, 0])
    const tag = `"${name.slice(0, 64)}"`
    expect(await ask('bytes=0-0', { 'If-Range': tag })).toEqual([206, 'bytes 0-0/600000', 1, 0])
    expect(await ask('bytes=0-0', { 'If-Range': `W/${tag}` })).toEqual([200, null, 600_000, 0])
  })

  test('but not at any other path', async () => {
    const server = await openTestServer()
    const name = await store(server, 'png', PNG)
    for (const path of [
      `../files/${name}x`,
      name.slice(1),
      `${name.slice(0, 64)}.jpg`,
      `${name}/`,
      `%2e%2e/${name}`,
    ])
      expect((await get(server, path)).status).toBe(404)
    expect((await get(server, name, {}, 'DELETE')).status).toBe(404)
  })
})

describe('unused files are removed', () => {
  test('after the grace time, when a server starts, but not those that articles use', async () => {
    const server = await openTestServer()
    const used = await store(server, 'png', PNG)
    const unused = await store(server, 'txt', 'x')
    await createArticle(server, { content: `<p><img src="/files/${used}"></p>` })
    await server.close()
    const reopen = (clock: () => Date) => openTestServer({ db: server.db, clock, seed: {} })
    const early = await reopen(() => new Date(Date.parse(NOW) + GRACE_MS))
    await early.close()
    const late = await reopen(() => new Date(Date.parse(NOW) + GRACE_MS + 1))
    await waitFor(async () => expect(await missing(late, used, unused)).toEqual([unused]))
  })

  test('a queried one is kept', async () => {
    const server = await openTestServer()
    const name = await store(server, 'txt', 'x')
    await server.close()
    const later = () => new Date(Date.parse(NOW) + GRACE_MS)
    const asked = await openTestServer({ db: server.db, clock: later, seed: {} })
    expect(await missing(asked, name)).toEqual([])
    await asked.close()
    const last = () => new Date(Date.parse(NOW) + 2 * GRACE_MS)
    const kept = await openTestServer({ db: server.db, clock: last, seed: {} })
    await kept.close()
    const open = await openTestServer({ db: server.db, clock: last, seed: {} })
    expect(await missing(open, name)).toEqual([])
  })
})

test('an article may refer to many files, but not to any number', async () => {
  const server = await openTestServer()
  const content = Array.from({ length: 1001 }, (_, index) => `/files/${fileName('png', `${index}`)}`).join(
    ' ',
  )
  await expect(createArticle(server, { content })).rejects.toThrow('at most 1000 stored files')
})
