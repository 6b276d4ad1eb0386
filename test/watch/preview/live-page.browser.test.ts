import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startPreview } from '../../../src/watch/preview/start-preview.ts'
import { openBrowser } from '../../support/browser.ts'
import { article } from '../../support/project.ts'
import { openPreviewProject, type PreviewProject } from './preview-project.ts'

const CATEGORIES = '- name: Guides\n  slug: guides\n'

async function openPage(project: PreviewProject, path: string): Promise<Page> {
  const page = await (await openBrowser()).newPage()
  await page.goto(project.url(path))
  return page
}

/** A long article with these paragraphs changed. */
function longArticle(changes: Readonly<Record<number, string>> = {}): string {
  const parts = Array.from(
    { length: 40 },
    (_, index) => `## Part ${index}\n\n${changes[index] ?? `Text of part ${index}.`}`,
  )
  return article('Long', { body: parts.join('\n\n') })
}

/** Waits for it. */
async function isSeen(locator: Locator): Promise<boolean> {
  await locator.waitFor()
  return true
}

const scrolledTo = (page: Page) => page.evaluate<number>('scrollY')
const topOf = (page: Page, id: string) =>
  page.evaluate<number>(
    `Math.round(document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top)`,
  )

test('a page shows an edit of its article at the same scroll position, and keeps unchanged elements', async () => {
  const project = await openPreviewProject({ 'content/long.md': longArticle() })
  const page = await openPage(project, '/articles/long')
  await page.evaluate('window.before = document.getElementById("part-20")')
  await page.evaluate('document.getElementById("part-19").scrollIntoView()')
  const [scrolled, version] = [await scrolledTo(page), await page.getAttribute('main', 'data-kb-version')]
  await project.save({ 'content/long.md': longArticle({ 20: 'Quite another text.' }) })
  await page.getByText('Quite another text.').waitFor()

  expect(scrolled).toBeGreaterThan(500)
  expect({
    scrolled: await scrolledTo(page),
    isSameHeading: await page.evaluate('window.before === document.getElementById("part-20")'),
    isSameVersion: version === (await page.getAttribute('main', 'data-kb-version')),
  }).toEqual({ scrolled, isSameHeading: true, isSameVersion: false })
})

test('text added above does not move the visible text', async () => {
  const project = await openPreviewProject({ 'content/long.md': longArticle() })
  const page = await openPage(project, '/articles/long')
  await page.evaluate('document.getElementById("part-30").scrollIntoView()')
  const top = await topOf(page, 'part-30')
  await project.save({
    'content/long.md': longArticle({ 3: 'One more.\n\nAnd more.\n\nAnd more.\n\nLast of them.' }),
  })
  await page.getByText('Last of them.').waitFor({ state: 'attached' })

  expect(Math.abs((await topOf(page, 'part-30')) - top)).toBeLessThanOrEqual(2)
})

test('a save with two changes does not replace the elements in between', async () => {
  const project = await openPreviewProject({ 'content/long.md': longArticle() })
  const page = await openPage(project, '/articles/long')
  await page.evaluate('document.getElementById("part-30").scrollIntoView()')
  const top = await topOf(page, 'part-30')
  await project.save({
    'content/long.md': longArticle({ 3: 'One more.\n\nAnd more.\n\nAnd more.', 36: 'Another word.' }),
  })
  await page.getByText('Another word.').waitFor({ state: 'attached' })

  expect(Math.abs((await topOf(page, 'part-30')) - top)).toBeLessThanOrEqual(2)
})

test('more tabs than a browser has connections are updated, even when the listening one is closed', async () => {
  const project = await openPreviewProject({
    'content/one.md': article('One'),
    'content/two.md': article('Two'),
  })
  const context = await (await openBrowser()).newContext()
  const tabs: Page[] = []
  for (let count = 0; count < 8; count++) {
    const tab = await context.newPage()
    await tab.goto(project.url('/articles/one'))
    tabs.push(tab)
  }
  await project.save({ 'content/one.md': article('One', { body: 'First edit.' }) })
  await Promise.all(tabs.map((tab) => tab.getByText('First edit.').waitFor()))
  await tabs.shift()?.close()
  await project.save({ 'content/one.md': article('One', { body: 'Second edit.' }) })

  expect(await Promise.all(tabs.map((tab) => isSeen(tab.getByText('Second edit.'))))).not.toContain(false)
})

test('the open page of an article with a new slug moves to it, and the old URL redirects', async () => {
  const project = await openPreviewProject({ 'content/one.md': article('One') })
  const page = await openPage(project, '/articles/one')
  await project.save({ 'content/one.md': article('One', { slug: 'first', body: 'At another place.' }) })
  await page.getByText('At another place.').waitFor()

  expect(page.url()).toBe(project.url('/articles/first'))
  await page.goto(project.url('/articles/one'))
  expect(page.url()).toBe(project.url('/articles/first'))
})

test('the open page of an article is updated when its file is renamed', async () => {
  const project = await openPreviewProject({
    'content/one.md': article('One'),
    'content/two.md': article('Two'),
  })
  const page = await openPage(project, '/articles/one')
  project.move('content/one.md', 'content/guides/first.md')
  await project.look()
  await page.waitForURL(project.url('/articles/first'))

  expect(await isSeen(page.getByText('Text of One.'))).toBe(true)
})

