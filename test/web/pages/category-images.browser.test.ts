// The images of categories, from their files to the pages in a real browser.
import { expect, test } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { article, createProject, startServing } from '../../support/project.ts'

const svg = (width: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="10"><rect width="9" height="9"/></svg>`

const FILES = {
  'content/one.md': article('One', { status: 'published' }),
  'content/_categories.yml':
    '- name: Guides\n  slug: guides\n  iconUrl: img/icon.svg\n  thumbnailUrl: img/wide.svg\n',
  'content/img/icon.svg': svg(30),
  'content/img/wide.svg': svg(300),
}

/** What the browser has drawn: the width of each image, and the kind of its URL. */
const LOOK = `[...document.querySelectorAll('main img')].map((image) => {
  image.loading = 'eager'
  return image.decode().then(() => image.naturalWidth + ' ' + image.src.replace(/^(data:|.*\\/files\\/).*/, '$1'))
})`

test.each([
  ['that created them', false],
  ['with the database of a sync', true],
])('a server shows them %s', async (_, isSynced) => {
  const project = createProject(FILES)
  if (isSynced) expect((await project.kb('sync')).code).toBe(0)
  const { url } = await startServing(project, { args: ['--pages'] })
  if (!isSynced) expect((await project.kb('sync')).code).toBe(0)
  const page = await (await openBrowser()).newPage()
  const look = async (path: string) => {
    await page.goto(url + path)
    const seen = await page.evaluate(`Promise.all(${LOOK})`)
    return (seen as string[]).map((each) => each.replace(url, ''))
  }
  const kind = isSynced ? '/files/' : 'data:'
  expect(await look('/')).toEqual([`300 ${kind}`, `30 ${kind}`])
  expect(await look('/categories/guides')).toEqual([`30 ${kind}`])
  project.write({ 'content/img/icon.svg': svg(40) })
  expect((await project.kb('sync')).code).toBe(0)
  expect(await look('/')).toEqual(['300 /files/', '40 /files/'])
})
