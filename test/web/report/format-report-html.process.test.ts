import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { formatReportHtml } from '../../../src/web/report/format-report-html.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'
import { includedReport } from '../../cli/report/included-report.ts'
import { emptyReport, hugeTexts } from './odd-reports.ts'
import { validateHtml } from './validate-html.ts'

const richReport = () => sampleReport({ owners: 'email', overdue: 40, broken: 60 })

const REPORTS: readonly (readonly [string, () => Promise<Report>])[] = [
  ['rich and hostile', richReport],
  ['tidy', tidyReport],
  ['empty', emptyReport],
  ['of texts without end', hugeTexts],
]

const documents = new Map<string, Promise<string>>()

/** The document of a report, created once for all tests that read it. */
function documentOf(name: string, report: () => Promise<Report>): Promise<string> {
  const document = documents.get(name) ?? report().then((made) => formatReportHtml(made))
  documents.set(name, document)
  return document
}

test.each(REPORTS)('a report that is %s is a valid document', async (name, report) => {
  expect(await validateHtml(await documentOf(name, report))).toEqual([])
})

test.each(REPORTS)(
  'a report that is %s contains all that it needs, and its policy allows nothing else',
  async (title, report) => {
    const { document } = parseHTML(await documentOf(title, report))
    const digestOf = (name: string) =>
      [...document.querySelectorAll(`head > ${name}`)].map(({ textContent }) => {
        return `sha256-${createHash('sha256')
          .update(textContent ?? '')
          .digest('base64')}`
      })
    const policy = document.querySelector('meta[http-equiv]')?.getAttribute('content')
    expect(policy).toBe(
      `default-src 'none'; style-src '${digestOf('style').join()}'; script-src '${digestOf('script').join()}'; ` +
        "img-src data:; base-uri 'none'; form-action 'none'",
    )
    const loaded = [...document.querySelectorAll('[src], [srcset], link, object, iframe, image, use')]
    expect(loaded.map((each) => [each.localName, each.getAttribute('href')?.slice(0, 26)])).toEqual([
      ['link', 'data:image/svg+xml;base64,'],
    ])
  },
)

test('links that are broken in the local check are counted in the tile', async () => {
  const report = await tidyReport()
  const counts = { ...report.counts, links: 405, disagreements: 284, brokenHere: 284 }
  const tileOf = async (made: Report) => {
    const { document } = parseHTML(await formatReportHtml(made))
    const tile = [...document.querySelectorAll('.kb-tile')].find((each) =>
      (each.textContent ?? '').includes('Broken links'),
    )
    return [tile?.className, tile?.textContent?.replace(/\s+/g, ' ').trim()]
  }
  expect(await tileOf(report)).toEqual(['kb-tile kb-tile-good', 'Broken links 0 of 5 links'])
  expect(await tileOf({ ...report, counts })).toEqual([
    'kb-tile kb-tile-bad',
    'Broken links 284 of 405 links: 0 on the target, 284 more in the local check',
  ])
})

