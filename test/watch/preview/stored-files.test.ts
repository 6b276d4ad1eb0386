import { expect, test } from 'vitest'
import { article } from '../../support/project.ts'
import { openPreviewProject } from './preview-project.ts'

test('the preview shows the files that the target stores', async () => {
  const project = await openPreviewProject(
    {
      'content/one.md': article('One', { body: '[Prices](prices.csv)' }),
      'content/prices.csv': 'a,b',
      'content/other.csv': 'c,d',
    },
    { config: { target: { url: 'https://kb.example.com' }, pages: { url: 'http://127.0.0.1/help' } } },
  )
  const [file] = project.view().content?.articles[0]?.files ?? []
  const look = async (name = '') => {
    const response = await fetch(project.url(`/files/${name}`))
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  const missing = { status: 404, text: 'There is no such file.\n' }
  expect(await look(file?.name)).toEqual({ status: 200, type: 'text/csv; charset=utf-8', text: 'a,b' })
  expect(await look('other.csv')).toMatchObject(missing)
  // Other content has another URL.
  project.write({ 'content/prices.csv': 'e,f' })
  expect(await look(file?.name)).toMatchObject(missing)
})

test("the preview shows a PDF in the browser's viewer", async () => {
  const project = await openPreviewProject(
    { 'content/one.md': article('One', { body: '[Manual](manual.pdf)' }), 'content/manual.pdf': '%PDF-1.7' },
    { config: { target: { url: 'https://kb.example.com' } } },
  )
  const [file] = project.view().content?.articles[0]?.files ?? []
  const { headers } = await fetch(project.url(`/files/${file?.name}`))
  expect(['content-type', 'content-security-policy'].map((name) => headers.get(name))).toEqual([
    'application/pdf',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; object-src 'self'",
  ])
})

const SIZED = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><!--${'x'.repeat(40_000)}--></svg>`
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'

test('the preview shows the images of categories', async () => {
  const project = await openPreviewProject({
    'content/_categories.yml': '- name: Guides\n  slug: guides\n  iconUrl: img/icon.svg\n',
    'content/one.md': article('One'),
    'content/img/icon.svg': SVG,
  })
  const shown = async (path: string) =>
    /<img class="kb-icon" src="([^"]*)"/.exec(await (await fetch(project.url(path))).text())?.[1] ?? ''
  const icon = await shown('/')
  expect(icon).toMatch(/^\/files\/[\da-f]{64}\.svg$/)
  expect(await shown('/categories/guides')).toBe(icon)
  expect((await fetch(project.url(icon))).headers.get('content-type')).toMatch(/^image.svg/)
  await project.save({ 'content/img/icon.svg': `${SVG}\n` })
  const changed = await shown('/')
  expect(changed).not.toBe(icon)
  expect((await fetch(project.url(changed))).status).toBe(200)
})

test('a large picture has its size in the preview, as on the server', async () => {
  const project = await openPreviewProject({
    'content/one.md': article('One', { body: '![A](large.svg)' }),
    'content/large.svg': SIZED,
  })
  const text = await (await fetch(project.url('/articles/one'))).text()
  const [tag = ''] = /<img[^>]* alt="A"[^>]*>/.exec(text) ?? []
  expect(tag.replace(/ src="[^"]*"/, '')).toBe(
    '<img alt="A" loading="lazy" decoding="async" width="640" height="480">',
  )
})
