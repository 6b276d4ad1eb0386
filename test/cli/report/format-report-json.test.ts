import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatReportJson } from '../../../src/cli/report/format-report-json.ts'
import { inChunks } from '../../../src/cli/report/format-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

/** Returns a value as in JSON, without undefined members. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('the document is the report, without data that only charts need', async () => {
  for (const report of [await sampleReport({ owners: 'names' }), await tidyReport()]) {
    const { reviews, links, ...rest } = report
    const { span: _span, summary, ...reviewLists } = reviews
    const { hosts, articles } = links.summary
    expect(JSON.parse([...formatReportJson(report)].join(''))).toEqual(
      plain({
        ...rest,
        reviews: { ...reviewLists, months: summary.months },
        links: {
          broken: links.broken,
          disagreements: links.disagreements,
          hosts: hosts.map(({ key, count, isExact }) => ({ host: key, count, isExact })),
          articles: articles.map(({ count, isExact, first: [link] }) => ({
            id: link?.article.id,
            title: link?.article.title,
            file: link?.article.file,
            count,
            isExact,
          })),
        },
      }),
    )
  }
})

test('it is formatted like every other document of kb: indented by two columns per level, and escaped', async () => {
  const text = [...formatReportJson(await sampleReport({ owners: 'email' }))].join('')
  const escaped = (json: string) =>
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    json.replace(
      /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16)}`,
    )
  expect(text).toBe(`${escaped(JSON.stringify(JSON.parse(text), undefined, 2))}\n`)
})

test('a long list comes in many chunks of limited size', async () => {
  const report = await sampleReport({ broken: 3_000 })
  const pieces = [...formatReportJson(report)]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(30_000)
  const chunks = [...inChunks(pieces)]
  expect(chunks.join('')).toBe(pieces.join(''))
  expect(chunks.length).toBeLessThan(pieces.join('').length / 60_000)
})

const GUIDE = readFileSync(
  new URL('../../../content/command-line/exit-codes-and-json.md', import.meta.url),
  'utf8',
)

test('the guide shows existing members, and describes each', async () => {
  const [, section = ''] = /^### kb report --json\n([^]*?)^### /m.exec(GUIDE) ?? []
  const [, sample = '{}'] = /^```json\n([^]*?)^```/m.exec(section) ?? []
  const document: unknown = JSON.parse(
    [...formatReportJson(await sampleReport({ owners: 'names' }))].join(''),
  )
  expect(missing(JSON.parse(sample), document, '')).toEqual([])
  const named = Object.keys(document as object).filter((name) => !section.includes(`\`${name}\``))
  expect(named.filter((name) => !(name in JSON.parse(sample)))).toEqual([])
})

test('the guide lists the members of all items', async () => {
  const [, section = ''] = /^#### Lists of a report\n([^]*?)^### /m.exec(GUIDE) ?? []
  const report = await sampleReport({ owners: 'email' })
  const document: unknown = JSON.parse([...formatReportJson(report)].join(''))
  const names = new Set(itemMembers(document))
  expect(names.size).toBeGreaterThan(40)
  expect([...names].filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

/** Returns the names of all members of list items, at any depth. */
function itemMembers(value: unknown, isItem = false): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => itemMembers(each, true))
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isItem ? [name] : []),
    ...itemMembers(inner, isItem),
  ])
}

/** Returns members of `shown` that `actual` lacks; of lists, only the first entries are compared. */
function missing(shown: unknown, actual: unknown, path: string): string[] {
  if (typeof shown !== 'object' || shown === null) return []
  if (typeof actual !== 'object' || actual === null) return [path]
  const others = actual as Readonly<Record<string, unknown>>
  return Object.entries(shown).flatMap(([name, value]) =>
    name in others ? missing(value, others[name], `${path}/${name}`) : [`${path}/${name}`],
  )
}
