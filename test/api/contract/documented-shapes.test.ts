import { describe, expect, test } from 'vitest'
import { type RouteName, pathOf, routes } from '../../../src/api/contract/routes.ts'
import { articleBody, createArticle, openTestServer } from '../../support/server.ts'
import { fileName, putFile } from '../../support/stored-files.ts'
import { DOCUMENTED, differences } from './documented-shapes.ts'

const taxon = { name: 'Renamed', slug: 'renamed', lang: 'en' }

/** A successful response of every operation, each list with an entry. */
async function answers(): Promise<Record<RouteName, unknown>> {
  const server = await openTestServer({ languages: ['en', 'fr'] })
  const { guides, accounts, security } = server
  const id = await createArticle(server, {
    tags: [{ value: security }],
    categories: [{ value: guides }, { value: accounts }],
    content: '<a href="https://example.com/">x</a>',
  })
  for (const category of [guides, accounts]) {
    const translation = { name: 'Manuels', slug: `manuels-${category}`, priority: 1, lang: 'fr' }
    await server.call('POST', `/api/v2/categories/${category}`, translation)
  }
  const send = async (name: RouteName, itemId?: string, body?: object) =>
    (await server.call(routes[name].method, pathOf(routes[name], itemId), body)).body
  return {
    readArticle: await send('readArticle', id),
    createArticle: await send(
      'createArticle',
      undefined,
      articleBody(server, { slug: 'another', aliases: ['former'] }),
    ),
    listCategories: await send('listCategories'),
    updateCategory: await send('updateCategory', accounts, { ...taxon, priority: 2 }),
    listReviewDates: await send('listReviewDates'),
    listLinks: await send('listLinks'),
    listRedirects: await send('listRedirects'),
    readTag: await send('readTag', security),
    updateTag: await send('updateTag', security, { ...taxon, id: security }),
    announceExtensions: await send('announceExtensions'),
    listArticles: await send('listArticles'),
    updateArticle: await send('updateArticle', id, articleBody(server, { title: 'Changed' })),
    writeArticles: await send('writeArticles', undefined, {
      articles: [articleBody(server, { slug: 'one-of-many' }), { title: 'Without a slug' }],
    }),
    findMissingFiles: await send('findMissingFiles', undefined, { files: [fileName('png', 'none')] }),
    putFile: (await putFile(server, fileName('txt', 'Hello'), 'Hello')).body,
    setSources: await send('setSources', undefined, { sources: [{ id, path: 'one.md' }] }),
    deleteArticle: await send('deleteArticle', id),
  }
}

describe('every operation responds in the documented form', () => {
  test('member by member, according to the document', async () => {
    const all = await answers()
    const found = Object.entries(DOCUMENTED).flatMap(([name, shape]) =>
      differences(all[name as RouteName], shape, name),
    )
    expect(found).toEqual([])
  })

  test('and according to the strict and the lenient schema', async () => {
    for (const [name, body] of Object.entries(await answers()) as [RouteName, unknown][]) {
      expect(routes[name].response.parse(body)).toEqual(body)
      expect(routes[name].lenient.safeParse(body).success).toBe(true)
    }
  })

  test('empty lists and members, too', async () => {
    const server = await openTestServer({ seed: { categories: [{ name: 'Empty', slug: 'empty' }] } })
    for (const name of ['listCategories', 'listReviewDates', 'listLinks'] as const) {
      const { body } = await server.call('GET', routes[name].path)
      expect(routes[name].response.parse(body)).toEqual(body)
    }
  })
})
