import type { Document } from '../../core/model/document.ts'
import type { CompiledMeta } from '../compiled-source.ts'
import { place, type PlacedProblem } from '../placed-problem.ts'

/** An article whose excerpt somebody else has to choose: the first paragraph, or the title where there is none. */
export function excerptProblems(
  document: Document,
  { frontmatter, firstParagraph }: Pick<CompiledMeta, 'frontmatter' | 'firstParagraph'>,
): PlacedProblem[] {
  if (frontmatter?.excerpt !== undefined) return []
  const missing = place(document, 'excerpt', {
    code: 'excerpt-missing',
    message: 'The article has no excerpt of its own.',
    hint: 'Add a line `excerpt: …` that says in 160 characters what readers will find.',
  })
  if (firstParagraph !== '' || document.status === 'draft') return [missing]
  const fromTitle = place(document, 'excerpt', {
    code: 'excerpt-from-title',
    message: 'The article has no paragraph to take the excerpt from, so its title is sent as excerpt.',
    hint: 'Add a line `excerpt: …`, or begin the text with a sentence.',
  })
  return [missing, fromTitle]
}
