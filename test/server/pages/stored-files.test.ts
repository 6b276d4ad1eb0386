// Pictures and files of articles on the pages.
import { expect, test } from 'vitest'
import { createArticle } from '../../support/server.ts'
import { fileName, PNG, putFile } from '../../support/stored-files.ts'
import { openPagesServer, PAGES, visitorOf } from './open-pages.ts'

const DOCUMENT = '%PDF-1.7'
const picture = `/files/${fileName('png', PNG)}`
const document = `/files/${fileName('pdf', DOCUMENT)}`
const unknown = `/files/${fileName('png', 'none')}`

const CONTENT = [
  `<p><img src="${picture}" alt="a"></p>`,
  `<p><img src="${picture}" alt="b" width="320"><img src="${picture}" alt="c" width="1" height="1"></p>`,
  `<p><img src="${unknown}" alt="d"><video src="${unknown}" poster="${picture}"></video></p>`,
  `<p><a href="${document}">e</a><a href="${document}?x">f</a></p>`,
].join('')

async function openWith(addresses: object) {
  const server = await openPagesServer({
    pages: { ...PAGES, addresses: { ...PAGES.addresses, ...addresses } },
  })
  await putFile(server, fileName('png', PNG), PNG)
  await putFile(server, fileName('pdf', DOCUMENT), DOCUMENT)
  await createArticle(server, { content: CONTENT })
  return visitorOf(server)
}

test("a stored picture has its size, loads lazily, and keeps its author's attributes", async () => {
  const { get } = await openWith({})
  const { text } = await get('/articles/reset-password')
  const shown = [...text.matchAll(/<(?:img|video)[^>]* src="\/files[^>]*>/g)].map(([tag]) => tag)
  const late = 'loading="lazy" decoding="async"'
  expect(shown).toEqual([
    `<img src="${picture}" alt="a" ${late} width="640" height="480">`,
    `<img src="${picture}" alt="b" width="320" ${late} height="240">`,
    `<img src="${picture}" alt="c" width="1" height="1" ${late}>`,
    `<img src="${unknown}" alt="d" loading="lazy">`,
    `<video src="${unknown}" poster="${picture}">`,
  ])
  expect((await get(document)).headers.get('content-type')).toBe('application/pdf')
})

test('below a public path, the URLs of files have it as well', async () => {
  const { get } = await openWith({ url: 'https://example.com/help', base: '/help' })
  const { text } = await get('/help/articles/reset-password')
  const urls = [...text.matchAll(/(?:src|href|poster)="([^"]*\/files\/[^"]*)"/g)].map(([, url]) => url)
  expect(urls).toEqual(
    [picture, picture, picture, unknown, unknown, picture, document, `${document}?x`].map(
      (url) => `/help${url}`,
    ),
  )
  for (const path of [`/help${picture}`, picture]) expect((await get(path)).status).toBe(200)
  expect((await get(`/help${unknown}`)).status).toBe(404)
})
