import type { Problem } from '../../core/model/diagnostic.ts'
import type { HeadingPlace } from './rule.ts'

/** A heading of the first level that is sent: the page shows the article's title as one already. */
export function headingSecondH1(headings: readonly HeadingPlace[]): Problem[] {
  return headings.flatMap(({ depth, ...span }) => {
    if (depth !== 1) return []
    const message = 'The title is the heading of level 1 already; this is another one.'
    const hint = 'Begin sections with ##, or write the heading exactly as `title` says.'
    return [{ code: 'heading-second-h1', ...span, message, hint }]
  })
}
