import Libsql from 'libsql'
import { describe, expect, test } from 'vitest'
import { hashApiKey, keyIdOf } from '../../src/server/api-key.ts'
import { NOW, articleBody, createArticle, openTestServer } from '../support/server.ts'
import { addKey, withAdmin } from '../support/with-admin.ts'

const UNKNOWN = '01890000-0000-7000-8000-000000000000'

/** The whole response to a rejected request. */
function failure(status: number, message: RegExp): object {
  return {
    status,
    type: expect.stringMatching(/^application\/json/),
    headers: expect.anything(),
    body: { success: false, message: expect.stringMatching(message) },
  }
}

describe('400', () => {
  test.each([
    ['', /^The body is empty: send a JSON object$/],
    ['{', /^The body is not JSON: /],
    ['null', /^the body must be an object$/],
    ['{}', /^title is required; slug is required; categories is required; /],
  ])('body %j', async (body, message) => {
    const server = await openTestServer()
    expect(await server.call('PUT', '/api/v2/articles', body)).toEqual(failure(400, message))
  })

  test('not for a byte order mark before the JSON', async () => {
    const server = await openTestServer()
    const body = `\uFEFF${JSON.stringify(articleBody(server, {}))}`
    expect(await server.call('PUT', '/api/v2/articles', body)).toMatchObject({ status: 200 })
  })

  test('bytes that are not UTF-8', async () => {
    const { app } = await openTestServer()
    const response = await app.request('/api/v2/articles', {
      method: 'PUT',
      headers: { Authorization: 'Bearer key-for-tests', 'Content-Type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      { success: false, message: 'The body is not JSON: it is not encoded in UTF-8' },
    ])
  })

  test('an unknown category or tag is identified by its field', async () => {
    const server = await openTestServer()
    const [known, unknown] = [{ value: server.guides }, { value: UNKNOWN }]
    const create = (changes: object) => server.call('PUT', '/api/v2/articles', articleBody(server, changes))
    expect(await create({ categories: [known, unknown] })).toEqual(
      failure(
        400,
        /^categories\[1\]\.value must be the id of a category: GET \/api\/v2\/categories lists them$/,
      ),
    )
    expect(await create({ tags: [unknown] })).toEqual(
      failure(400, /^tags\[0\]\.value must be the id of a tag$/),
    )
  })

  test('an invalid update', async () => {
    const server = await openTestServer()
    const { guides, accounts, security } = server
    const category = { name: 'Guides', slug: 'guides', priority: 1, lang: 'en' }
    const tag = { id: security, name: 'S', slug: 's', lang: 'en' }
    const categories = (changes: object) =>
      server.call('POST', `/api/v2/categories/${guides}`, { ...category, ...changes })
    expect(await categories({ categoryParent: UNKNOWN })).toEqual(
      failure(400, /^categoryParent must be the id of a category: GET /),
    )
    expect(await categories({ categoryParent: accounts })).toEqual(
      failure(400, /^categoryParent must not be/),
    )
    expect(await categories({ lang: 'xx' })).toEqual(
      failure(400, /^lang must be one of the enabled languages: en$/),
    )
    expect(await server.call('POST', `/api/v2/tags/${security}`, { ...tag, id: UNKNOWN })).toEqual(
      failure(400, /^id must be the identifier in the path$/),
    )
  })
})

describe('401 and 403', () => {
  test.each([
    ['', /missing/],
    ['Basic abc', /missing/],
    ['Bearer wrong', /unknown/],
  ])('the key is checked first, whatever the path: %j', async (authorization, message) => {
    const server = await openTestServer()
    for (const path of ['/api/v2/categories', `/api/v2/articles/${UNKNOWN}`, '/api/v2/nothing']) {
      const answer = await server.call('GET', path, undefined, { Authorization: authorization })
      expect(answer).toEqual(failure(401, message))
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(await server.call('PATCH', '/api/v2/articles', undefined, { Authorization: '' })).toEqual(
      failure(401, /missing/),
    )
  })

  test('a revoked key is rejected at once', async () => {
    const { db, store, call } = await openTestServer()
    const [siteId, hash] = [store.defaultSiteId, hashApiKey('ci-key')]
    await addKey(db, { siteId, hash })
    const ask = () => call('GET', '/api/v2/categories', undefined, { Authorization: 'Bearer ci-key' })
    expect((await ask()).status).toBe(200)
    await withAdmin(db, (admin) => admin.keys.revoke(siteId, keyIdOf(hash), NOW))
    expect(await ask()).toEqual(failure(401, /revoked/))
  })

  test('a read-only key can read but not write', async () => {
    const server = await openTestServer()
    const { db, store, call, guides } = server
    await addKey(db, { siteId: store.defaultSiteId, hash: hashApiKey('reader-key'), readOnly: true })
    const headers = { Authorization: 'Bearer reader-key' }
    const id = await createArticle(server)
    expect((await call('GET', `/api/v2/articles/${id}`, undefined, headers)).status).toBe(200)
    expect(await call('DELETE', `/api/v2/articles/${id}`, undefined, headers)).toEqual(
      failure(403, /^This API key is read-only: use one with write access$/),
    )
    expect(await call('PUT', '/api/v2/articles', articleBody(server), headers)).toEqual(
      failure(403, /^This API key is read-only: use one with write access$/),
    )
    expect(await call('POST', `/api/v2/categories/${guides}`, {}, headers)).toEqual(
      failure(403, /^This API key is read-only: use one with write access$/),
    )
  })

  test('the article limit', async () => {
    const server = await openTestServer({ articleLimit: 1 })
    await createArticle(server)
    const another = articleBody(server, { slug: 'another' })
    expect(await server.call('PUT', '/api/v2/articles', another)).toEqual(
      failure(403, /^The article limit of 1 is reached$/),
    )
  })
})

describe('404 and 405', () => {
  test.each([
    ['GET', `/api/v2/articles/${UNKNOWN}`, /no article with the id/],
    ['DELETE', `/api/v2/articles/${UNKNOWN}`, /no article with the id/],
    ['GET', `/api/v2/tags/${UNKNOWN}`, /no tag with the id/],
    ['GET', '/api/v2/articles/%E0%A4%A', /no article with the id/],
    ['GET', '/api/v2/articles/a%2Fb', /no article with the id/],
    ['GET', '/api/v2/articles/', /no operation/],
    ['GET', '/api/v2/nothing', /no operation/],
    ['GET', '/', /no operation/],
    ['POST', '/api/v1/articles', /no operation/],
  ])('%s %s', async (method, path, message) => {
    const server = await openTestServer()
    expect(await server.call(method, path)).toEqual(failure(404, message))
  })

  test('updates of unknown items', async () => {
    const server = await openTestServer()
    const update = { id: UNKNOWN, name: 'X', slug: 'x', priority: 1, lang: 'en' }
    expect(await server.call('POST', `/api/v2/categories/${UNKNOWN}`, update)).toEqual(
      failure(404, /no category/),
    )
    expect(await server.call('POST', `/api/v2/tags/${UNKNOWN}`, update)).toEqual(failure(404, /no tag/))
  })

  test.each([
    ['DELETE', '/api/v2/articles', 'PUT, POST, GET, OPTIONS, HEAD'],
    ['PATCH', `/api/v2/articles/${UNKNOWN}`, 'GET, DELETE, POST, HEAD'],
    ['DELETE', '/api/v2/categories', 'GET, HEAD'],
    ['GET', `/api/v2/categories/${UNKNOWN}`, 'POST'],
    ['PUT', '/api/v2/tools/review_dates', 'GET, HEAD'],
    ['OPTIONS', '/api/v2/tools/link_manager', 'GET, HEAD'],
    ['PATCH', `/api/v2/tags/${UNKNOWN}`, 'GET, POST, HEAD'],
  ])('%s %s allows %s', async (method, path, allow) => {
    const server = await openTestServer()
    const answer = await server.call(method, path)
    expect(answer).toEqual(failure(405, /is not an operation here/))
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test.each(['/healthz', '/readyz', '/api/v2/openapi.json', '/api/v2/docs'])(
    'POST %s allows GET, HEAD',
    async (path) => {
      const server = await openTestServer()
      const answer = await server.call('POST', path)
      expect(answer).toEqual(failure(405, /is not an operation here/))
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    },
  )
})

describe('requests that would block the server for others', () => {
  test.each([
    [
      'values',
      `{"more":[${'0,'.repeat(10_000)}0]}`,
      /^The body holds too many values: at most 10000 are read$/,
    ],
    ['members', `{${'"a":0,'.repeat(10_000)}"b":0}`, /^The body holds too many values/],
    [
      'nested values',
      `{"more":${'['.repeat(40)}${']'.repeat(40)}}`,
      /^The body is nested too deeply: at most 32 /,
    ],
    ['brackets without end', '['.repeat(900_000), /^The body is nested too deeply/],
  ])('too many %s, before they are parsed', async (_, body, message) => {
    const server = await openTestServer()
    expect(await server.call('PUT', '/api/v2/articles', body)).toEqual(failure(400, message))
  })

  test('brackets and commas in texts are not counted', async () => {
    const server = await openTestServer()
    const content = String.raw`<p>"[{,\"[{,</p>`.repeat(10_000)
    expect((await server.call('PUT', '/api/v2/articles', articleBody(server, { content }))).status).toBe(200)
  })

  test('thousands of invalid fields are not all named', async () => {
    const server = await openTestServer()
    const categories = Array.from({ length: 900 }, () => ({}))
    const refused = await server.call('PUT', '/api/v2/articles', articleBody(server, { categories }))
    expect(refused).toEqual(failure(400, /^categories\[0\]\.value is required; .*; and 850 more$/))
  })

  test('thousands of references', async () => {
    const server = await openTestServer()
    const { guides } = server
    const categories = Array.from({ length: 1001 }, () => ({ value: guides }))
    const refused = await server.call('PUT', '/api/v2/articles', articleBody(server, { categories }))
    expect(refused).toEqual(failure(400, /^categories must have at most 1000 entries$/))
  })

  test('names of more than 500 characters; characters are counted, not code units', async () => {
    const server = await openTestServer()
    const { call, guides, security } = server
    const write = async (name: string) => [
      await call('PUT', '/api/v2/articles', articleBody(server, { title: name })),
      await call('POST', `/api/v2/categories/${guides}`, { name, slug: 'guides', priority: 1, lang: 'en' }),
      await call('POST', `/api/v2/tags/${security}`, { id: security, name, slug: 'security', lang: 'en' }),
    ]
    const refused = await write('🎈'.repeat(501))
    expect(refused.map(({ status, body }) => [status, (body as { message: string }).message])).toEqual([
      [400, 'title must be at most 500 characters long'],
      [400, 'name must be at most 500 characters long'],
      [400, 'name must be at most 500 characters long'],
    ])
    expect((await write('🎈'.repeat(500))).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('an article stored with a longer title is read, listed, updated with a shorter one and deleted', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    const title = 'x'.repeat(100_000)
    const database = new Libsql(server.db)
    database.prepare('update articles set name = ? where id = ?').run(title, id)
    database.close()
    const read = await server.call('GET', `/api/v2/articles/${id}`)
    expect(read).toMatchObject({ status: 200, body: { data: { name: title } } })
    expect((await server.call('GET', '/api/v2/tools/review_dates')).body).toMatchObject({
      data: [{ name: title }],
    })
    expect((await server.call('POST', `/api/v2/articles/${id}`, articleBody(server))).status).toBe(200)
    expect((await server.call('DELETE', `/api/v2/articles/${id}`)).status).toBe(200)
  })
})

describe('409, 413, 415, 500', () => {
  test('a taken slug', async () => {
    const server = await openTestServer()
    await createArticle(server)
    const message = /^The slug "reset-password" is taken by the article "Reset your password"$/
    expect(await server.call('PUT', '/api/v2/articles', articleBody(server))).toEqual(failure(409, message))
    const category = { name: 'Guides', slug: 'accounts', priority: 1, lang: 'en' }
    const answer = await server.call('POST', `/api/v2/categories/${server.guides}`, category)
    expect(answer).toEqual(failure(409, /^The slug "accounts" is taken by the category "Accounts"$/))
  })

  test('a body above the limit', async () => {
    const server = await openTestServer({ bodyLimitBytes: 500 })
    const body = articleBody(server, { content: 'x'.repeat(500) })
    expect(await server.call('PUT', '/api/v2/articles', body)).toEqual(failure(413, /at most 500 bytes/))
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'sent as %j',
    async (type) => {
      const server = await openTestServer()
      const headers = { 'Content-Type': type }
      expect(await server.call('PUT', '/api/v2/articles', articleBody(server), headers)).toEqual(
        failure(415, /application\/json/),
      )
    },
  )

  test.each([
    ['latin1', 415],
    ['"ISO-8859-1"', 415],
    ['utf-16', 415],
    [' utf-16', 415],
    ['utf-16 ; x=y', 415],
    ['utf-8; charset=utf-16', 415],
    ['UTF-8', 200],
    ['"utf-8"', 200],
    ["'utf-8'", 200],
    [' utf-8', 200],
    ['utf-8 ; x=y', 200],
    ['us-ascii', 200],
    ['""', 200],
    ['', 200],
  ])('with the charset %j: %i', async (charset, status) => {
    const server = await openTestServer()
    const headers = {
      'Content-Type': `application/json; charset${charset.startsWith(' ') ? ' ' : ''}=${charset}`,
    }
    const answer = await server.call('PUT', '/api/v2/articles', articleBody(server), headers)
    expect(answer.status).toBe(status)
    if (status === 415) expect(answer).toEqual(failure(415, /^Send the body in UTF-8, which JSON requires: /))
  })

  test('compressed JSON is rejected, with the accepted encoding', async () => {
    const server = await openTestServer()
    const answer = await server.call('PUT', '/api/v2/articles', articleBody(server), {
      'Content-Encoding': 'gzip',
    })
    expect(answer).toEqual(failure(415, /^Send the body as it is: the coding "gzip" is not supported$/))
    expect(answer.headers.get('accept-encoding')).toBe('identity')
  })

  test('JSON with parameters is JSON', async () => {
    const server = await openTestServer()
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    expect((await server.call('PUT', '/api/v2/articles', articleBody(server), headers)).status).toBe(200)
  })

  test('an internal error reveals nothing to the client and everything to the operator', async () => {
    const errors: unknown[] = []
    const server = await openTestServer({ onError: (error) => errors.push(error) })
    await server.close()
    expect(await server.call('GET', '/api/v2/categories')).toEqual(failure(500, /internal error/))
    expect(await server.call('PUT', '/api/v2/articles', articleBody(server))).toEqual(
      failure(500, /internal error/),
    )
    expect(errors).toHaveLength(2)
  })
})

describe('without an error', () => {
  test('a GET or DELETE with the JSON type but without a body is the documented case', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    expect((await server.call('GET', `/api/v2/articles/${id}`)).status).toBe(200)
    expect((await server.call('DELETE', `/api/v2/articles/${id}`)).status).toBe(200)
  })

  test('HEAD has the same response as GET, without the body', async () => {
    const server = await openTestServer()
    const answer = await server.call('HEAD', '/api/v2/categories')
    expect([answer.status, answer.body]).toEqual([200, undefined])
  })

  test('the OpenAPI document needs no key', async () => {
    const { app } = await openTestServer({ version: '9.9.9' })
    const response = await app.request('/api/v2/openapi.json')
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { openapi: '3.1.0', info: { version: '9.9.9' } },
    ])
  })
})
