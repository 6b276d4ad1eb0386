import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatReportHtml } from '../../../src/web/report/format-report-html.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'
import { openBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/find-barriers.ts'
import { createProject } from '../../support/project.ts'
import { emptyReport } from './odd-reports.ts'
import { readRuns } from '../../support/runs.ts'

/** Writes the report into a file, like the command. @returns its URL */
async function writeReport(report: Report): Promise<string> {
  const { path } = createProject({ 'report.html': await formatReportHtml(report) })
  return pathToFileURL(path('report.html')).href
}

/** Records all complaints and all requests of the browser. */
function watch(page: Page): { readonly complaints: string[]; readonly requests: string[] } {
  const seen = { complaints: [] as string[], requests: [] as string[] }
  page.on('console', (message) => seen.complaints.push(message.text()))
  page.on('pageerror', (error) => seen.complaints.push(error.message))
  page.on('request', (request) => seen.requests.push(request.url().slice(0, 200)))
  return seen
}

const LOOKS = [
  { width: 1280, colorScheme: 'dark', media: 'screen' },
  { width: 320, colorScheme: 'light', media: 'screen' },
  { width: 680, colorScheme: 'dark', media: 'print' },
  // The narrowest with navigation beside the lists.
  { width: 896, colorScheme: 'light', media: 'screen' },
] as const

const { numRuns: LOOKS_JUDGED } = readRuns('LOOKS', 2)

/** Number of looks that are checked for barriers: without lists, a phone adds none. */
const REPORTS: readonly (readonly [string, () => Promise<Report>, number])[] = [
  [
    'rich and hostile',
    () => sampleReport({ owners: 'email', overdue: 7, broken: 12, later: 12 }),
    LOOKS_JUDGED,
  ],
  ['tidy', tidyReport, 1],
  ['empty', emptyReport, 1],
]

test.each(REPORTS)(
  'a %s report is accessible to everyone, in every colour scheme, and requests nothing',
  async (_name, make, judged) => {
    const url = await writeReport(await make())
    const page = await (await openBrowser()).newPage()
    const seen = watch(page)
    for (const [index, { width, colorScheme, media }] of LOOKS.entries()) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, media })
      await page.goto(url)
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      if (index < judged) expect(await findBarriers(page), `${colorScheme} ${width} ${media}`).toEqual([])
      // No horizontal scrolling, and nothing is cut off on paper.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    const others = seen.requests.filter((each) => each !== url && !each.startsWith('data:'))
    expect({ ...seen, requests: others }).toEqual({ complaints: [], requests: [] })
  },
)

test('code that is not in the file does not run', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(await writeReport(await sampleReport()))
  const seen = watch(page)
  await page.evaluate(`{
    const script = document.createElement('script')
    script.textContent = 'document.title = "owned"'
    const image = document.createElement('img')
    image.src = 'http://127.0.0.1:9/pixel'
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    document.body.append(script, image, style)
  }`)
  await expect.poll(() => seen.complaints.length).toBe(3)
  for (const complaint of seen.complaints) expect(complaint).toMatch(/Content Security Policy/)
  expect(await page.title()).toBe('Report · docs & <more>')
  expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block')
})

/** Returns the first cell of each visible row. */
async function rowsOf(page: Page, table: string): Promise<readonly string[]> {
  const cells = await page.locator(`${table} tbody tr:visible td:first-child`).allInnerTexts()
  return cells.map((text) => text.split('\n')[0]?.split(' ')[0] ?? '')
}

test('lists are sorted by keyboard, in both directions, and announce it', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(await writeReport(await sampleReport({ overdue: 30 })))
  const table = '#reviews > table:nth-of-type(1)'
  const asWritten = await rowsOf(page, table)
  const sorted = asWritten.toSorted()
  expect(asWritten.length).toBe(30)
  // Accepted findings are last.
  expect(asWritten).not.toEqual(sorted)

  const button = page.locator(table).getByRole('button', { name: 'Date' })
  const order = () => page.locator(`${table} th:first-child`).getAttribute('aria-sort')
  await button.focus()
  await page.keyboard.press('Enter')
  expect(await order()).toBe('ascending')
  expect(await rowsOf(page, table)).toEqual(sorted)
  await page.keyboard.press('Enter')
  expect(await order()).toBe('descending')
  expect(await rowsOf(page, table)).toEqual(sorted.toReversed())
  await page.locator(table).getByRole('button', { name: 'Article' }).press('Space')
  expect(await order()).toBe(null)
})

test('numbers are sorted as numbers', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(await writeReport(await sampleReport()))
  await page.locator('#categories').getByRole('button', { name: 'Broken links' }).click()
  const numbers = await page.locator('#categories tbody td:last-child').allInnerTexts()
  expect(numbers).toEqual(['0', '6', '6', '10', '20'])
})

test('a long list is searched, even on a phone, and its number of rows is announced', async () => {
  const page = await (await openBrowser()).newPage()
  await page.goto(await writeReport(await sampleReport({ broken: 40 })))
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('searchbox', { name: 'Filter: Broken links' }).fill('GONE.example.com')
    expect(await page.locator('.report-links tbody tr:visible').count()).toBe(8)
    // A date does not break at its hyphens.
    const wrapping = `[...document.querySelectorAll('time')].map((time) => getComputedStyle(time).whiteSpace)`
    expect(new Set(await page.evaluate<string[]>(wrapping))).toEqual(new Set(['nowrap']))
  }
  expect(await page.locator('#links [role=status]').allTextContents()).toEqual(['8 of 40 rows'])
})

test('without scripts everything is present, and can be unfolded', async () => {
  const context = await (await openBrowser()).newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(await writeReport(await sampleReport({ overdue: 20 })))
  expect(await page.locator('#reviews > table').first().locator('tbody tr:visible').count()).toBe(20)
  expect(await page.locator('button, input').count()).toBe(0)
  await page.locator('#_kb-figure-days summary').press('Enter')
  expect(await page.locator('#_kb-figure-days table').isVisible()).toBe(true)
})

test('on paper, there is only the content: no navigation, no fields, nothing collapsed, dark on white', async () => {
  const page = await (await openBrowser()).newPage()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(await writeReport(await sampleReport({ overdue: 20 })))
  expect(await page.locator('.kb-nav, .kb-header, .report-filter, summary').count()).toBeGreaterThan(5)
  for (const hidden of ['.kb-nav', '.kb-header', '.report-filter', 'summary'])
    expect([hidden, await page.locator(`${hidden}:visible`).count()]).toEqual([hidden, 0])
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
})
