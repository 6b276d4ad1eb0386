import { describe, expect, test } from 'vitest'
import { hashApiKey } from '../../src/server/api-key.ts'
import { NOW, articleBody, createArticle, openTestServer, reviewedIds } from '../support/server.ts'
import { addKey } from '../support/with-admin.ts'

const NOBODY = { username: '', first_name: '', last_name: '', email_address: '' }

describe('articles', () => {
  test('a created article is read with every member', async () => {
    const server = await openTestServer()
    const { guides, security } = server
    const body = articleBody(server, {
      tags: [{ value: security }],
      hideFromSearch: true,
      seoBannerUrl: 'https://example.com/banner.png',
      articleReviewDate: '2027-01-31',
    })
    expect(await server.call('PUT', '/api/v2/articles', body)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Article "Reset your password" was created' },
    })
    const [id] = await reviewedIds(server)
    const answer = await server.call('GET', `/api/v2/articles/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const relation = expect.any(String)
    expect(answer.body).toEqual({
      success: true,
      message: '',
      data: {
        id,
        tags_relationship: [{ id: relation, tag_id: security }],
        article_relationships: [{ id: relation, category_id: guides }],
        name: 'Reset your password',
        content: '<p>Hello</p>',
        slug: 'reset-password',
        excerpt: 'How to reset it.',
        order_by: 3,
        status: 'published',
        created_date: NOW,
        article_parent: '',
        last_edited_Date: NOW,
        seo_banner_url: 'https://example.com/banner.png',
        hide_from_search: true,
        article_review_date: '2027-01-31T00:00:00.000Z',
        language: null,
        language_parent: null,
      },
      isDraft: { id: '' },
      newVersion: false,
      categories: [{ id: relation, label: 'Guides', value: guides }],
      tags: [{ id: relation, label: 'Security', value: security }],
    })
  })

  test('omitted optional members are read as the documented empty values', async () => {
    const server = await openTestServer()
    const body = articleBody(server, { content: '<a href="x">x</a>', categories: [] })
    await server.call('PUT', '/api/v2/articles', body)
    expect(await reviewedIds(server)).toEqual([])
    const { body: links } = await server.call('GET', '/api/v2/tools/link_manager')
    const id = (links as { data: { article_id: string }[] }).data[0]?.article_id
    expect((await server.call('GET', `/api/v2/articles/${id}`)).body).toMatchObject({
      data: { seo_banner_url: '', hide_from_search: false, article_review_date: '', tags_relationship: [] },
      categories: [],
      tags: [],
    })
  })

  test('a read sees a write from a moment ago', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    const path = `/api/v2/articles/${id}`
    expect((await server.call('GET', path)).body).toMatchObject({ categories: [{ label: 'Guides' }] })
    const renamed = { name: 'Manuals', slug: 'guides', priority: 1, lang: 'en' }
    await server.call('POST', `/api/v2/categories/${server.guides}`, renamed)
    expect((await server.call('GET', path)).body).toMatchObject({ categories: [{ label: 'Manuals' }] })
  })

  test.each([
    ['2027-01-31T10:00:00+02:00', '2027-01-31T08:00:00.000Z'],
    ['2027-01-31T10:00', '2027-01-31T10:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ])('review date %s is read as %s', async (written, read) => {
    const server = await openTestServer()
    await createArticle(server, { articleReviewDate: written })
    const { body } = await server.call('GET', '/api/v2/tools/review_dates')
    expect(body).toMatchObject({ data: [{ article_review_date: read }] })
  })

  test('a deleted article is gone, and the response names it', async () => {
    const server = await openTestServer()
    const id = await createArticle(server)
    const path = `/api/v2/articles/${id}`
    expect((await server.call('DELETE', path)).body).toEqual({
      success: true,
      message: 'Article "Reset your password" was deleted',
    })
    expect((await server.call('GET', path)).status).toBe(404)
    expect((await server.call('DELETE', path)).status).toBe(404)
  })
})

describe('categories and tags', () => {
  test('the list contains order, parent, languages, limit and the latest article', async () => {
    const server = await openTestServer({ languages: ['en', 'fr'], articleLimit: 50 })
    await createArticle(server)
    const { guides, accounts, store } = server
    const shared = {
      other_categories_categories_language_parentTocategories: [],
      users_categories_created_byTousers: NOBODY,
    }
    expect((await server.call('GET', '/api/v2/categories')).body).toEqual({
      success: true,
      message: '',
      data: [
        {
          ...shared,
          id: guides,
          name: 'Guides',
          order_by: 1,
          other_categories_categories_parent_idTocategories: { name: '' },
          article_relationships: {
            id: expect.any(String),
            added_date: NOW,
            category_id: guides,
            site_id: store.defaultSiteId,
          },
        },
        {
          ...shared,
          id: accounts,
          name: 'Accounts',
          order_by: 2,
          other_categories_categories_parent_idTocategories: { name: 'Guides' },
          article_relationships: { id: '', added_date: '', category_id: '', site_id: '' },
        },
      ],
      languages: ['en', 'fr'],
      limit: 50,
    })
  })

  test('a tag is read and updated, and omitted fields stay', async () => {
    const server = await openTestServer()
    const { security } = server
    const path = `/api/v2/tags/${security}`
    const update = { id: security, name: 'Safety', slug: 'safety', description: 'New', lang: 'en' }
    expect((await server.call('POST', path, update)).body).toEqual({
      success: true,
      message: 'Tag "Safety" was updated',
    })
    expect((await server.call('GET', path)).body).toEqual({
      success: true,
      message: '',
      data: {
        id: security,
        name: 'Safety',
        slug: 'safety',
        description: 'New',
        long_description: '<p>Safe</p>',
        language: null,
        language_parent: null,
      },
      newVersion: false,
    })
  })
})

test('ids are compared without case everywhere', async () => {
  const server = await openTestServer({ languages: ['en', 'fr'] })
  const { call, guides, accounts, security } = server
  const [upperGuides, upperAccounts] = [guides.toUpperCase(), accounts.toUpperCase()]
  const upperTag = security.toUpperCase()
  const id = await createArticle(server, {
    categories: [{ value: upperGuides }, { value: guides }],
    tags: [{ value: upperTag }],
  })
  const path = `/api/v2/articles/${id.toUpperCase()}`
  const read = await call('GET', path)
  expect(read).toMatchObject({
    status: 200,
    body: {
      data: {
        id,
        article_relationships: [{ category_id: guides }],
        tags_relationship: [{ tag_id: security }],
      },
    },
  })
  expect(await call('GET', `/api/v2/articles/${id}`)).toEqual({ ...read, headers: expect.anything() })

  const translation = { lang: 'fr', languageParent: id.toUpperCase(), slug: 'mot-de-passe' }
  expect((await call('PUT', '/api/v2/articles', articleBody(server, translation))).status).toBe(200)
  expect((await call('GET', `${path}?lang=fr`)).body).toMatchObject({ data: { language_parent: id } })
  expect((await call('POST', path, articleBody(server))).status).toBe(200)

  const category = { name: 'Accounts', slug: 'accounts', priority: 2, lang: 'en' }
  const own = { ...category, categoryParent: upperAccounts }
  expect((await call('POST', `/api/v2/categories/${upperAccounts}`, own)).body).toMatchObject({
    message: 'categoryParent must not be the category itself or one of its descendants',
  })
  const below = { ...category, categoryParent: upperGuides }
  expect((await call('POST', `/api/v2/categories/${accounts}`, below)).status).toBe(200)
  const tag = { id: upperTag, name: 'Security', slug: 'security', lang: 'en' }
  expect((await call('POST', `/api/v2/tags/${security}`, tag)).status).toBe(200)
  expect((await call('POST', `/api/v2/tags/${upperTag}`, { ...tag, id: security })).status).toBe(200)
  expect((await call('DELETE', path)).status).toBe(200)
})

describe('reporting lists', () => {
  test('a review date contains the creator of the article', async () => {
    const server = await openTestServer()
    const person = { username: 'kim', first_name: 'Kim', last_name: 'Lee', email_address: 'kim@example.com' }
    const siteId = server.store.defaultSiteId
    await addKey(server.db, { siteId, hash: hashApiKey('kims-key'), user: person })
    const body = articleBody(server, { articleReviewDate: '2027-01-31' })
    await server.call('PUT', '/api/v2/articles', body, { Authorization: 'Bearer kims-key' })
    expect((await server.call('GET', '/api/v2/tools/review_dates')).body).toEqual({
      success: true,
      message: '',
      data: [
        {
          id: expect.any(String),
          name: 'Reset your password',
          status: 'published',
          article_review_date: '2027-01-31T00:00:00.000Z',
          language: null,
          users_articles_created_byTousers: person,
        },
      ],
    })
  })

  test('a link names its article', async () => {
    const server = await openTestServer()
    const id = await createArticle(server, { content: '<p><a href="/x?a=1&amp;b=2">x</a></p>' })
    expect((await server.call('GET', '/api/v2/tools/link_manager')).body).toEqual({
      success: true,
      message: '',
      data: [
        {
          id: expect.any(String),
          site_id: server.store.defaultSiteId,
          article_id: id,
          url: '/x?a=1&b=2',
          created_date: NOW,
          working: true,
          articles: { id, name: 'Reset your password' },
        },
      ],
    })
  })

  test('a list longer than a page is complete', async () => {
    const server = await openTestServer()
    const urls = Array.from({ length: 1201 }, (_, n) => `/page-${n}`)
    await createArticle(server, { content: urls.map((url) => `<a href="${url}">x</a>`).join('') })
    const { body } = await server.call('GET', '/api/v2/tools/link_manager')
    expect((body as { data: { url: string }[] }).data.map(({ url }) => url)).toEqual(urls)
  })
})
