// The pages in a real browser: visually, with a screen reader, by keyboard, and without scripts.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ATTRIBUTE_PAYLOADS, readNaughtyStrings, TEXT_PAYLOADS } from '../../content/markdown/xss-vectors.ts'
import { openBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/find-barriers.ts'
import { type Brand, loadBrand } from '../../../src/web/pages/brand/load-brand.ts'
import { createProject } from '../../support/project.ts'
import { createMemorySource, type MemoryBase } from './memory-source.ts'
import { sampleBase } from './sample-base.ts'
import { appOf, serveApp } from './serve-pages.ts'
import { readRuns, shareOf } from '../../support/runs.ts'

type BrowserOptions = Parameters<Awaited<ReturnType<typeof openBrowser>>['newPage']>[0]

const ARABIC = `/articles/${encodeURIComponent('دعوة')}?lang=ar`

const PATHS = [
  '/',
  '/categories/guides',
  '/categories/accounts',
  '/tags/start',
  '/articles/showcase',
  '/articles/secret',
  ARABIC,
  '/search',
  '/search?q=account',
  '/search?q=zzz',
  '/nope',
]

/** Collapsed elements are checked, too. */
const UNFOLD = `for (const each of document.querySelectorAll('details')) each.open = true`

const asAuthor = { viewerOf: () => 'author' as const }

const sample = await sampleBase()

interface Visit {
  readonly page: Page
  readonly url: string
  /** Messages of the console, the policy and the network. */
  readonly complaints: string[]
}

async function open(options: BrowserOptions = {}, base?: MemoryBase, brand?: Brand): Promise<Visit> {
  const url = await serveApp(appOf(createMemorySource(base ?? sample), { ...asAuthor, brand }))
  const page = await (await openBrowser()).newPage({ viewport: { width: 1400, height: 900 }, ...options })
  const complaints: string[] = []
  page.on('console', (message) => {
    // A missing page is reported as missing.
    if (message.type() !== 'log' && !message.location().url.endsWith('/nope')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(url)) complaints.push(request.url())
  })
  return { page, url, complaints }
}

const SIZES = { desktop: { width: 1400, height: 900 }, mobile: { width: 390, height: 844 } }

/** Nothing else depends on the colour scheme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

const { numRuns: SIZES_OF_A_PAGE } = readRuns('LOOKS', 1)

test.each(Object.entries(SIZES))('axe finds nothing, light or dark: %s', async (size, viewport) => {
  const { page, url, complaints } = await open({ viewport })
  // Every page in at least one size, and the next one in the other.
  const turn = Object.keys(SIZES).indexOf(size)
  for (const path of PATHS.filter((_, index) => SIZES_OF_A_PAGE > 1 || index % 2 === turn)) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(url + path)
    await page.evaluate(UNFOLD)
    expect([path, await findBarriers(page)]).toEqual([path, []])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([path, await findBarriers(page, RULES_OF_COLOR)]).toEqual([path, []])
  }
  expect(complaints).toEqual([])
})

test('the pages of a company have its appearance, light or dark, and stay readable', async () => {
  const svg = (fill: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><rect width="60" height="20" fill="${fill}"/></svg>`
  const { root } = createProject({
    'light.svg': svg('navy'),
    'dark.svg': svg('white'),
    'own.css': ':root { --kb-radius: 0 }',
  })
  const look = {
    logo: { light: 'light.svg', dark: 'dark.svg', replacesName: true },
    colours: { accent: '#7c2d92' },
    css: 'own.css',
    header: [{ text: 'Website', url: '/articles/showcase' }],
    footer: [{ text: 'Terms', url: '/articles/showcase' }],
    contact: 'mailto:help@acme.example',
    home: { title: 'How can we help?', text: 'Guides.', featured: ['invite-people'] },
  }
  const brand = loadBrand({ root, brand: look })
  const { page, url, complaints } = await open({ viewport: { width: 320, height: 640 } }, undefined, brand)
  for (const path of ['/', '/articles/invite-people', ARABIC]) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(url + path)
    await page.evaluate(UNFOLD)
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320])
    expect([path, await findBarriers(page)]).toEqual([path, []])
    const lightLogo = await page.evaluate('document.querySelector(".kb-logo").currentSrc')
    expect(lightLogo).toMatch(/light\.svg$/)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([path, await findBarriers(page, RULES_OF_COLOR)]).toEqual([path, []])
    await page.waitForFunction('document.querySelector(".kb-logo").currentSrc.endsWith("dark.svg")')
  }
  await page.goto(url)
  expect(
    await page.evaluate('getComputedStyle(document.querySelector(".kb-search button")).borderRadius'),
  ).toBe('0px')
  await page.getByRole('searchbox').fill('invite')
  const found = page.locator('[data-kb-found]').getByRole('link', { name: 'Invite people' })
  await found.click()
  await page.getByRole('heading', { level: 1, name: 'Invite people' }).waitFor()
  expect(complaints).toEqual([])
})

test('nothing is wider than a window of 320 pixels, and everything fits at twice the size', async () => {
  const { page, url } = await open({ viewport: { width: 320, height: 640 } })
  for (const path of PATHS) {
    await page.goto(url + path)
    await page.evaluate(UNFOLD)
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320])
  }
})

test('the pages do not violate their own policy', async () => {
  const { page, url, complaints } = await open()
  for (const path of PATHS) await page.goto(url + path)
  expect(complaints).toEqual([])
  // The policy works: code in a page does not run.
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<p style="color:red" onclick="window.ran = 1">x</p>')`,
  )
  await page.getByText('x', { exact: true }).last().click()
  expect(await page.evaluate('window.ran')).toBeUndefined()
  expect(complaints.length).toBeGreaterThan(0)
})

test('results appear while typing, and are reached by keyboard', async () => {
  const { page, url, complaints } = await open()
  await page.goto(`${url}/articles/pay-by-card`)
  await page.keyboard.press('/')
  await page.keyboard.type('account')
  const found = page.locator('[data-kb-found]')
  await found.getByRole('link', { name: 'Create your account' }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('3 articles found')
  const focused = () =>
    page.evaluate('document.activeElement.textContent.trim() || document.activeElement.name')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Create your account')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  expect(await focused()).toBe('Close your account')
  await page.keyboard.press('Escape')
  expect([await focused(), await found.isHidden()]).toEqual(['q', true])
  await page.keyboard.press('End')
  await page.keyboard.type('x')
  await page.getByText('Nothing found for “accountx”').first().waitFor()
  await page.keyboard.press('Backspace')
  await found.getByRole('link').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/articles/create-your-account`)
  expect(complaints).toEqual([])
})

test('on the search page, the results themselves are updated', async () => {
  const { page, url } = await open()
  await page.goto(`${url}/search?q=account`)
  await page.getByRole('searchbox').fill('invite')
  await page.getByRole('main').getByRole('link', { name: 'Invite people' }).waitFor()
  expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(['Invite people'])
  expect({
    title: await page.title(),
    heading: await page.getByRole('heading', { level: 1 }).textContent(),
    url: page.url(),
  }).toEqual({
    title: 'Search for “invite” · Acme Help',
    heading: 'Search for “invite”',
    url: `${url}/search?q=invite`,
  })
  await page.getByRole('searchbox').fill('')
  await page.getByRole('heading', { name: 'All articles' }).waitFor()
  expect(page.url()).toBe(`${url}/search`)
  await page.getByRole('searchbox').fill('invite')
  await page.getByRole('heading', { name: 'invite' }).waitFor()
  await page.getByRole('searchbox').press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/articles/invite-people`)
})

test('everything works without scripts', async () => {
  const { page, url } = await open({ javaScriptEnabled: false, viewport: SIZES.mobile })
  await page.goto(url)
  await page.getByRole('searchbox').fill('invite')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Invite people' }).click()
  await page.getByText('Topics').click()
  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'Billing' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Billing')
})

test('by keyboard only: past the header, through menus, and into scrolling regions', async () => {
  const { page, url } = await open()
  await page.goto(`${url}/articles/showcase`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  // Scrolling regions are tab stops, others are not.
  const wrongStops = () =>
    page.evaluate(
      `[...document.querySelectorAll('.kb-content pre, .kb-scroll')].filter((each) => each.hasAttribute('tabindex') !== each.scrollWidth > each.clientWidth).length`,
    )
  await expect.poll(wrongStops).toBe(0)
  await page.goto(`${url}/articles/invite-people`)
  const menu = page.locator('.kb-languages')
  await menu.locator('summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(`document.activeElement.closest('.kb-languages[open] > ul') !== null`)).toBe(
    true,
  )
  await page.keyboard.press('Escape')
  expect(await page.evaluate(`document.activeElement.matches('.kb-languages:not([open]) > summary')`)).toBe(
    true,
  )
})

test('a region unfolded in a wide window scrolls with its links, and its title is no tab stop', async () => {
  const articles = Array.from({ length: 60 }, (_, index) => ({
    title: `Article ${index}`,
    slug: `a${index}`,
    category: 'all',
    html: Array.from({ length: 60 }, (__, at) => `<h2 id="h${at}">Heading ${at}</h2>`).join(''),
  }))
  const base = { articles, categories: [{ slug: 'all', name: 'All' }] }
  const { page, url } = await open({ viewport: { width: 1440, height: 600 } }, base)
  await page.goto(`${url}/articles/a30`)
  expect(await findBarriers(page)).toEqual([])
  const stops = await page.evaluate<string[]>(
    `[...document.querySelectorAll('summary')].filter((each) => each.checkVisibility()).map((each) => each.textContent.trim())`,
  )
  expect(stops).toEqual([])
  await page.setViewportSize({ width: 390, height: 600 })
  await page.waitForFunction('document.querySelector(".kb-toc details").open === false')
})

test('arrow keys reach the links to other pages of results', async () => {
  const articles = Array.from({ length: 30 }, (_, index) => ({
    title: `Account ${index}`,
    slug: `a${index}`,
  }))
  const { page, url } = await open({}, { articles })
  await page.goto(`${url}/search?q=account`)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowUp')
  expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Next')
})

test('code is copied with its button, or selected if a browser does not allow that', async () => {
  const { page, url } = await open()
  await page.goto(`${url}/articles/showcase`)
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (window.copied = text) } })`,
  )
  const button = page.locator('.kb-copy').first()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('window.copied')).toMatch(/^\/\/ Reads a file.*\n\}$/s)
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
  await page.locator('.kb-copy').nth(1).click()
  await page.waitForFunction('getSelection().toString().startsWith("{")')
})

test('in a narrow window, a table scrolls, and a long word does not squeeze the text beside it', async () => {
  const words = 'What this long setting means for readers. '.repeat(3)
  const table = (code: string) => `<table><tr><td><code>${code}</code></td><td>${words}</td></tr></table>`
  const html = table('the_long_name_of_a_setting') + table('--translation-of &lt;article&gt;')
  const articles = [{ title: 'A', slug: 'a', category: 'all', html }]
  const base = { articles, categories: [{ slug: 'all', name: 'All' }] }
  const { page, url } = await open({ viewport: { width: 360, height: 600 } }, base)
  await page.goto(`${url}/articles/a`)
  const width = await page.evaluate<number>(`document.querySelector('td + td').clientWidth`)
  expect(width).toBeGreaterThan(160)
  const lines = `[...document.querySelectorAll('td > code')].map((code) => code.getClientRects().length)`
  expect(await page.evaluate(lines)).toEqual([1, 1])
  expect(await findBarriers(page)).toEqual([])
})

test('a picture wider than the text opens in its original size, by keyboard, too', async () => {
  const { page, url } = await open()
  await page.goto(`${url}/articles/showcase`)
  const picture = page.getByRole('button', { name: 'A blue rectangle' })
  await picture.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'A blue rectangle' })
  expect(await dialog.locator('img').evaluate(`document.querySelector('dialog img').clientWidth`)).toBe(1200)
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.alt')).toBe('A blue rectangle')
  await picture.click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('so does a picture that loads after the layout', async () => {
  const late = 'https://files.example/late.svg'
  const html = `<p><img src="${late}" alt="Late" width="1200" height="300"></p>`
  const articles = [{ title: 'Late', slug: 'late', language: 'en', html }]
  const { page, url } = await open({}, { languages: ['en'], articles })
  let send = () => {}
  const held = new Promise<void>((resolve) => (send = resolve))
  await page.route(late, async (route) => {
    await held
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="300"/>'
    await route.fulfill({ contentType: 'image/svg+xml', body })
  })
  await page.goto(`${url}/articles/late`, { waitUntil: 'domcontentloaded' })
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  send()
  await page.getByRole('button', { name: 'Late' }).click()
  const dialog = page.getByRole('dialog', { name: 'Late' })
  await dialog.waitFor()
  expect(await dialog.getByRole('img').getAttribute('src')).toBe(late)
})

const tab = (label: string, text: string) =>
  `<div class="markdown-tab"><p class="markdown-tab-title"><strong>${label}</strong></p><p>${text}</p></div>`

const TABBED: MemoryBase = {
  languages: ['en', 'ar'],
  articles: ['en', 'ar'].map((language) => ({
    title: 'Install',
    slug: 'install',
    language,
    html: `${tab('npm', 'npm it')}${tab('yarn', '<a id="y">Yarn</a> it')}${tab('npm', 'Again')}<p>End</p>${tab('Alone', 'One')}`,
  })),
}

test('tabs are shown one at a time, by mouse and keyboard, and each is found, linked and printed', async () => {
  const { page, url, complaints } = await open({}, TABBED)
  await page.goto(`${url}/articles/install`)
  const shown = () => page.locator('[role=tabpanel]:not([hidden])').allInnerTexts()
  const keys = async (...names: readonly string[]) => {
    for (const name of names) await page.keyboard.press(name)
    return page.evaluate('document.activeElement.textContent')
  }
  // A label that is used again does not add a tab to the group.
  expect(await page.getByRole('tab').allTextContents()).toEqual(['npm', 'yarn'])
  expect(await shown()).toEqual(['npm it'])
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('tab', { name: 'yarn' }).click()
  expect(await shown()).toEqual(['Yarn it'])
  expect(await keys('ArrowRight')).toBe('npm')
  expect([await keys('End'), await keys('Home'), await keys('ArrowLeft')]).toEqual(['yarn', 'npm', 'yarn'])
  await keys('Home')
  expect(await shown()).toEqual(['npm it'])
  await page.evaluate(`location.hash = 'y'`)
  await expect.poll(shown).toEqual(['Yarn it'])
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.markdown-tab').allInnerTexts()).toEqual([
    'npm\n\nnpm it',
    'yarn\n\nYarn it',
    'npm\n\nAgain',
    'Alone\n\nOne',
  ])
  expect(await page.getByRole('tab').count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`${url}/articles/install?lang=ar`)
  await page.getByRole('tab', { name: 'npm' }).focus()
  expect(await keys('ArrowLeft')).toBe('yarn')
  expect(complaints).toEqual([])
})

test('without scripts, tabs are sections with their labels', async () => {
  const { page, url } = await open({ javaScriptEnabled: false }, TABBED)
  await page.goto(`${url}/articles/install`)
  expect(await page.locator('.kb-content').innerText()).toBe(
    'npm\n\nnpm it\n\nyarn\n\nYarn it\n\nnpm\n\nAgain\n\nEnd\n\nAlone\n\nOne',
  )
})

test('a video is loaded from its host only when a reader plays it', async () => {
  const html = '<p><a href="https://vimeo.com/123">A short tour</a></p>'
  const video: MemoryBase = { articles: [{ title: 'Tour', slug: 'tour', html }] }
  const { root } = createProject()
  const brand = loadBrand({ root, brand: { embeds: ['vimeo'] } })
  const { page, url, complaints } = await open({}, video, brand)
  await page.route('https://player.vimeo.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' }),
  )
  await page.goto(`${url}/articles/tour`)
  expect(complaints).toEqual([])
  await page.getByRole('link', { name: 'A short tour' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('iframe[title="A short tour"]').waitFor()
  await expect.poll(() => complaints).toEqual(['https://player.vimeo.com/video/123?dnt=1&autoplay=1'])
})

test('on paper, there is the article with the URLs of its links, and nothing else', async () => {
  const { page, url } = await open()
  await page.goto(`${url}/articles/showcase`)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await page.getByRole('search').count()).toBe(0)
  const folded = `document.querySelector('.kb-content details:not([open]) > :not(summary)')`
  expect(await page.evaluate(`${folded}.checkVisibility()`)).toBe(true)
  const printed = await page.evaluate(
    `getComputedStyle(document.querySelector('a[href="https://example.org/guide"]'), '::after').content`,
  )
  expect(printed).toBe('" (https://example.org/guide)"')
})

test('whatever is stored, nothing of it runs, and the policy has nothing to block', async () => {
  const all = [...TEXT_PAYLOADS, ...ATTRIBUTE_PAYLOADS, ...readNaughtyStrings()]
  const payloads = shareOf(all, readRuns('PAYLOADS', Math.ceil(all.length / 3)), 0).map((payload) =>
    payload.replaceAll('RUN', 'alert(0)'),
  )
  const articles = payloads.map((html, index) => ({
    title: `${html} ${index}`,
    slug: `${index}`,
    excerpt: html,
    category: 'c',
    html,
  }))
  const { page, url } = await open({}, { articles, categories: [{ slug: 'c', name: payloads[0] ?? '' }] })
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(dialog.message())
    void dialog.dismiss()
  })
  // Articles may show pictures of other hosts; here there are none.
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  )
  await page.addInitScript({
    content: `window.kbSeen = []
      document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => kbSeen.push(violatedDirective + ' ' + blockedURI))`,
  })
  const visit = async (path: string) => {
    await page.goto(url + path, { waitUntil: 'domcontentloaded' })
    const broken = await page.evaluate<string[]>('kbSeen')
    const mains = await page.evaluate<number>(`document.querySelectorAll('body > .kb-body > main').length`)
    expect([path, seen, broken, mains]).toEqual([path, [], [], 1])
  }
  // Every payload as a title and an excerpt, and some as articles: all of them are judged without the page around them.
  for (let from = 0; from < payloads.length; from += 50) await visit(`/search?after=${from}`)
  for (let index = 0; index < payloads.length; index += 40) await visit(`/articles/${index}`)
})
