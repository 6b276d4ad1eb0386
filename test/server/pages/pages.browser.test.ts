// A reader and an author in a real browser, with a real server.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { openBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/find-barriers.ts'
import { API_KEY, createArticle } from '../../support/server.ts'
import { fileName, putFile } from '../../support/stored-files.ts'
import { openPagesServer, PAGES } from './open-pages.ts'

async function openSite(pages = PAGES) {
  const server = await openPagesServer({ pages })
  await createArticle(server, {
    title: 'Reset your password',
    slug: 'reset-password',
    content: '<p>Click the link.</p>',
  })
  await createArticle(server, {
    title: 'Coming soon',
    slug: 'soon',
    status: 'draft',
    content: '<p>Not yet.</p>',
  })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  return { server, url: listening.url, browser: await openBrowser() }
}

test('a reader browses and searches; an author signs in by keyboard, sees drafts, and signs out', async () => {
  const { url, browser } = await openSite()
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))

  await page.goto(`${url}/`)
  expect(await page.locator('h1').textContent()).toBe('Acme Help')
  await page.goto(`${url}/categories/guides`)
  expect(await page.locator('main .kb-list a').allTextContents()).toEqual(['Reset your password'])
  await page.locator('input[type=search]').fill('pasword')
  await page.locator('input[type=search]').press('Enter')
  await page.locator('main a', { hasText: 'Reset your password' }).click()
  await page.waitForURL('**/articles/reset-password')

  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
  await page.goto(`${url}/_kb/sign-in?to=%2Farticles%2Freset-password`)
  expect(await findBarriers(page)).toEqual([])
  await page.getByLabel('API key').fill('kb_wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByLabel('API key').fill(API_KEY)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/articles/reset-password')

  await page.goto(`${url}/categories/guides`)
  expect(await page.locator('main .kb-list a').allTextContents()).toEqual([
    'Coming soon',
    'Reset your password',
  ])
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.getByRole('link', { name: 'Status' }).click()
  expect(await page.locator('h1').textContent()).toBe('Status')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/`)
  expect((await page.goto(`${url}/articles/soon`))?.status()).toBe(404)
  expect((await page.goto(`${url}/status`))?.status()).toBe(403)
  // Chromium reports every response that is not a success.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
})

test('stored subtitles are loaded, and a printed link shows its URL once', async () => {
  const { server, url, browser } = await openSite()
  const subtitles = 'WEBVTT\n\n00:00.000 --> 00:02.000\nWelcome\n'
  const name = fileName('vtt', subtitles)
  expect((await putFile(server, name, subtitles)).status).toBe(200)
  const track = `<track kind="subtitles" src="/files/${name}" srclang="en" label="English" default>`
  const links = '<a href="https://a.example/b/">a.example/b</a> <a href="https://a.example/c">c</a>'
  const content = `<video controls src="https://video.invalid/a.mp4">${track}</video><p>${links}</p>`
  await createArticle(server, { slug: 'video', content })
  const page = await browser.newPage()
  await page.goto(`${url}/articles/video`)
  const read = page.evaluate(`new Promise((resolve) => {
    const element = document.querySelector('track')
    const tell = () => resolve([element.track.label, ...[...element.track.cues].map(({ text }) => text)])
    if (element.readyState === 2) tell()
    element.onload = tell
    element.onerror = () => resolve('not read')
    element.track.mode = 'hidden'
  })`)
  expect(await read).toEqual(['English', 'Welcome'])
  await page.emulateMedia({ media: 'print' })
  const added = await page.evaluate(
    `[...document.querySelectorAll('.kb-content a')].map((link) => getComputedStyle(link, '::after').content)`,
  )
  expect(added).toEqual(['none', '" (https://a.example/c)"'])
})

test('signing in works without scripts', async () => {
  const { url, browser } = await openSite()
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${url}/_kb/sign-in?to=%2Farticles%2Fsoon`)
  await page.getByLabel('API key').fill(API_KEY)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/articles/soon')
  expect(await page.locator('h1').textContent()).toContain('Coming soon')
})

test("a reader enters the site's password, without scripts", async () => {
  const { url, browser } = await openSite({ ...PAGES, password: 'open sesame' })
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${url}/articles/reset-password`)
  expect(await page.getByRole('link').allTextContents()).toEqual(['Skip to the content', 'Acme Help'])
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill('open sesame')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/articles/reset-password')
  expect(await page.locator('h1').textContent()).toBe('Reset your password')

  const accessible = await browser.newPage()
  await accessible.goto(`${url}/articles/reset-password`)
  expect(await findBarriers(accessible)).toEqual([])
  await accessible.getByLabel('Password').fill('wrong')
  await accessible.keyboard.press('Enter')
  await accessible.getByRole('alert').waitFor()
  expect(await findBarriers(accessible)).toEqual([])
})

test('a form on another site cannot sign anyone out', async () => {
  const { url, browser } = await openSite()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/_kb/sign-in`)
  await page.getByLabel('API key').fill(API_KEY)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/`)
  const elsewhere = await context.newPage()
  await elsewhere.setContent(`<form method="post" action="${url}/_kb/sign-out"><button>Win</button></form>`)
  const [answer] = await Promise.all([
    elsewhere.waitForResponse(`${url}/_kb/sign-out`),
    elsewhere.locator('button').click(),
  ])
  expect(answer.status()).toBe(403)
  expect((await page.goto(`${url}/status`))?.status()).toBe(200)
})

test('below a public path, pages, search and sign-in work, without violating their policy', async () => {
  const addresses = { ...PAGES.addresses, url: 'https://example.org/help', base: '/help' }
  const { url, browser } = await openSite({ ...PAGES, addresses })
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('requestfailed', (request) => complaints.push(request.url()))
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/help/')) complaints.push(response.url())
  })
  await page.goto(`${url}/help/`)
  await page.getByRole('searchbox').fill('reset')
  await page.locator('[data-kb-found]').getByRole('link', { name: 'Reset your password' }).click()
  await page.waitForURL(`${url}/help/articles/reset-password`)
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(data ?? '')).toMatchObject({ '@type': 'BreadcrumbList' })
  expect(await findBarriers(page)).toEqual([])
  await page.goto(`${url}/help/_kb/sign-in?to=%2Farticles%2Fsoon`)
  await page.getByLabel('API key').fill(API_KEY)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/help/articles/soon`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/help/`)
  expect(complaints).toEqual([])
})
