// Rules on one article that need more than its text: the defaults of the configuration, and where its links lead.
import type { Document } from '../../core/model/document.ts'
import type { CompiledMeta } from '../compiled-source.ts'
import type { LinkedSlot } from '../link-documents.ts'
import type { PlacedProblem } from '../placed-problem.ts'
import { excerptProblems } from './excerpt-problems.ts'
import { linksToDrafts } from './links-to-drafts.ts'
import { reviewDateMissing } from './review-date-missing.ts'

export function checkDocument(
  document: Document,
  meta: CompiledMeta,
  resolved: readonly LinkedSlot[],
): PlacedProblem[] {
  return [
    ...excerptProblems(document, meta),
    ...reviewDateMissing(document),
    ...linksToDrafts(document, resolved),
  ]
}
