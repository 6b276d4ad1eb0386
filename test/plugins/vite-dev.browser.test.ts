// A real development server with a real browser.
import { createServer, type InlineConfig } from 'vite'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kb, type KbPluginOptions } from '../../src/plugins/vite.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { openBrowser } from '../support/browser.ts'
import { article, configFile, type Files } from '../support/project.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'
import { createViteProject, type ViteProject } from '../support/vite-project.ts'
import { waitFor } from '../support/wait-for.ts'

interface DevSite extends ViteProject {
  readonly url: string
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

async function serve(
  { options = {}, changes = {} }: { readonly options?: KbPluginOptions; readonly changes?: Files } = {},
  more: InlineConfig = {},
): Promise<DevSite> {
  const site = createViteProject(changes)
  const server = await createServer(site.config(kb(options), { server: { port: 0 }, ...more }))
  onTestFinished(() => server.close())
  await server.listen()
  const [url = ''] = server.resolvedUrls?.local ?? []
  return { ...site, url, restart: () => server.restart(), close: () => server.close() }
}

async function open(url: string): Promise<Page> {
  const browser = await openBrowser()
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

const heading = (page: Page, text: string) => page.locator('h1', { hasText: text }).waitFor()
const overlay = (page: Page) => page.locator('vite-error-overlay')
const partOf = (page: Page, name: string) => overlay(page).locator(`.${name}`).innerText()
const BROKEN = article('First', { status: 'public' })

test('a page shows articles, including drafts, and is updated with every edit', async () => {
  const site = await serve({ changes: { 'content/first.md': article('First', { status: 'draft' }) } })
  const page = await open(site.url)
  await heading(page, 'First')
  site.write({ 'content/first.md': article('Renamed', { body: 'Other text.' }) })
  await heading(page, 'Renamed')
  await page.getByText('Other text.').waitFor()
  site.write({ 'content/another.md': article('Another') })
  await heading(page, 'Another')
  site.remove('content/another.md')
  await heading(page, 'Renamed')
  expect(site.logged.filter((line) => line.startsWith('[kb-sync]'))).toEqual([])
})

test("an error is in Vite's overlay with file, line and frame, and disappears when it is fixed", async () => {
  const site = await serve()
  const page = await open(site.url)
  await heading(page, 'First')
  site.write({ 'content/first.md': BROKEN })
  await overlay(page).waitFor()
  const shown = await Promise.all(
    ['plugin', 'message-body', 'file', 'frame'].map((name) => partOf(page, name)),
  )
  expect(shown.map((text) => text.trim())).toEqual([
    '[plugin:kb-sync]',
    'status must be draft or published. [frontmatter-value]',
    `${site.path('content/first.md')}:4:9`,
    '4 | status: "public"\n  |         ^^^^^^^^',
  ])
  expect(await page.locator('h1').innerText()).toBe('First')
  site.write({ 'content/first.md': article('Mended') })
  await heading(page, 'Mended')
  expect(await overlay(page).count()).toBe(0)
  const told = site.logged.filter((line) => line.startsWith('[kb-sync]'))
  expect(told).toEqual([
    `[kb-sync] 1 problem in the content
content/first.md:4:9 error frontmatter-value
  status must be draft or published.
  4 | status: "public"
    |         ^^^^^^^^`,
    '[kb-sync] all problems in the content are fixed',
  ])
})

test('a page that is opened later sees the error, too, with a link to every other one', async () => {
  const site = await serve({
    changes: { 'content/first.md': BROKEN, 'content/third.md': article('Third', { body: '[x](x.md)' }) },
  })
  const page = await open(site.url)
  await overlay(page).waitFor()
  expect((await partOf(page, 'stack')).trim()).toBe(
    `2 problems in the content; the others:\n${site.path('content/third.md')}:6:5 There is no article "x.md".`,
  )
  await page.reload()
  await overlay(page).waitFor()
})

test('while one article has an error, pages show edits of the others', async () => {
  const site = await serve({ changes: { 'content/second.md': BROKEN } })
  const page = await open(site.url)
  await overlay(page).waitFor()
  site.write({ 'content/first.md': article('Renamed') })
  await heading(page, 'Renamed')
  await overlay(page).waitFor()
  expect(await partOf(page, 'file')).toBe(`${site.path('content/second.md')}:4:9`)
})

test('an edit of the configuration takes effect at once, and an invalid one is in the overlay', async () => {
  const site = await serve()
  const page = await open(site.url)
  await heading(page, 'First')
  site.write({ 'kb.config.ts': configFile({ contents: 'content' }) })
  await overlay(page).waitFor()
  expect(await partOf(page, 'message-body')).toContain('kb.config.ts has an error:')
  site.write({
    'kb.config.ts': configFile({
      content: 'docs',
      defaults: { status: 'published', categories: ['Guides'] },
    }),
    'docs/moved.md': article('Moved'),
  })
  await heading(page, 'Moved')
  site.write({ 'docs/moved.md': article('Moved again') })
  await heading(page, 'Moved again')
  expect(await overlay(page).count()).toBe(0)
})

test('check "warn" shows no overlay', async () => {
  const site = await serve({ options: { check: 'warn' }, changes: { 'content/second.md': BROKEN } })
  const page = await open(site.url)
  await heading(page, 'First')
  site.write({ 'content/first.md': article('Renamed') })
  await heading(page, 'Renamed')
  expect(await overlay(page).count()).toBe(0)
  expect(site.logged.filter((line) => line.includes('status must be'))).toHaveLength(1)
})

test('the server side sees every edit', async () => {
  const site = createViteProject({ 'server.js': "export { articles, loadArticle } from 'virtual:kb'\n" })
  const server = await createServer(site.config(kb(), { server: { port: 0 } }))
  onTestFinished(() => server.close())
  const load = async () => {
    const { articles, loadArticle } = await server.ssrLoadModule('/server.js')
    return [articles[0].title, (await loadArticle(articles[0].id)).html]
  }
  expect(await load()).toEqual(['First', expect.stringContaining('Text of First.')])
  const title = (wanted: string) => waitFor(async () => expect((await load())[0]).toBe(wanted))
  site.write({ 'content/first.md': article('Renamed') })
  await title('Renamed')
})

test('a restarted server continues as before', async () => {
  const site = await serve()
  const page = await open(site.url)
  await heading(page, 'First')
  // Vite's client reloads the page; it misses changes between loading its modules and connecting.
  const reloaded = page.waitForEvent('load')
  await site.restart()
  await reloaded
  await heading(page, 'First')
  site.write({ 'content/first.md': article('Renamed') })
  await heading(page, 'Renamed')
  site.write({ 'content/first.md': BROKEN })
  await overlay(page).waitFor()
  expect(await page.locator('h1').innerText()).toBe('Renamed')
})

test.each<[KbPluginOptions, number]>([
  [{ sync: 'watch' }, 2],
  [{ sync: 'build' }, 0],
  [{}, 0],
])('with %o, the server sends %i articles', async (options, count) => {
  const service = await startBuiltinService()
  vi.stubEnv('KB_URL', service.url)
  vi.stubEnv('KB_API_KEY', SERVICE_KEY)
  onTestFinished(() => void vi.unstubAllEnvs())
  const site = await serve({ options })
  const page = await open(site.url)
  await heading(page, 'First')
  const told = () => site.logged.filter((line) => line.startsWith('[kb-sync]'))
  const wanted = count === 0 ? [] : [expect.stringContaining('2 articles, 2 sent and 0 deleted now')]
  await waitFor(() => expect(told()).toEqual(wanted))
  // Everything in progress has ended then.
  await site.close()
  expect(await service.articles()).toHaveLength(count)
  await service.close()
})
