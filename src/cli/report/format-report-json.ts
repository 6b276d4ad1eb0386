// `kb report --json`: one document, in chunks. With full lists, it can have several hundred megabytes, which need not
// be in memory at once.
import type { LinkFinding, Report } from '../../web/report/report.ts'
import type { Frequent } from '../../web/dashboard/summary/frequent.ts'
import { escapeControlInJson } from '../../core/escape-control.ts'

/** Yields the text of the document in chunks. Every list is `{ total, entries }`. */
export function* formatReportJson(report: Report): Generator<string> {
  yield* formatPieces(toDocument(report), 0)
  yield '\n'
}

function toDocument({ reviews, links, exceeded, ...report }: Report) {
  const { overdue, due, later, never, undated, summary } = reviews
  const { version, project, target, generatedAt, today, dueWithinDays, counts, ...rest } = report
  return {
    version,
    project,
    target,
    generatedAt,
    today,
    dueWithinDays,
    counts,
    exceeded,
    reviews: { overdue, due, later, never, undated, months: summary.months },
    links: {
      broken: links.broken,
      hosts: links.summary.hosts.map(({ key, count, isExact }) => ({ host: key, count, isExact })),
      articles: links.summary.articles.map(toArticleCount),
      disagreements: links.disagreements,
    },
    ...rest,
  }
}

function toArticleCount({ count, isExact, first }: Frequent<LinkFinding>) {
  const { id, title, file } = first[0]?.article ?? {}
  return { id, title, file, count, isExact }
}

/** Number of entries of a list that are serialised at once: far fewer calls, and little memory. */
const AT_ONCE = 20

/** Serialises objects by property, and lists in them by some entries. @param depth number of objects around it */
function* formatPieces(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield formatEntries([value], depth)
    return
  }
  const end = `\n${'  '.repeat(depth)}`
  let before = `${end}  `
  if (Array.isArray(value)) {
    yield '['
    for (let at = 0; at < value.length; at += AT_ONCE, before = `,${end}  `)
      yield before + formatEntries(value.slice(at, at + AT_ONCE), depth + 1)
    yield value.length === 0 ? ']' : `${end}]`
    return
  }
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  yield '{'
  for (const [name, member] of members) {
    yield `${before}${JSON.stringify(name)}: `
    yield* formatPieces(member, depth + 1)
    before = `,${end}  `
  }
  yield members.length === 0 ? '}' : `${end}}`
}

/** Indents entries by serialising as many lists around them. Faster than changing each line of their text. */
function formatEntries(entries: readonly unknown[], depth: number): string {
  let nested = entries
  for (let at = 1; at < depth; at++) nested = [nested]
  const text = JSON.stringify(nested, undefined, 2)
  // Before the entries, the lists take 2 + 2, 2 + 4, … characters, and after them as many as 2, 2 + 2, …
  return escapeControlInJson(text.slice(depth * (depth + 3), -depth * (depth + 1)))
}
