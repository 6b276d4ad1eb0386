// Operations and members of the extensions, over HTTP.
import { describe, expect, test } from 'vitest'
import {
  NOW,
  articleBody,
  createArticle,
  openTestServer,
  reviewedIds,
  type TestServer,
} from '../support/server.ts'

const LANGUAGES = { languages: ['en', 'fr', 'de'] }
const UNKNOWN = '01890000-0000-7000-8000-000000000000'

const pathOf = (id: string, query = '') => `/api/v2/articles/${id}${query}`

test('their names are announced', async () => {
  const server = await openTestServer()
  const answer = await server.call('OPTIONS', '/api/v2/articles')
  const headers = ['kb-extensions', 'allow'].map((name) => answer.headers.get(name))
  expect([answer.status, headers, answer.body]).toEqual([
    200,
    [
      'update, languages, ids, batch, etag, files, paging, changed-since, redirects, sources, idempotency',
      'PUT, POST, GET, OPTIONS, HEAD',
    ],
    {
      success: true,
      message:
        'This service offers the extensions update, languages, ids, batch, etag, files, paging, changed-since, redirects, sources, idempotency',
    },
  ])
})

test('a create states the new article in a header, not in the body', async () => {
  const server = await openTestServer()
  const answer = await server.call('PUT', '/api/v2/articles', articleBody(server, { title: 'New' }))
  const location = answer.headers.get('location') ?? ''
  expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'Article "New" was created' }])
  expect((await server.call('GET', location)).body).toMatchObject({ data: { name: 'New' } })
  const refused = await server.call('PUT', '/api/v2/articles', articleBody(server, { title: 'New' }))
  expect([refused.status, refused.headers.get('location')]).toEqual([409, null])
})

describe('the key of a create', () => {
  const createWith = async (server: TestServer, key: string, changes: object = {}) => {
    const headers = { 'Idempotency-Key': key }
    const answer = await server.call('PUT', '/api/v2/articles', articleBody(server, changes), headers)
    return { status: answer.status, location: answer.headers.get('location'), body: answer.body }
  }
  const dated = { articleReviewDate: '2027-01-31' }

  test('returns the same response again, without a second article', async () => {
    const server = await openTestServer()
    const first = await createWith(server, '"one"', dated)
    expect(first.status).toBe(200)
    // Also without the quotes, as many clients send it.
    expect(await createWith(server, 'one', dated)).toEqual(first)
    expect(await reviewedIds(server)).toHaveLength(1)
    const other = await createWith(server, '"one"', { ...dated, slug: 'other' })
    expect([other.status, other.body]).toEqual([
      422,
      {
        success: false,
        message: 'The Idempotency-Key was used before to create an article with another body',
      },
    ])
    expect(await createWith(server, '"two"', dated)).toMatchObject({ status: 409, location: null })
    expect(await createWith(server, String.raw`"a \"b\""`, { slug: 'quotes' })).toMatchObject({ status: 200 })
    expect(await createWith(server, 'a "b"', { slug: 'quotes' })).toMatchObject({ status: 200 })
    for (const key of ['""', 'x'.repeat(256), '"\u00e9"'])
      expect(await createWith(server, key)).toMatchObject({ status: 400, location: null })
  })

  test('that was rejected may be used again, even with another body', async () => {
    const server = await openTestServer()
    await createArticle(server, { slug: 'taken' })
    expect(await createWith(server, '"one"', { slug: 'taken' })).toMatchObject({ status: 409 })
    expect(await createWith(server, '"one"', { slug: 'free' })).toMatchObject({ status: 200 })
  })

  test('works for many requests at once, alone and in batches', async () => {
    const server = await openTestServer()
    const answers = await Promise.all(Array.from({ length: 8 }, () => createWith(server, '"one"', dated)))
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1)
    const articles = ['two', 'two', 'three'].map((key) =>
      articleBody(server, { ...dated, slug: key, idempotencyKey: key }),
    )
    const batches = await Promise.all([1, 2].map(() => server.call('POST', '/api/v2/articles', { articles })))
    const ids = batches.map(({ body }) => (body as { results: { id: string }[] }).results.map(({ id }) => id))
    expect(ids[0]).toEqual(ids[1])
    expect(new Set(ids[0]).size).toBe(2)
    expect(await reviewedIds(server)).toHaveLength(3)
    const wrong = {
      articles: [
        { ...articles[0], slug: 'four' },
        { ...articles[0], id: ids[0]?.[0] },
      ],
    }
    expect((await server.call('POST', '/api/v2/articles', wrong)).body).toMatchObject({
      results: [{ status: 422 }, { status: 400, message: 'idempotencyKey must be omitted with an id' }],
    })
  })
})

