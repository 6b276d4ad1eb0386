import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { ARTICLE, KEY, openClient } from './test-client.ts'

const SEED = { categories: [{ name: 'Guides', slug: 'guides' }], tags: [{ name: 'Safety', slug: 'safety' }] }

/** The built-in server on a socket, with one category and one tag. */
async function startBuiltin() {
  const folder = mkdtempSync(join(tmpdir(), 'kb-client-'))
  const knowledgeBase = await openKnowledgeBase({ db: join(folder, 'kb.db'), seed: SEED, apiKey: KEY })
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0, graceMs: 0 })
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const categoryId = knowledgeBase.seeded.categories['guides'] ?? ''
  const tagId = knowledgeBase.seeded.tags['safety'] ?? ''
  const article = { ...ARTICLE, categories: [{ value: categoryId }], tags: [{ value: tagId }] }
  return { url: server.url, categoryId, tagId, article: { ...article, articleReviewDate: '2027-01-31' } }
}

test('an article is created, found, read and deleted', async () => {
  const { url, categoryId, tagId, article } = await startBuiltin()
  const client = openClient(url)
  const content = '<p>See <a href="https://example.com/">this</a></p>'
  const created = await client.createArticle({ ...article, content })

  const { data: due } = await client.listReviewDates()
  expect(due).toMatchObject([
    { name: 'Reset your password', status: 'draft', article_review_date: '2027-01-31T00:00:00.000Z' },
  ])
  const id = due[0]?.id ?? ''
  expect(created).toEqual({ kind: 'done', message: 'Article "Reset your password" was created', id })
  expect(await client.listLinks()).toMatchObject({ data: [{ article_id: id, url: 'https://example.com/' }] })
  expect(await client.readArticle(id)).toMatchObject({
    data: { id, name: article.title, slug: article.slug, content, order_by: 1, hide_from_search: false },
    categories: [{ label: 'Guides', value: categoryId }],
    tags: [{ label: 'Safety', value: tagId }],
  })

  expect(await client.deleteArticle(id)).toMatchObject({ kind: 'done' })
  expect(await client.readArticle(id)).toBeUndefined()
  expect(await client.deleteArticle(id)).toMatchObject({ kind: 'refused', status: 404 })
})

test('a category and a tag are read and updated', async () => {
  const { url, categoryId, tagId } = await startBuiltin()
  const client = openClient(url)
  const category = { name: 'Manuals', slug: 'manuals', priority: 3, lang: 'en' }
  expect(await client.updateCategory(categoryId, category)).toMatchObject({ kind: 'done' })
  expect(await client.listCategories()).toMatchObject({
    data: [{ id: categoryId, name: 'Manuals', order_by: 3 }],
    languages: ['en'],
  })

  const tag = { id: tagId, name: 'Security', slug: 'security', description: 'Keys', lang: 'en' }
  expect(await client.updateTag(tagId, tag)).toMatchObject({ kind: 'done' })
  expect(await client.readTag(tagId)).toMatchObject({
    data: { id: tagId, name: 'Security', slug: 'security', description: 'Keys' },
  })
  expect(await client.readTag('no-such-tag')).toBeUndefined()
})

test('a rejection is an outcome, a wrong key an error', async () => {
  const { url, article } = await startBuiltin()
  const client = openClient(url)
  await client.createArticle(article)
  expect(await client.createArticle(article)).toMatchObject({ kind: 'refused', status: 409 })

  const stranger = openClient(url, { apiKey: 'wrong' })
  await expect(stranger.listCategories()).rejects.toMatchObject({ code: 'TARGET_REFUSED' })
  expect(await stranger.createArticle(article)).toMatchObject({ kind: 'refused', status: 401 })
})

test('an article whose response was lost exists once', async () => {
  const { url, article } = await startBuiltin()
  const proxy = await startFaultProxy(url)
  onTestFinished(() => proxy.close())
  proxy.inject({ kind: 'cut-after' })
  const client = openClient(proxy.url)
  expect(await client.createArticle(article)).toMatchObject({ kind: 'lost' })
  expect((await client.listReviewDates()).data).toHaveLength(1)
  expect(client.countRequests()).toEqual({ PUT: 1, GET: 1 })
})

test('a hundred concurrent articles all arrive', async () => {
  const { url, article } = await startBuiltin()
  const client = openClient(url)
  const slugs = Array.from({ length: 100 }, (_, number) => `article-${number}`)
  const outcomes = await Promise.all(slugs.map((slug) => client.createArticle({ ...article, slug })))
  expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true)
  expect((await client.listReviewDates()).data).toHaveLength(100)
})
