// Judges HTML in a real browser: inserts it into pages in several ways, activates everything, and reports what ran.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

export interface Verdict {
  readonly html: string
  readonly how: string
  readonly what: readonly string[]
}

type Way = 'parsed page' | 'live fragment' | 'innerHTML again and again' | 'frames'

export interface JudgeOptions {
  /** Elements that the configuration allows in addition to the defaults. */
  readonly allowedTags: readonly string[]
}

const BATCH_SIZE = 400

const WAYS: readonly Way[] = ['parsed page', 'live fragment', 'innerHTML again and again']

/** Returns the effects of each of `fragments`, inserted in every way; none if it is harmless. */
export async function judgeHtml(
  browser: Browser,
  fragments: readonly string[],
  options: JudgeOptions,
): Promise<Verdict[]> {
  const judge = await openJudge(browser, options)
  const verdicts: Verdict[] = []
  for (let from = 0; from < fragments.length; from += BATCH_SIZE) {
    const batch = fragments.slice(from, from + BATCH_SIZE)
    for (const how of WAYS) verdicts.push(...(await narrowDown(batch, how, judge)))
  }
  return verdicts
}

/** Returns how many of `fragments`, each in its own frame, run something: proves that the judge detects it. */
export async function countLive(browser: Browser, fragments: readonly string[]): Promise<number> {
  const page = await openPage(browser)
  const live = new Set<string>()
  for (let from = 0; from < fragments.length; from += 100) {
    const frames = fragments.slice(from, from + 100)
    const html = frames.map(
      (fragment, index) => `<iframe name="v${from + index}" srcdoc="${escape(fragment)}"></iframe>`,
    )
    await page.show(`<!doctype html><body>${html.join('')}`)
    for (const hit of await page.judge('frames', [], [])) live.add(hit.split(' ')[0] ?? '')
  }
  return live.size
}

type Judge = (fragments: readonly string[], how: Way) => Promise<readonly string[]>

async function narrowDown(fragments: readonly string[], how: Way, judge: Judge): Promise<Verdict[]> {
  const what = await judge(fragments, how)
  if (what.length === 0) return []
  const [html] = fragments
  if (fragments.length === 1 && html !== undefined) return [{ html, how, what }]
  const middle = fragments.length >> 1
  const first = await narrowDown(fragments.slice(0, middle), how, judge)
  const second = await narrowDown(fragments.slice(middle), how, judge)
  // Effects of several fragments together.
  return first.length + second.length > 0
    ? [...first, ...second]
    : [{ html: fragments.join('\n'), how, what }]
}

async function openJudge(browser: Browser, { allowedTags }: JudgeOptions): Promise<Judge> {
  const { show, judge: judgeIn, countParts, requests } = await openPage(browser)
  return async (fragments, how) => {
    const isParsed = how === 'parsed page'
    const body = isParsed
      ? fragments.map((html, index) => `<div data-v="${index}">${html}</div>\n`).join('')
      : ''
    await show(`<!doctype html><title>page</title><body>${body}`)
    const seen = await judgeIn(how, isParsed ? [] : fragments, allowedTags)
    const broken = isParsed ? await countParts() : fragments.length
    return [
      ...seen,
      ...requests(),
      ...(broken === fragments.length ? [] : [`${broken} of ${fragments.length} parts are at their place`]),
    ]
  }
}

const SCRIPT = fileURLToPath(new URL('./xss-page.js', import.meta.url))

async function openPage(browser: Browser) {
  let html = ''
  const host = await startServer(() => html)
  const context = await browser.newContext()
  const page: Page = await context.newPage()
  let suspicious: string[] = []
  page.on('dialog', (dialog) => {
    suspicious.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => suspicious.push(`popup ${popup.url()}`))
  page.on('request', (request) => {
    // Articles may contain pictures of other hosts; nothing else may be fetched.
    const isWanted = request.url() === host && request.isNavigationRequest()
    if (!isWanted && !['image', 'media'].includes(request.resourceType()))
      suspicious.push(`request of a ${request.resourceType()}: ${request.url()}`)
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setBlockedURLs', { urls: ['*://*.test/*'] })
  await page.addInitScript({ path: SCRIPT })
  return {
    show: async (next: string) => {
      html = next
      suspicious = []
      await page.goto(host, { waitUntil: 'domcontentloaded' })
    },
    judge: (
      how: Way,
      fragments: readonly string[],
      allowedTags: readonly string[],
    ): Promise<readonly string[]> =>
      page
        .evaluate<string[]>(`kbJudge(${JSON.stringify({ how, fragments, allowedTags })})`)
        .catch((error: Error) => [`the page is gone: ${error.message}`]),
    countParts: () => page.locator('body > div[data-v]').count(),
    requests: () => suspicious,
  }
}

/** Responds with the page at its URL, and with nothing elsewhere. */
async function startServer(readPage: () => string): Promise<string> {
  const server = createServer(({ url, headers }, response) => {
    const isPage = url === '/' && headers['sec-fetch-dest'] === 'document'
    response.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(isPage ? readPage() : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