test('aliases are listed with the former slugs of articles', async () => {
  const server = await openTestServer(LANGUAGES)
  const id = await createArticle(server, { slug: 'one', aliases: ['first', 'erste'] })
  const list = async () => (await server.call('GET', '/api/v2/tools/redirects')).body
  await server.call('POST', pathOf(id), articleBody(server, { title: 'Two', slug: 'two', lang: 'en' }))
  const entry = (slug: string, declared: boolean) => ({
    slug,
    language: null,
    declared,
    hits: 0,
    last_hit_date: '',
    created_date: NOW,
    articles: { id, name: 'Two' },
  })
  expect(await list()).toEqual({
    success: true,
    message: '',
    data: [entry('erste', true), entry('first', true), entry('one', false)],
  })
  await server.call('POST', pathOf(id), articleBody(server, { slug: 'two', aliases: [] }))
  expect(await list()).toMatchObject({ data: [{ slug: 'one' }] })
  const security = { id: server.security, name: 'Safety', slug: 'safety', lang: 'en' }
  await server.call('POST', `/api/v2/tags/${server.security}`, security)
  expect(await list()).toMatchObject({
    data: [
      { slug: 'one' },
      { slug: 'security', declared: false, tags: { id: server.security, name: 'Safety' } },
    ],
  })
  for (const aliases of ['one', ['a b'], Array.from({ length: 101 }, (_, index) => `a${index}`)]) {
    const refused = await server.call('POST', pathOf(id), articleBody(server, { slug: 'two', aliases }))
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('aliases')])
  }
})

describe('versions of an article', () => {
  async function startWithArticle() {
    const server = await openTestServer()
    const id = await createArticle(server)
    const read = (headers: Record<string, string> = {}) => server.call('GET', pathOf(id), undefined, headers)
    const versionNow = async () => (await read()).headers.get('etag') ?? ''
    return { server, id, read, versionNow }
  }

  test('a read states it, and a known one is not sent again', async () => {
    const { server, id, read, versionNow } = await startWithArticle()
    const version = await versionNow()
    expect(version).toMatch(/^"[0-9a-f]{32}"$/)
    // Once from the database, and once from memory.
    expect(await versionNow()).toBe(version)
    for (const known of [
      version,
      `W/${version}`,
      `"other", ${version}`,
      '*',
      version.replace(/"$/, '-gzip"'),
    ]) {
      const answer = await read({ 'If-None-Match': known })
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, undefined, version])
    }
    expect((await read({ 'If-None-Match': '"other"' })).status).toBe(200)
    await server.call('POST', pathOf(id), articleBody(server))
    expect((await read({ 'If-None-Match': version })).status).toBe(200)
  })

  test('a write with another one changes nothing', async () => {
    const { server, id, read, versionNow } = await startWithArticle()
    const before = await versionNow()
    await server.call('POST', pathOf(id), articleBody(server, { title: 'Edited' }))
    const refused = {
      status: 412,
      body: { success: false, message: `The article "${id}" has another version than the one in If-Match` },
    }
    const headers = { 'If-Match': before }
    const body = articleBody(server, { title: 'Overwritten' })
    expect(await server.call('POST', pathOf(id), body, headers)).toMatchObject(refused)
    expect(await server.call('DELETE', pathOf(id), undefined, headers)).toMatchObject(refused)
    const batch = { articles: [{ ...body, id, ifMatch: before }] }
    expect((await server.call('POST', '/api/v2/articles', batch)).body).toMatchObject({
      results: [refused.body],
    })
    expect((await read()).body).toMatchObject({ data: { name: 'Edited' } })

    const now = { 'If-Match': await versionNow() }
    expect((await server.call('POST', pathOf(id), body, now)).status).toBe(200)
    expect((await server.call('POST', pathOf(UNKNOWN), body, now)).status).toBe(404)
    const last = { 'If-Match': await versionNow() }
    expect((await server.call('DELETE', pathOf(id), undefined, last)).status).toBe(200)
  })

  test('a write of an item without version must not state one', async () => {
    const { server, id } = await startWithArticle()
    const body = articleBody(server, { title: 'New', slug: 'new' })
    const headers = { 'If-Match': '"other"' }
    const message = 'If-Match is only for updating or deleting one article: send this request without it'
    for (const [method, path, sent] of [
      ['PUT', '/api/v2/articles', body],
      ['POST', '/api/v2/articles', { articles: [body] }],
      ['POST', '/api/v2/categories/x', { name: 'New', slug: 'new', priority: 1, lang: 'en' }],
      ['POST', '/api/v2/tags/x', { id: 'x', name: 'New', slug: 'new', lang: 'en' }],
    ] as const) {
      const answer = await server.call(method, path, sent, headers)
      expect(answer).toMatchObject({ status: 412, body: { success: false, message } })
    }
    const batch = { articles: [{ ...body, ifMatch: '"other"' }] }
    expect((await server.call('POST', '/api/v2/articles', batch)).body).toMatchObject({
      results: [{ status: 400, success: false, message: 'ifMatch must be omitted without an id' }],
    })
    expect(await reviewedIds(server)).toEqual([id])
  })

  test('of concurrent writes with the same version, one succeeds', async () => {
    const { server, id, versionNow } = await startWithArticle()
    const headers = { 'If-Match': await versionNow() }
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) =>
        server.call('POST', pathOf(id), articleBody(server, { title }), headers),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 412, 412])
  })

  test('an opened draft changes the version', async () => {
    const { server, versionNow } = await startWithArticle()
    const before = await versionNow()
    await createArticle(server, { status: 'draft' })
    expect(await versionNow()).not.toBe(before)
  })
})

