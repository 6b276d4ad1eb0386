import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { StatusSource } from '../../../../src/web/dashboard/status-source.ts'
import { openBrowser } from '../../../support/browser.ts'
import { findBarriers } from '../../../support/find-barriers.ts'
import { createMemorySource } from '../memory-source.ts'
import { appOf, serveApp } from '../serve-pages.ts'
import { busyStatus } from './busy-status.ts'
import { statusOf } from './status-samples.ts'
import { readRuns } from '../../../support/runs.ts'

async function serveStatus(status: () => StatusSource): Promise<string> {
  const base = createMemorySource({ name: 'Help', articles: [] })
  const source = {
    ...base,
    get status() {
      return status()
    },
  }
  return serveApp(appOf(source, { viewerOf: () => 'author' }))
}

/** Returns all complaints of the browser: policy violations, failed requests, errors. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

const { numRuns: LOOKS_JUDGED } = readRuns('LOOKS', 2)

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const

test('the page is accessible to everyone, in light, dark and on a phone, with the strict policy', async () => {
  const busy = busyStatus(15, 6)
  const url = await serveStatus(() => statusOf(busy))
  const page = await (await openBrowser()).newPage()
  const complaints = complaintsOf(page)
  for (const [index, { width, colorScheme }] of LOOKS.entries()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${url}/status`)
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
    if (index < LOOKS_JUDGED) expect(await findBarriers(page), `${colorScheme} ${width}`).toEqual([])
    // No horizontal scrolling.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    // One variant of each chart is visible.
    expect(await page.locator('.kb-figure svg:visible').count()).toBe(4)
  }
  expect(complaints).toEqual([])
})

test('every chart is a separate document that an XML parser reads, and empty pages are accessible, too', async () => {
  const url = await serveStatus(() => statusOf(busyStatus(20, 0)))
  const page = await (await openBrowser()).newPage()
  await page.goto(`${url}/status`)
  const found = await page.evaluate(`[...document.querySelectorAll('.kb-figure svg')].map((svg) => {
    const text = new XMLSerializer().serializeToString(svg)
    const read = new DOMParser().parseFromString(text, 'image/svg+xml')
    return [svg.namespaceURI.endsWith('/svg'), read.querySelector('parsererror') === null]
  })`)
  expect(found).toEqual(Array.from({ length: 5 }, () => [true, true]))
  expect(await findBarriers(page)).toEqual([])
})

test('lists are sorted and their data unfolded without scripts and mouse', async () => {
  const busy = busyStatus(20, 12)
  const url = await serveStatus(() => statusOf(busy))
  const context = await (await openBrowser()).newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/status`)
  await page.locator('#_kb-figure-days summary').focus()
  await page.keyboard.press('Enter')
  expect(await page.locator('#_kb-figure-days table').isVisible()).toBe(true)
  await page.getByRole('link', { name: 'address', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/status?sort=address#_kb-status-list')
  const addresses = await page.locator('.kb-data-links .kb-data-address').allTextContents()
  const [, ...rest] = addresses
  expect(rest).toEqual(rest.toSorted())
  expect(rest).toHaveLength(12)
})
