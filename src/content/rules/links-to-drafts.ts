import type { Document } from '../../core/model/document.ts'
import type { LinkedSlot } from '../link-documents.ts'
import type { PlacedProblem } from '../placed-problem.ts'

/** Links of a published article that lead to what its readers may not see. */
export function linksToDrafts(document: Document, resolved: readonly LinkedSlot[]): PlacedProblem[] {
  if (document.status === 'draft') return []
  return resolved.flatMap(({ slot, link }) => {
    if (link.kind !== 'url' || link.to?.kind !== 'article' || link.to.document.status === 'published')
      return []
    const { line, column, end, source } = slot
    const place = { line, column, ...(end && { end }), ...(source !== undefined && { source }) }
    const message = `The link leads to "${link.to.document.title}", which is a draft.`
    const hint = `Publish ${link.to.document.source} first, or take the link out until then.`
    return [{ source: document.source, problem: { code: 'link-to-draft', ...place, message, hint } }]
  })
}