test('any name on a target stays text', async () => {
  const { document } = parseHTML(await formatReportHtml(await sampleReport({ owners: 'email' })))
  const names = new Set([...document.querySelectorAll('body *')].map(({ localName }) => localName))
  for (const name of ['script', 'style', 'img', 'i', 'b', 'base', 'form']) expect(names).not.toContain(name)
  const handlers = [...document.querySelectorAll('*')].flatMap((each) =>
    [...each.attributes].map(({ name }) => name).filter((name) => name.startsWith('on') || name === 'style'),
  )
  expect(handlers).toEqual([])
  const links = [...document.querySelectorAll('a')].map((each) => each.getAttribute('href') ?? '')
  expect(links.filter((link) => !/^(?:https?:\/\/|mailto:ada@example\.org$|#[a-z]+$)/.test(link))).toEqual([])
  expect(links.length).toBeGreaterThan(30)
  const text = document.documentElement.textContent
  expect(['\u0000', '\u001b', '\u202e', '\u2066'].filter((each) => text.includes(each))).toEqual([])
})

test('texts that are too long to be shown are cut visibly', async () => {
  const report = await sampleReport({ overdue: 30, broken: 25, later: 40 })
  const { document } = parseHTML(await formatReportHtml(report, { rowLimit: 20 }))
  const textOf = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) =>
      textContent?.replace(/\s+/g, ' ').trim(),
    )
  expect(document.querySelectorAll('#links .report-links tbody tr').length).toBe(20)
  expect(textOf('#links p.kb-note')).toEqual([
    'The first 20 of 25 are shown; kb report --format csv lists all of them.',
  ])
  expect(textOf('#reviews > table + p, #reviews > details p')).toEqual([
    'The first 20 of 30 are shown; kb report --format csv lists all of them.',
    'The first 20 of 40 are shown; kb report --format csv lists all of them.',
  ])
  expect(textOf('#unowned p.kb-note')).toEqual([
    'The first 9 of 12,345 are shown; the others were only counted.',
  ])
})

test('other findings come before accepted ones, even if a list is cut', async () => {
  const { document } = parseHTML(
    await formatReportHtml(await sampleReport({ overdue: 14, broken: 18 }), { rowLimit: 12 }),
  )
  const accepted = (table: string) => document.querySelectorAll(`${table} .report-accepted`).length
  // Two of each are accepted.
  expect([accepted('#reviews'), accepted('#links .report-links')]).toEqual([0, 0])
})

test('texts of 600,000 characters result in a report shorter than one of them', async () => {
  expect((await documentOf('of texts without end', hugeTexts)).length).toBeLessThan(600_000)
})

test('positions link to their lines, if these have a URL', async () => {
  const report = await sampleReport()
  const linkOf = (file: string, line: number) => `https://git.example/${encodeURIComponent(file)}#L${line}`
  const { document } = parseHTML(await formatReportHtml(report, { linkOf }))
  const link = document.querySelector('#reviews .kb-data-file a')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual([
    'content/guides/article-1.md:6:1',
    'https://git.example/content%2Fguides%2Farticle-1.md#L6',
  ])
})

test('people are named only if the report contains them', async () => {
  const namesIn = async (owners: 'none' | 'names' | 'email') => {
    const document = await formatReportHtml(await sampleReport({ owners }))
    return ['Ada Lovelace', 'ada@example.org'].filter((each) => document.includes(each))
  }
  expect(await namesIn('none')).toEqual([])
  expect(await namesIn('names')).toEqual(['Ada Lovelace'])
  expect(await namesIn('email')).toEqual(['Ada Lovelace', 'ada@example.org'])
})

test('the same report results in the same bytes', async () => {
  const once = await documentOf('rich and hostile', richReport)
  expect((await formatReportHtml(await richReport())) === once).toBe(true)
})

test('its script passes the type checker, and neither script nor style ends its element', () => {
  const require = createRequire(import.meta.url)
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const folder = join(import.meta.dirname, '../../../src/web/report/assets')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(readFileSync(join(folder, 'report.js'), 'utf8')).not.toMatch(/<\/script|<!--/i)
  expect(readFileSync(join(folder, 'report.css'), 'utf8')).not.toMatch(/<\/style/i)
})

test('a link leads to its URL, and nowhere if it is not a URL', async () => {
  const report = await includedReport()
  const [own] = report.links.broken.entries
  if (own === undefined) throw new Error('the sample has none')
  const urls = [
    'https://x.test/q?a=1&b=2',
    '//cdn.test/x',
    'https://\u202eelpmaxe.moc/',
    'https://bücher.test/é',
  ]
  const entries = urls.map((url) => ({ ...own, url }))
  const changed = { ...report, links: { ...report.links, broken: { total: 4, entries } } }
  const { document } = parseHTML(await formatReportHtml(changed))
  const cells = [...document.querySelectorAll('.report-links .kb-data-address:not(th)')]
  expect(cells.map((cell) => cell.querySelector('a')?.getAttribute('href'))).toEqual([
    'https://x.test/q?a=1&b=2',
    'https://cdn.test/x',
    undefined,
    'https://xn--bcher-kva.test/%C3%A9',
  ])
})

test('a path breaks between its folders, not within a name', async () => {
  const document = await formatReportHtml(await includedReport())
  expect(document).toContain('<code>content/<wbr />own.md:7:1</code>')
})

test('a long text is cut between characters, and a note is complete', async () => {
  const report = await includedReport()
  const [own] = report.links.broken.entries
  if (own === undefined) throw new Error('the sample has none')
  const title = `${'x'.repeat(397)}👨‍👩‍👧‍👦👨‍👩‍👧‍👦`
  const note = `The baseline has entries that are no longer needed: ${'https://gone.test/q?a=1&b=2; '.repeat(50)}END`
  const broken = { total: 1, entries: [{ ...own, article: { ...own.article, title } }] }
  const document = await formatReportHtml({ ...report, notes: [note], links: { ...report.links, broken } })
  expect(/x{397}[^<]*/.exec(document)?.[0]).toBe(`${'x'.repeat(397)}…`)
  expect(document).toContain('END</li>')
})
