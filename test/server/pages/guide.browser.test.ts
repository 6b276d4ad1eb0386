// The guide's pages judged by Lighthouse in a real browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { chromium as playwright } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { launchOptions } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { openGuide } from '../../support/guide-site.ts'
import { readRuns, shareOf } from '../../support/runs.ts'
import { serveApp } from '../../web/pages/serve-pages.ts'

const CATEGORIES = ['accessibility', 'best-practices', 'seo'] as const

/** Audits that fail intentionally for pages hidden from search engines. */
const UNLISTED = ['is-crawlable', 'meta-description']

const PAGES: readonly (readonly [path: string, skipAudits: readonly string[]])[] = [
  ['/', []],
  ['/articles/markdown-and-html', []],
  ['/categories/service', []],
  ['/search?q=postgresql', UNLISTED],
  // A missing page is answered with 404, which the console reports.
  ['/nope', [...UNLISTED, 'http-status-code', 'errors-in-console']],
]

const { numRuns: JUDGED } = readRuns('LOOKS', 3)

async function openDebuggedBrowser(): Promise<number> {
  const { args = [], ...options } = await launchOptions()
  const folder = temporaryFolder()
  const browser = await playwright.launchPersistentContext(folder, {
    ...options,
    args: [...args, '--remote-debugging-port=0'],
  })
  onTestFinished(() => browser.close())
  return Number.parseInt(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8'), 10)
}

test('they are accessible, follow best practices and are ready for search engines', async () => {
  const { default: lighthouse } = await import('lighthouse')
  const outer = new Hono()
  const url = await serveApp(outer)
  const guide = await openGuide(() => url)
  outer.all('*', ({ req, env }) => guide.fetch(req.raw, env as never))
  const port = await openDebuggedBrowser()
  for (const [path, skipAudits] of shareOf(PAGES, { numRuns: JUDGED, seed: 0 }, 0)) {
    const result = await lighthouse(url + path, {
      port,
      logLevel: 'silent',
      onlyCategories: [...CATEGORIES],
      skipAudits: [...skipAudits],
      ignoreStatusCode: true,
      disableFullPageScreenshot: true,
    })
    const { categories, audits, runtimeError } = result?.lhr ?? {}
    expect(runtimeError).toBeUndefined()
    const failed = Object.values(audits ?? {}).flatMap(({ id, score }) => (score === 0 ? [id] : []))
    for (const category of CATEGORIES) {
      const score = categories?.[category]?.score ?? 0
      expect(score, `${path}: ${category}, failed: ${failed.join(', ')}`).toBeGreaterThanOrEqual(0.95)
    }
  }
})