describe('update in place', () => {
  test('the response names the article, and a read shows the change at once', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    const before = (await server.call('GET', pathOf(id))).body
    const body = articleBody(server, { title: 'Changed', content: '<p>New</p>' })
    expect(await server.call('POST', pathOf(id), body)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Article "Changed" was updated' },
    })
    const { data, ...rest } = before as { data: object }
    expect((await server.call('GET', pathOf(id))).body).toEqual({
      ...rest,
      data: {
        ...data,
        name: 'Changed',
        content: '<p>New</p>',
        last_edited_Date: new Date(Date.parse(NOW) + 1).toISOString(),
      },
    })
  })

  test('every documented rule of a create applies', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    await createArticle(server, { slug: 'other', title: 'Other' })
    const attempts: [object, number, RegExp][] = [
      [{ title: '' }, 400, /^title must not be empty$/],
      [{ excerpt: 'x'.repeat(161) }, 400, /^excerpt must be at most 160/],
      [
        { categories: [{ value: UNKNOWN }] },
        400,
        /^categories\[0\].value must be the id of a category: GET /,
      ],
      [{ slug: 'other' }, 409, /^The slug "other" is taken by the article "Other"$/],
    ]
    for (const [changes, status, message] of attempts) {
      const answer = await server.call('POST', pathOf(id), articleBody(server, changes))
      expect(answer).toMatchObject({
        status,
        body: { success: false, message: expect.stringMatching(message) },
      })
    }
    expect((await server.call('POST', pathOf(UNKNOWN), articleBody(server))).status).toBe(404)
  })
})

describe('languages', () => {
  test('a translation is created, read by its language, and a missing one is a new version', async () => {
    const server = await openTestServer(LANGUAGES)
    const original = await createArticle(server)
    const french = await createArticle(server, { title: 'Mot', lang: 'fr', languageParent: original })
    expect((await server.call('GET', pathOf(original, '?lang=fr'))).body).toMatchObject({
      data: { id: french, name: 'Mot', language: 'fr', language_parent: original },
      newVersion: false,
    })
    expect((await server.call('GET', pathOf(french, '?lang=en'))).body).toMatchObject({
      data: { id: original, language: null, language_parent: null },
      newVersion: false,
    })
    expect((await server.call('GET', pathOf(french, '?lang=de'))).body).toMatchObject({
      data: { id: original, name: 'Reset your password', language: 'de', language_parent: original },
      newVersion: true,
    })
  })

  test('a tag is, too', async () => {
    const server = await openTestServer(LANGUAGES)
    const { security } = server
    const read = async () => (await server.call('GET', `/api/v2/tags/${security}?lang=fr`)).body
    expect(await read()).toMatchObject({
      data: { id: security, name: 'Security', language: 'fr', language_parent: security },
      newVersion: true,
    })
    const update = { id: security, name: 'Sûreté', slug: 'surete', lang: 'fr' }
    await server.call('POST', `/api/v2/tags/${security}`, update)
    expect(await read()).toMatchObject({
      data: { name: 'Sûreté', language: 'fr', language_parent: security },
      newVersion: false,
    })
  })

  test.each([
    ['?lang=xx', /^lang must be one of the enabled languages: en, fr, de$/],
    ['?lang=', /^lang must be one of the enabled languages: /],
    ['?lang=fr&lang=de', /^lang must not be given more than once$/],
  ])('reading with %s is rejected', async (query, message) => {
    const server = await openTestServer(LANGUAGES)
    const id = await createArticle(server)
    for (const path of [pathOf(id, query), `/api/v2/tags/${server.security}${query}`]) {
      expect(await server.call('GET', path)).toMatchObject({
        status: 400,
        body: { success: false, message: expect.stringMatching(message) },
      })
    }
  })

  test('an invalid value is rejected, with its field', async () => {
    const server = await openTestServer(LANGUAGES)
    const original = await createArticle(server)
    const french = await createArticle(server, { lang: 'fr', languageParent: original })
    const attempts: [object, number, string][] = [
      [{ lang: 'xx' }, 400, 'lang must be one of the enabled languages: en, fr, de'],
      [{ lang: 'de', languageParent: UNKNOWN }, 400, 'languageParent must be the id of an article'],
      [
        { lang: 'de', languageParent: french },
        400,
        `languageParent must name an original, but this is a translation of "${original}"`,
      ],
      [{ languageParent: original }, 400, 'lang must differ from the language of the original'],
      [
        { lang: 'fr', languageParent: original, slug: 'other' },
        409,
        'The original has a translation in this language already: "Reset your password"',
      ],
    ]
    for (const [changes, status, message] of attempts) {
      const answer = await server.call('PUT', '/api/v2/articles', articleBody(server, changes))
      expect([answer.status, answer.body]).toEqual([status, { success: false, message }])
    }
  })
})
