// Where to go in the files.
import type { LinkFinding, LinkPlace, ReviewFinding } from '../../inspect/report/report.ts'

const BEGINNING = { line: 1, column: 1 }

/** The review date of an article, else the beginning of its file; undefined where no file owns it. */
export function reviewPlace({ file, place }: Pick<ReviewFinding, 'file' | 'place'>): LinkPlace | undefined {
  return file === undefined ? undefined : { ...(place ?? BEGINNING), file }
}

/** All places of a link; the beginning of the article's file where it is not found in it, none where no file owns it. */
export function placesOrBeginning({
  article: { file },
  places,
}: Pick<LinkFinding, 'article' | 'places'>): readonly LinkPlace[] {
  if (places.length > 0 || file === undefined) return places
  return [{ ...BEGINNING, file }]
}
