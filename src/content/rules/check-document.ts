// Rules on one article that need more than its text: the configured defaults.
import type { Document } from '../../core/model/document.ts'
import type { CompiledMeta } from '../markdown/rendered-body.ts'
import { type SourceProblem, atField } from '../source/source-problem.ts'

export function checkDocument(document: Document, meta: CompiledMeta): SourceProblem[] {
  return [...excerptProblems(document, meta), ...reviewDateMissing(document)]
}

/** Reports an article without a review date, which is due some days after it is sent. */
function reviewDateMissing(document: Document): SourceProblem[] {
  if (document.review.kind !== 'default') return []
  const message = 'The article has no review date.'
  const hint = `Add a line such as \`reviewDate: 2027-01-31\`, or \`reviewDate: never\`.`
  return [atField(document, 'reviewDate', { code: 'review-date-missing', message, hint })]
}

/** Reports an article without an excerpt, for which the first paragraph or the title is used. */
function excerptProblems(document: Document, { frontmatter, firstParagraph }: CompiledMeta): SourceProblem[] {
  if (frontmatter?.excerpt !== undefined) return []
  const missing = atField(document, 'excerpt', {
    code: 'excerpt-missing',
    message: 'The article has no excerpt.',
    hint: 'Add a line `excerpt: …` that summarises the article in at most 160 characters.',
  })
  if (firstParagraph !== '' || document.status === 'draft') return [missing]
  const fromTitle = atField(document, 'excerpt', {
    code: 'excerpt-from-title',
    message: 'The article has no paragraph to derive the excerpt from, so its title is sent as the excerpt.',
    hint: 'Add a line `excerpt: …`, or start the text with a sentence.',
  })
  return [missing, fromTitle]
}
