import { readableAddress } from '../../../content/link-occurrences/decode-address.ts'
import type { LinkFinding, ReviewFinding } from '../../../web/report/report.ts'
import type { AcceptedArticle, AcceptedLink, AcceptedReview, Baseline } from './baseline.ts'

type ArticleOfFinding = Pick<ReviewFinding, 'id' | 'file'>

/** Tells what a baseline accepts, and remembers what it was good for. */
export interface Acceptance {
  readonly acceptsOverdue: (finding: ArticleOfFinding & Pick<ReviewFinding, 'date'>) => boolean
  readonly acceptsBroken: (finding: {
    readonly article: ArticleOfFinding
    readonly url: LinkFinding['url']
  }) => boolean
  /** Entries that accepted nothing so far, for the reader; to be asked when every finding was. */
  readonly unneeded: () => readonly string[]
}

/**
 * An entry counts for an article with its file or its id: a file may be moved, and a target may replace an article.
 *
 * @param isIgnored addresses that this report leaves out: nobody can say whether their entries are needed
 */
export function createAcceptance(
  { overdue, broken }: Baseline,
  isIgnored: (url: string) => boolean = () => false,
): Acceptance {
  const reviews = createLookup(overdue, ({ date }) => date ?? '')
  const links = createLookup(broken, ({ url }) => readableAddress(url))
  return {
    acceptsOverdue: (finding) => reviews.accepts(finding, [finding.date, '']),
    acceptsBroken: ({ article, url }) => links.accepts(article, [readableAddress(url)]),
    unneeded: () => [
      ...reviews.unused().map(describeReview),
      ...links
        .unused()
        .filter(({ url }) => !isIgnored(url))
        .map(describeLink),
    ],
  }
}

function createLookup<Entry extends AcceptedArticle>(
  entries: readonly Entry[],
  detailOf: (entry: Entry) => string,
) {
  const known = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const key of keysOf(entry, detailOf(entry))) known.set(key, [...(known.get(key) ?? []), entry])
  }
  const used = new Set<Entry>()
  return {
    accepts: (article: ArticleOfFinding, details: readonly string[]): boolean => {
      const found = details.flatMap((detail) =>
        keysOf(article, detail).flatMap((key) => known.get(key) ?? []),
      )
      for (const entry of found) used.add(entry)
      return found.length > 0
    },
    unused: () => entries.filter((entry) => !used.has(entry)),
  }
}

function keysOf({ file, id }: Pick<AcceptedArticle, 'file' | 'id'>, detail: string): string[] {
  return [
    ...(file === undefined ? [] : [`file ${file.normalize('NFC')}\n${detail}`]),
    ...(id === undefined ? [] : [`id ${id}\n${detail}`]),
  ]
}

function describeReview(entry: AcceptedReview): string {
  const date = entry.date === undefined ? '' : ` (${entry.date})`
  return `${describeArticle(entry)} is no longer overdue${date}`
}

function describeLink(entry: AcceptedLink): string {
  return `${entry.url} is no longer broken in ${describeArticle(entry)}`
}

function describeArticle({ file, id, title }: AcceptedArticle): string {
  return file ?? (title === undefined ? `article ${id ?? ''}` : `"${title}"`)
}
