import type { Problem } from '../../core/model/diagnostic.ts'
import type { HeadingPlace } from './rule.ts'

/** A heading more than one level below the one before it; the first one counts from the title, which is the first level. */
export function headingSkipped(headings: readonly HeadingPlace[]): Problem[] {
  return headings.flatMap(({ depth, ...span }, index) => {
    const before = headings[index - 1]?.depth
    const expected = (before ?? 1) + 1
    if (depth <= expected) return []
    const above = before === undefined ? 'the title' : `a heading of level ${before}`
    return [
      {
        code: 'heading-skipped',
        ...span,
        message: `A heading of level ${depth} follows ${above}: level ${expected} is skipped.`,
        hint: `Make it level ${expected}: ${'#'.repeat(expected)} in Markdown.`,
      },
    ]
  })
}
