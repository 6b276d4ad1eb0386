// The extensions `paging` and `changed-since`, over HTTP.
import Libsql from 'libsql'
import { describe, expect, test } from 'vitest'
import { articleBody, createArticle, openTestServer, type TestServer } from '../support/server.ts'

interface Page {
  readonly data: readonly Readonly<Record<string, unknown> & { id: string }>[]
  readonly deleted?: readonly string[]
  readonly revision?: string
  readonly reset?: boolean
  readonly cursor?: string
}

/** Returns all pages of a list. */
async function pagesOf(server: TestServer, path: string, limit: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.cursor) {
    const position = cursor === '' ? '' : `&cursor=${cursor}`
    const { status, body } = await server.call('GET', `${path}limit=${limit}${position}`)
    expect(status).toBe(200)
    pages.push(body as Page)
  }
  return pages
}

async function startWithArticles(count: number) {
  const server = await openTestServer()
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const content = `<a href="https://example.com/${index}">x</a>`
    ids.push(await createArticle(server, { title: `Article ${index}`, slug: `article-${index}`, content }))
  }
  return { server, ids }
}

const LISTS = ['/api/v2/tools/review_dates', '/api/v2/tools/link_manager']

describe('pages of the two lists', () => {
  test.each(LISTS)('%s has the same entries as without them', async (path) => {
    const { server } = await startWithArticles(5)
    const whole = (await server.call('GET', path)).body as Page
    expect(whole).not.toHaveProperty('cursor')
    for (const limit of [1, 2, 4, 5, 1000]) {
      const pages = await pagesOf(server, `${path}?`, limit)
      expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
      expect(pages).toHaveLength(Math.ceil(5 / limit))
    }
  })

  test.each([...LISTS, '/api/v2/articles'])('%s rejects an invalid limit or cursor', async (path) => {
    const server = await openTestServer()
    const limits = ['0', '1001', 'x'].map((limit) => `limit=${limit}`)
    const cursors = ['x', btoa('null'), btoa('{"id":"\\u0000"}')].map((cursor) => `cursor=${cursor}`)
    for (const query of [...limits, ...cursors]) {
      const answer = await server.call('GET', `${path}?${query}`)
      expect([answer.status, answer.body]).toMatchObject([400, { success: false }])
    }
  })
})

describe('the list of articles', () => {
  test('has the same data as a read, except the content', async () => {
    const { server, ids } = await startWithArticles(3)
    const [list] = await pagesOf(server, '/api/v2/articles?', 10)
    expect(list?.data.map(({ id }) => id)).toEqual(ids)
    const read = await server.call('GET', `/api/v2/articles/${ids[0]}`)
    const { data, isDraft, categories, tags } = read.body as Record<string, object>
    const { content: _, ...members } = data as { content: string }
    expect(list?.data[0]).toEqual({
      ...members,
      isDraft,
      categories,
      tags,
      content_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      content_comment: '',
      etag: read.headers.get('etag'),
    })
  })

  test('contains the changes since a revision', async () => {
    const { server, ids } = await startWithArticles(3)
    const pages = await pagesOf(server, '/api/v2/articles?', 2)
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1])
    const revision = pages.at(-1)?.revision
    await server.call('DELETE', `/api/v2/articles/${ids[0]}`)
    await server.call('POST', `/api/v2/articles/${ids[1]}`, articleBody(server, { title: 'Edited' }))
    const since = await server.call('GET', `/api/v2/articles?changedSince=${revision}`)
    expect(since.body).toMatchObject({
      data: [{ id: ids[1], name: 'Edited' }],
      deleted: [ids[0]],
      reset: false,
    })
    const next = (since.body as Page).revision
    const empty = await server.call('GET', `/api/v2/articles?changedSince=${next}`)
    expect(empty.body).toMatchObject({ data: [], deleted: [], reset: false, revision: next })
  })

  test('starts again if the revision is unknown, or deletions since then were forgotten', async () => {
    const { server, ids } = await startWithArticles(3)
    const future = await server.call('GET', '/api/v2/articles?changedSince=999')
    expect(future.body).toMatchObject({ data: [{}, {}, {}], reset: true })
    const { revision } = future.body as Page
    await server.call('DELETE', `/api/v2/articles/${ids[0]}`)
    const connection = new Libsql(server.db)
    connection.exec("update article_changes set deleted_date = '2020-01-01' where deleted_date is not null")
    connection.close()
    await server.call('DELETE', `/api/v2/articles/${ids[1]}`)
    const late = await server.call('GET', `/api/v2/articles?changedSince=${revision}`)
    expect(late.body).toMatchObject({ data: [{ id: ids[2] }], deleted: [], reset: true })
  })

  test('an article written by another version of the program has its own digest', async () => {
    const { server, ids } = await startWithArticles(1)
    const digest = async () =>
      (await pagesOf(server, '/api/v2/articles?', 10))[0]?.data[0]?.['content_digest']
    const before = await digest()
    const connection = new Libsql(server.db)
    connection
      .prepare(
        "update articles set content = 'new', last_edited_date = '2027-01-01T00:00:00.000Z' where id = ?",
      )
      .run(ids[0])
    connection.close()
    expect(await digest()).not.toBe(before)
  })

  test('reads contents without a digest one at a time, between other requests', async () => {
    const { server, ids } = await startWithArticles(5)
    const connection = new Libsql(server.db)
    connection.exec('update articles set digest_date = null')
    connection.close()
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const after = { revision: 0, id: '' }
    await server.store.listChanges(server.store.defaultSiteId, { after, deletedAfter: 0, limit: 10 })
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(ids.length)
  })
})