test('the open page of a deleted article says so, and shows it again when it is restored', async () => {
  const project = await openPreviewProject({
    'content/one.md': article('One'),
    'content/two.md': article('Two'),
  })
  const page = await openPage(project, '/articles/two')
  project.remove('content/two.md')
  await project.look()
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await project.save({ 'content/two.md': article('Two', { body: 'Here again.' }) })

  expect(await isSeen(page.getByText('Here again.'))).toBe(true)
})

test('lists and links are updated: a new article, another title, another URL', async () => {
  const project = await openPreviewProject({
    'content/_categories.yml': CATEGORIES,
    'content/one.md': article('One', { body: 'Read [two](two.md).' }),
    'content/two.md': article('Two'),
  })
  const list = await openPage(project, '/categories/guides')
  const linking = await openPage(project, '/articles/one')
  await project.save({
    'content/three.md': article('Number three'),
    'content/two.md': article('Number two', { slug: 'second' }),
  })
  await list.getByRole('main').getByRole('link', { name: 'Number three' }).waitFor()
  await list.getByRole('main').getByRole('link', { name: 'Number two' }).waitFor()
  expect(await isSeen(linking.locator('.kb-content a[href="/articles/second"]'))).toBe(true)
})

test('the page in another language is one click away and is updated, too', async () => {
  const project = await openPreviewProject(
    {
      'content/one.md': article('Welcome'),
      'content/one.ar.md': article('مرحبا', {
        slug: 'one',
        language: 'ar',
        translationOf: 'one.md',
        body: 'نص',
      }),
    },
    { config: { server: { languages: ['en', 'ar'] } } },
  )
  const page = await openPage(project, '/articles/one')
  await page.locator('.kb-languages summary').click()
  await page.locator('.kb-languages a[hreflang=ar]').click()
  await page.getByRole('heading', { name: 'مرحبا' }).waitFor()
  await project.save({
    'content/one.ar.md': article('أهلا', { slug: 'one', language: 'ar', translationOf: 'one.md', body: 'نص' }),
  })
  await page.getByRole('heading', { name: 'أهلا' }).waitFor()

  expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
})

test('a list of all articles and search results are updated', async () => {
  const project = await openPreviewProject({ 'content/one.md': article('One') })
  const [all, found] = [await openPage(project, '/search'), await openPage(project, '/search?q=fresh')]
  await found.getByText('Nothing found').waitFor()
  await project.save({ 'content/fresh.md': article('Fresh news') })

  expect(await isSeen(all.getByRole('main').getByRole('link', { name: 'Fresh news' }))).toBe(true)
  expect(await isSeen(found.getByRole('main').getByRole('link', { name: 'Fresh news' }))).toBe(true)
})

test('search while typing finds new text, and the input survives an update', async () => {
  const project = await openPreviewProject({
    'content/one.md': article('One'),
    'content/two.md': article('Two'),
  })
  const page = await openPage(project, '/articles/one')
  const results = page.locator('[data-kb-found]')
  await page.getByRole('searchbox').pressSequentially('text')
  await results.getByRole('link', { name: 'Two' }).waitFor()
  await project.save({
    'content/two.md': article('Two', { body: 'About a zeppelin.' }),
    'content/one.md': article('One', { body: 'Edited.' }),
  })
  await page.getByText('Edited.').waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('text')
  await page.getByRole('searchbox').fill('zepp')
  await results.getByText('About a zeppelin.').waitFor()
})

test('a page that was opened before the files were read is updated', async () => {
  const project = await openPreviewProject({ 'content/one.md': article('One') }, { isUnread: true })
  const page = await openPage(project, '/articles/one')
  await page.getByRole('heading', { name: 'Reading the files' }).waitFor()
  await project.look()

  expect(await isSeen(page.getByRole('heading', { name: 'One' }))).toBe(true)
})

test('an open page says when the watch has stopped, and is updated by the next one', async () => {
  const project = await openPreviewProject({ 'content/one.md': article('One') })
  const page = await openPage(project, '/articles/one')
  // The stream exists before it is cut.
  await project.save({ 'content/one.md': article('One', { body: 'Edited once.' }) })
  await page.getByText('Edited once.').waitFor()
  await project.preview.close()
  await page.getByText('This page no longer updates: kb watch has stopped.').waitFor()
  const { settings, preview } = project
  const next = await startPreview({
    settings,
    host: '127.0.0.1',
    port: Number(new URL(preview.url).port),
    isPortRequired: true,
    now: () => new Date(),
    onFailure: (error) => {
      throw error
    },
  })
  try {
    await project.save({ 'content/one.md': article('One', { body: 'Edited again.' }) })
    next.update(project.view(), undefined)
    await page.getByText('Edited again.').waitFor()
    await page.getByText('This page no longer updates').waitFor({ state: 'hidden' })
    expect(await page.locator('.kb-content').innerText()).toBe('Edited again.')
  } finally {
    await next.close()
  }
})
