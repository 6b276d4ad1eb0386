// Every rule that one article's text alone decides; what they find is kept with the file's template.
import type { Problem } from '../../core/model/diagnostic.ts'
import type { BodyView } from './body-view.ts'
import { fileTooLarge } from './file-too-large.ts'
import { headingSecondH1 } from './heading-second-h1.ts'
import { headingSkipped } from './heading-skipped.ts'
import type { HeadingPlace } from './rule.ts'
import { trailingSpace } from './trailing-space.ts'
import { walkHtml } from './walk-html.ts'
import { walkMarkdown } from './walk-markdown.ts'

/** What the rules on one text find, in no order. */
export function checkBody({
  mdast,
  tree,
  hasRaw,
  isTitleDropped,
  body,
  isRewritten,
  places,
}: BodyView): Problem[] {
  const problems: Problem[] = []
  const { headings, written } = walkMarkdown(mdast, places, problems)
  const sent = hasRaw ? walkHtml(tree, written, places, problems) : headings.slice(isTitleDropped ? 1 : 0)
  problems.push(
    ...checkHeadings(sent),
    ...fileTooLarge(body, places),
    ...(isRewritten ? [] : trailingSpace({ mdast, body, places })),
  )
  return problems
}

function checkHeadings(headings: readonly HeadingPlace[]): Problem[] {
  return [...headingSkipped(headings), ...headingSecondH1(headings)]
}
