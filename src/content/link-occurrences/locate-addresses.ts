import type { Span } from '../../core/model/diagnostic.ts'
import { splitFrontmatter } from '../frontmatter/split-frontmatter.ts'
import type { LinkOccurrence } from './link-occurrence.ts'
import { listLinkPlaces } from './list-link-occurrences.ts'

/** An address and where it stands in a file. */
export interface LocatedAddress extends Span, Pick<LinkOccurrence, 'kind' | 'url'> {}

/** Every address that `listLinkPlaces` finds in a file (without byte order mark), with lines and columns of the file. */
export function locateAddresses(text: string): readonly LocatedAddress[] {
  const split = splitFrontmatter(text)
  // Snippets have none.
  const body = split.kind === 'split' ? split.body : text
  const lineOffset = split.kind === 'split' ? split.lineOffset : 0
  const positionOf = createPositionOf(body, lineOffset)
  return listLinkPlaces(body).map(({ kind, url, start, end }) => ({
    kind,
    url,
    ...positionOf(start),
    end: positionOf(end),
  }))
}

function createPositionOf(text: string, lineOffset: number) {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((ending) => ending.index + ending[0].length)]
  return (offset: number) => {
    const index = starts.findLastIndex((start) => start <= offset)
    return { line: index + 1 + lineOffset, column: offset - (starts[index] ?? 0) + 1 }
  }
}
