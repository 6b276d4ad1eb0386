// The report for the summary of a job: readers see what the target returned, and nothing in it is markup.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Nodes, Root, Table } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { expect, test } from 'vitest'
import { createSourceLink } from '../../../src/cli/markdown/source-links.ts'
import { formatReportMarkdown, type MarkdownPlaces } from '../../../src/cli/report/format-report-markdown.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { includedReport } from './included-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

const BARE: MarkdownPlaces = { prefix: '', linkOf: () => undefined }
const REPOSITORY = 'https://github.example/acme/help/blob/1a2b3c4/'
const LINKED: MarkdownPlaces = {
  prefix: 'docs (1)/',
  linkOf: createSourceLink({
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'acme/help',
    GITHUB_SHA: '1a2b3c4',
  }),
}
const isUpdate = process.env['UPDATE_EXPECTED'] === '1'

const SAMPLES: readonly (readonly [string, () => Promise<Report>, MarkdownPlaces])[] = [
  ['sample', () => sampleReport({ owners: 'names' }), LINKED],
  ['tidy', () => tidyReport(), BARE],
]

test.each(SAMPLES)('%s, to the letter', async (name, make, how) => {
  const file = fileURLToPath(new URL(`expected/${name}.md.txt`, import.meta.url))
  const text = formatReportMarkdown(await make(), how)
  if (isUpdate) writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
})

const parse = (markdown: string): Root => unified().use(remarkParse).use(remarkGfm).parse(markdown)

function textOf(node: Nodes): string {
  let text = ''
  visit(node, (each) => void (text += 'value' in each ? each.value : ''))
  return text.replaceAll('\u2060', '')
}

/** Returns the text of the rows below a heading; a line break becomes a space. */
function rowsBelow(tree: Root, title: string): string[][] {
  const at = tree.children.findIndex((node) => node.type === 'heading' && textOf(node).startsWith(title))
  const table = tree.children.slice(at).find((node): node is Table => node.type === 'table')
  return (table?.children ?? []).slice(1).map(({ children }) =>
    children.map((cell) => {
      const parts = cell.children.map((part) => (textOf(part) === '<br>' ? ' ' : textOf(part)))
      return parts.join('')
    }),
  )
}

test('hostile titles, URLs, files and owners are text, and every link has the right target', async () => {
  const tree = parse(formatReportMarkdown(await sampleReport({ owners: 'email' }), LINKED))
  const html = new Set<string>()
  const urls: string[] = []
  const types = new Set<string>()
  visit(tree, (node) => {
    types.add(node.type)
    if (node.type === 'html') html.add(node.value)
    // A URL in a title may become a link to itself, which misleads no reader.
    if (node.type === 'link' && textOf(node) !== node.url) urls.push(node.url)
  })
  expect([...html].toSorted()).toEqual(['<br>'])
  expect(urls.length).toBeGreaterThan(40)
  expect(urls.filter((url) => !url.startsWith(`${REPOSITORY}docs%20%281%29/content/`))).toEqual([])
  expect(urls).toContain(`${REPOSITORY}docs%20%281%29/content/has%20space/%C3%BCn%C3%AF%20%231%3F.md#L6`)
  expect(
    [...types].filter((type) => ['image', 'definition', 'imageReference', 'linkReference'].includes(type)),
  ).toEqual([])
})

test('titles and URLs are readable as they are', async () => {
  const report = await sampleReport()
  const tree = parse(formatReportMarkdown(report, BARE))
  const titles = rowsBelow(tree, 'Overdue for review').map(([, title]) => title)
  expect(titles.map((title) => title?.replace(/ (?:accepted|content\/|in no file).*/, ''))).toEqual(
    expect.arrayContaining(['<script>document.body.textContent = "owned"</script>', '+1+1|cmd', '-2+3']),
  )
  expect(rowsBelow(tree, 'Broken links')[0]).toEqual([
    'https://gone.example.com/pricing?plan=a&currency=eur#table',
    'Set up account 2',
    'content/has space/ünï #1?.md:12:5',
  ])
})

test('titles are links to the pages of articles, if their URLs are known', async () => {
  const url = 'https://help.example/a|b?c=%22<>)]#"'
  const report = await sampleReport({ overdue: 1 })
  const [finding] = report.reviews.overdue.entries
  if (finding === undefined) throw new Error('The sample has no finding')
  const title = 'A ](x) [title|'
  const entries = [{ ...finding, title, url }]
  const reviews = { ...report.reviews, overdue: { ...report.reviews.overdue, entries } }
  const text = formatReportMarkdown({ ...report, reviews }, BARE)
  expect(text).toContain('](<https://help.example/a%7Cb?c=%22%3C%3E)]#%22>)')
  expect(rowsBelow(parse(text), 'Overdue for review').map(([, cell]) => cell?.startsWith(title))).toEqual([
    true,
  ])
})

test('a list has a row for each entry up to a hundred, and the number of others', async () => {
  const report = await sampleReport({ overdue: 100, broken: 130 })
  const tree = parse(formatReportMarkdown(report, BARE))
  expect(rowsBelow(tree, 'Overdue for review')).toHaveLength(100)
  expect(rowsBelow(tree, 'Broken links')).toHaveLength(100)
  const notes = tree.children.map(textOf).filter((text) => text.startsWith('And '))
  expect(notes).toEqual([
    'And 30 more: kb report --format html and --format csv list them.',
    'And 12,336 more: kb report --format html and --format csv list them.',
  ])
})

test("the document is never longer than GitHub's limit, and mentions what is left out", async () => {
  const report = await sampleReport({ overdue: 500, broken: 500 })
  const whole = formatReportMarkdown(report, LINKED)
  for (const limitBytes of [3_000, 8_000, 20_000]) {
    const text = formatReportMarkdown(report, LINKED, limitBytes)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes)
    expect(text).toContain('*Left out to limit the size: ')
    expect(text.split('\n').slice(0, 5)).toEqual(whole.split('\n').slice(0, 5))
  }
  // The longest possible report: every cell has its maximum length.
  expect(Buffer.byteLength(whole)).toBeLessThan(200_000)
})

test('a link in a file that several articles include is one row, and counts for all of them', async () => {
  const report = await includedReport()
  const tree = parse(formatReportMarkdown(report, BARE))
  expect(rowsBelow(tree, 'Broken links: 9')).toEqual([
    ['https://gone.test/manual.pdf', 'Set up account 20 and 7 more articles', 'content/_manuals.md:1:23'],
    ['https://gone.test/own', 'Set up account 40', 'content/own.md:7:1'],
  ])
  expect(rowsBelow(tree, 'Broken links by host')).toEqual([
    ['this knowledge base', '5'],
    ['gone.test', 'at least 4'],
  ])
})

test('several categories are categories', async () => {
  const report = await sampleReport()
  const categories = Array.from({ length: 90 }, (_, index) => ({
    category: `Guides/${'A long name '.repeat(9)}${index}`,
    articles: 1,
    overdue: 0,
    due: 0,
    broken: 0,
  }))
  const text = formatReportMarkdown({ ...(await tidyReport()), categories }, BARE, 6_000)
  expect(text).toMatch(/\*Left out to limit the size: \d+ categories\.\*/)
  expect(formatReportMarkdown(report, BARE)).toContain('| --- | ---: | ---: | ---: | ---: |\n| Billing |')
})
