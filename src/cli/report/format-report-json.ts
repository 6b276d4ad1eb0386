// `kb report --json`: one document, in chunks. With full lists, it can have several hundred megabytes, which need not
// be in memory at once.
import type { LinkFinding, Report } from '../../web/report/report.ts'
import type { Frequent } from '../../web/dashboard/summary/frequent.ts'
import { escapeControlInJson } from '../../core/escape-control.ts'

/** Yields the text of the document in chunks. Every list is `{ total, entries }`. */
export function* formatReportJson(report: Report): Generator<string> {
  yield* formatPieces(toDocument(report), '')
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

/** Serialises objects by property, and lists in them by entry. */
function* formatPieces(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield formatValue(value, indent)
    return
  }
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = Object.entries(value as Record<string, unknown>).filter(([, each]) => each !== undefined)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  yield open
  for (const [index, [name, each]] of members.entries()) {
    yield `${index === 0 ? '' : ','}\n${inner}${isList ? '' : `${JSON.stringify(name)}: `}`
    if (isList) yield formatValue(each, inner)
    else yield* formatPieces(each, inner)
  }
  yield members.length === 0 ? close : `\n${indent}${close}`
}

function formatValue(value: unknown, indent: string): string {
  return escapeControlInJson(JSON.stringify(value, undefined, 2)).replaceAll('\n', `\n${indent}`)
}
