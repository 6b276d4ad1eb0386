// A reader that shares nothing with the server except the specification finds everything as it was written: all nine operations,
// over real sockets, at a server that is filled through the documented create operation.
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashApiKey } from '../../src/server/api-key.ts'
import { type Listening, listen } from '../../src/server/http/listen.ts'
import { type KnowledgeBase, openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { createIndependentReader } from '../support/independent-reader.ts'
import { addKey } from '../support/with-admin.ts'

const KEY = 'key-of-ada'
const NOW = '2026-03-01T10:00:00.000Z'
const ADA = { username: 'ada', first_name: 'Ada', last_name: 'Lovelace', email_address: 'ada@example.com' }
const NOBODY = { username: '', first_name: '', last_name: '', email_address: '' }
const MANY = 700

type Reader = ReturnType<typeof createIndependentReader>

interface Words {
  readonly [member: string]: unknown
  readonly title: string
  readonly slug: string
}

interface Service {
  readonly kb: KnowledgeBase
  readonly listening: Listening
  readonly reader: Reader
  /** The whole answer of a request that writes. */
  write(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** Writes with only what is required, and what is given. */
  create(words: Words): Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'kb-sync-'))
let service: Service
let categories: Readonly<Record<string, string>>
let tags: Readonly<Record<string, string>>

async function open(): Promise<Service> {
  const db = join(folder, 'kb.db')
  const kb = await openKnowledgeBase({
    db,
    languages: ['en', 'fr'],
    articleLimit: 1234,
    clock: () => new Date(NOW),
    onError: (error) => {
      throw error
    },
    seed: {
      categories: [
        { name: 'Guides', slug: 'guides', priority: 1.5 },
        { name: 'Über uns 🙂', slug: 'über-uns', parent: 'guides', priority: -2 },
        { name: 'Empty', slug: 'empty' },
      ],
      tags: [
        { name: 'Security', slug: 'security', description: 'Safe & sound', longDescription: '<p>Safe</p>' },
        { name: '日本語', slug: '日本語' },
      ],
    },
  })
  const siteId = kb.store.defaultSiteId
  await addKey(db, { siteId, hash: hashApiKey(KEY), user: ADA })
  const listening = await listen(kb, { host: '127.0.0.1', port: 0 })
  const write: Service['write'] = async (method, path, body) => {
    const answer = await fetch(`${listening.url}/api/v2/${path}`, {
      method,
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const create = async (words: Words) => {
    const body = { categories: [], excerpt: '', ordering: 0, status: 'published', content: '', ...words }
    const message = `Article "${words.title}" was created`
    expect(await write('PUT', 'articles', body)).toEqual({ status: 200, body: { success: true, message } })
  }
  const reader = createIndependentReader({ baseUrl: listening.url, apiKey: KEY })
  return { kb, listening, reader, write, create }
}

type Entries = readonly Record<string, unknown>[]

async function entries(answer: Promise<Record<string, unknown>>): Promise<Entries> {
  return (await answer)['data'] as Entries
}

/** The id of the only article with this name that the two reporting lists know. */
async function idOf(name: string): Promise<string> {
  const dated = await entries(service.reader.listReviewDates())
  const linked = await entries(service.reader.listLinks())
  const ids = [
    ...dated.filter((entry) => entry['name'] === name).map(({ id }) => id as string),
    ...linked
      .map(({ articles }) => articles as { id: string; name: string })
      .flatMap((of) => (of.name === name ? of.id : [])),
  ]
  const [id, ...others] = new Set(ids)
  expect([name, id, others]).toEqual([name, expect.stringMatching(/^[0-9a-f-]{36}$/), []])
  return id ?? ''
}

beforeAll(async () => {
  service = await open()
  ;({ categories, tags } = service.kb.seeded)
})

afterAll(async () => {
  await service.listening.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The answer for an article of which only what is required was written. */
function plainAnswer(id: string, changes: object, more: object = {}): object {
  return {
    success: true,
    message: expect.any(String),
    data: {
      id,
      tags_relationship: [],
      article_relationships: [],
      name: '',
      content: '',
      slug: '',
      excerpt: '',
      order_by: 0,
      status: 'published',
      created_date: NOW,
      article_parent: '',
      last_edited_Date: NOW,
      seo_banner_url: '',
      hide_from_search: false,
      article_review_date: '',
      language: null,
      language_parent: null,
      ...changes,
    },
    isDraft: { id: '' },
    newVersion: false,
    categories: [],
    tags: [],
    ...more,
  }
}

describe('articles', () => {
  test('with only what is required', async () => {
    const content = '<a href="/only-way-to-find-it">x</a>'
    await service.create({ title: 'Plain', slug: 'plain', content })
    const id = await idOf('Plain')
    expect(await service.reader.readArticle(id)).toEqual(
      plainAnswer(id, { name: 'Plain', slug: 'plain', content }),
    )
  })

  test('with everything, twice where it may be given twice', async () => {
    const all = {
      title: 'Ünïcode 🙂 "quoted" \\ \u202E \u0001\t',
      slug: 'ünïcode-🙂',
      content: '<p>Grüße\r\n\u2028e\u0301 <script>alert("kept")</script></p>\n',
      excerpt: '🙂'.repeat(160),
    }
    await service.create({
      ...all,
      categories: [categories['über-uns'], categories['guides'], categories['über-uns']].map((value) => ({
        value,
      })),
      tags: [tags['日本語'], tags['security']].map((value) => ({ value })),
      ordering: -1.25,
      hideFromSearch: true,
      seoBannerUrl: 'https://example.com/b.png?x=1&y=ü',
      articleReviewDate: '2027-01-31T01:30:00+02:00',
    })
    const id = await idOf(all.title)
    const answer = await service.reader.readArticle(id)
    const relations = answer['categories'] as { id: string }[]
    const [first, second] = relations.map((entry) => entry.id)
    const [third, fourth] = (answer['tags'] as { id: string }[]).map((entry) => entry.id)
    expect(new Set([id, first, second, third, fourth]).size).toBe(5)
    const expected = {
      name: all.title,
      slug: all.slug,
      content: all.content,
      excerpt: all.excerpt,
      order_by: -1.25,
      seo_banner_url: 'https://example.com/b.png?x=1&y=ü',
      hide_from_search: true,
      article_review_date: '2027-01-30T23:30:00.000Z',
      article_relationships: [
        { id: first, category_id: categories['über-uns'] },
        { id: second, category_id: categories['guides'] },
      ],
      tags_relationship: [
        { id: third, tag_id: tags['日本語'] },
        { id: fourth, tag_id: tags['security'] },
      ],
    }
    expect(answer).toEqual(
      plainAnswer(id, expected, {
        categories: [
          { id: first, label: 'Über uns 🙂', value: categories['über-uns'] },
          { id: second, label: 'Guides', value: categories['guides'] },
        ],
        tags: [
          { id: third, label: '日本語', value: tags['日本語'] },
          { id: fourth, label: 'Security', value: tags['security'] },
        ],
      }),
    )
  })

  test('a draft beside its published article, and what is left when that one is deleted', async () => {
    const reviewed = { articleReviewDate: '2027-05-01' }
    await service.create({ title: 'Twin, published', slug: 'twin', ...reviewed })
    await service.create({ title: 'Twin, draft', slug: 'twin', status: 'draft', ...reviewed })
    const [published, draft] = [await idOf('Twin, published'), await idOf('Twin, draft')]
    const dated = { slug: 'twin', article_review_date: '2027-05-01T00:00:00.000Z' }
    const draftMembers = { ...dated, name: 'Twin, draft', status: 'draft' }
    expect(await service.reader.readArticle(published)).toEqual(
      plainAnswer(published, { ...dated, name: 'Twin, published' }, { isDraft: { id: draft } }),
    )
    expect(await service.reader.readArticle(draft)).toEqual(
      plainAnswer(draft, { ...draftMembers, article_parent: published }),
    )
    expect(await service.write('DELETE', `articles/${published}`)).toEqual({
      status: 200,
      body: { success: true, message: 'Article "Twin, published" was deleted' },
    })
    expect(await service.reader.readArticle(draft)).toEqual(plainAnswer(draft, draftMembers))
    expect(await service.reader.readArticle(published)).toEqual({
      success: false,
      message: expect.stringContaining(published),
    })
  })
})

test('the list of categories', async () => {
  const both = [categories['guides'], categories['über-uns']].map((value) => ({ value }))
  await service.create({ title: 'In both', slug: 'in-both', categories: both })
  const { data, ...rest } = await service.reader.listCategories()
  expect(rest).toEqual({ success: true, message: expect.any(String), languages: ['en', 'fr'], limit: 1234 })
  const latest = (slug: string) => ({
    added_date: NOW,
    category_id: categories[slug],
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    site_id: service.kb.store.defaultSiteId,
  })
  const category = (slug: string, name: string, order: number, parent: string, relation: object) => ({
    id: categories[slug],
    name,
    order_by: order,
    other_categories_categories_language_parentTocategories: [],
    other_categories_categories_parent_idTocategories: { name: parent },
    article_relationships: relation,
    users_categories_created_byTousers: NOBODY,
  })
  expect(data).toEqual([
    category('guides', 'Guides', 1.5, '', latest('guides')),
    category('über-uns', 'Über uns 🙂', -2, 'Guides', latest('über-uns')),
    category('empty', 'Empty', 0, '', { added_date: '', category_id: '', id: '', site_id: '' }),
  ])
})

test('an update of a category, and its translation in the list', async () => {
  const words = {
    name: 'Nothing',
    slug: 'nothing',
    priority: 7,
    categoryParent: categories['guides'],
    lang: 'en',
  }
  const french = { name: 'Rien', slug: 'rien', priority: 0, lang: 'fr' }
  for (const body of [words, french]) {
    expect(await service.write('POST', `categories/${categories['empty']}`, body)).toEqual({
      status: 200,
      body: { success: true, message: `Category "${body.name}" was updated` },
    })
  }
  const data = await entries(service.reader.listCategories())
  expect(data).toHaveLength(3)
  expect(data.find(({ id }) => id === categories['empty'])).toMatchObject({
    name: 'Nothing',
    order_by: 7,
    other_categories_categories_language_parentTocategories: [{ language: 'fr' }],
    other_categories_categories_parent_idTocategories: { name: 'Guides' },
  })
})

test('a tag, before and after an update', async () => {
  const id = tags['security'] ?? ''
  const answer = (data: object) => ({
    success: true,
    message: expect.any(String),
    newVersion: false,
    data: { id, language: null, language_parent: null, ...data },
  })
  const words = { name: 'Security', slug: 'security', description: 'Safe & sound' }
  expect(await service.reader.readTag(id)).toEqual(answer({ ...words, long_description: '<p>Safe</p>' }))
  const update = { id, name: 'Sécurité', slug: 'sécurité', description: '', lang: 'en' }
  expect(await service.write('POST', `tags/${id}`, update)).toEqual({
    status: 200,
    body: { success: true, message: 'Tag "Sécurité" was updated' },
  })
  expect(await service.reader.readTag(id)).toEqual(
    answer({ name: 'Sécurité', slug: 'sécurité', description: '', long_description: '<p>Safe</p>' }),
  )
  expect(await service.reader.readTag('nowhere')).toEqual({
    success: false,
    message: expect.stringContaining('nowhere'),
  })
})

test('review dates of published articles and drafts, each with its creator', async () => {
  const before = await entries(service.reader.listReviewDates())
  for (const [index, date] of ['2028-03-01', '2027-12-31T23:59:59.999Z', '9999-12-31'].entries()) {
    const status = index === 1 ? 'draft' : 'published'
    await service.create({ title: `Due ${index}`, slug: `due-${index}`, status, articleReviewDate: date })
  }
  await service.create({ title: 'Never due', slug: 'never-due', content: '<img src="never.png">' })
  const due = (index: number, date: string, status: string) => ({
    id: expect.any(String),
    name: `Due ${index}`,
    status,
    article_review_date: date,
    language: null,
    users_articles_created_byTousers: ADA,
  })
  expect(await entries(service.reader.listReviewDates())).toEqual([
    ...before,
    due(1, '2027-12-31T23:59:59.999Z', 'draft'),
    due(0, '2028-03-01T00:00:00.000Z', 'published'),
    due(2, '9999-12-31T00:00:00.000Z', 'published'),
  ])
})

test(`${MANY} links of one article, with each its own id`, async () => {
  const before = await entries(service.reader.listLinks())
  const urls = Array.from({ length: MANY }, (_, n) => `https://example.com/page?n=${n}&x=ü`)
  const html = (url: string, n: number) =>
    n % 2 === 0 ? `<a href="${url.replace('&', '&amp;')}">${n}</a>` : `<img src='${url}' alt="">`
  const content = `${urls.map(html).join('\n')}<a href="#none">none</a><a href="mailto:a@example.com">none</a>`
  await service.create({ title: 'Many links', slug: 'many-links', content })
  const id = await idOf('Many links')
  const after = await entries(service.reader.listLinks())
  expect(new Set(after.map((entry) => entry['id'])).size).toBe(before.length + MANY)
  expect(after).toEqual([
    ...before,
    ...urls.map((url) => ({
      id: expect.any(String),
      site_id: service.kb.store.defaultSiteId,
      article_id: id,
      url,
      created_date: NOW,
      working: true,
      articles: { id, name: 'Many links' },
    })),
  ])
  await service.write('DELETE', `articles/${id}`)
  expect(await entries(service.reader.listLinks())).toEqual(before)
})

test('a wrong key is told so in the same shape everywhere', async () => {
  const stranger = createIndependentReader({ baseUrl: service.listening.url, apiKey: 'wrong' })
  const refused = { success: false, message: expect.stringMatching(/key/i) }
  expect(await stranger.readArticle('x')).toEqual(refused)
  expect(await stranger.listCategories()).toEqual(refused)
  expect(await stranger.listReviewDates()).toEqual(refused)
  expect(await stranger.listLinks()).toEqual(refused)
  expect(await stranger.readTag('x')).toEqual(refused)
})
