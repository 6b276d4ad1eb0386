import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'
import { percentile } from '../measure/statistics.mjs'

const PAUSE_MS = 200

/** From a saved file to the page that shows it in a real browser; `articles` as often as one of them is edited. */
export async function measureSeen(watch, content, articles) {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox'],
    headless: true,
  })
  try {
    const page = await browser.newPage()
    const [article] = articles
    await page.goto(new URL(article.page, watch.pages).href)
    const samples = []
    for (let index = 0; index <= articles.length; index++) {
      await sleep(PAUSE_MS)
      const ms = await saveAndWait(page, join(content, article.source), `seen${index}of${Date.now()}`)
      if (index > 0) samples.push(ms)
    }
    return [
      { title: 'watch: saved to seen in a browser', unit: 'ms', ours: samples, beside: [] },
      { title: 'watch: saved to seen, 95th', unit: 'ms', ours: [percentile(samples, 95)], beside: [] },
    ]
  } finally {
    await browser.close()
  }
}

async function saveAndWait(page, file, word) {
  // Looked at whenever a frame is drawn, as a reader does.
  const shown = page.waitForFunction((text) => document.body.innerText.includes(text), word, {
    polling: 'raf',
  })
  const started = performance.now()
  appendFileSync(file, `\nEdited: ${word}.\n`)
  await shown
  return performance.now() - started
}
