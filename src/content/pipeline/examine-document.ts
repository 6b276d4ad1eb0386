import { type RuleSeverities, severityOf } from '../../core/model/diagnostic-codes.ts'
import type { LocalArticle, Document } from '../../core/model/document.ts'
import type { CompiledMeta } from '../markdown/compiled-source.ts'
import type { Linker } from '../links/link-documents.ts'
import type { PlacedProblem } from '../source/placed-problem.ts'
import { checkDocument } from '../rules/check-document.ts'
import { type LinkNotes, noteLinks } from '../rules/link-notes.ts'

/** A document after its links were resolved. */
export interface ExaminedDocument {
  readonly article: LocalArticle
  /** Of its links, and those that rules find in it once its links are known. */
  readonly problems: readonly PlacedProblem[]
  /** Ids that a link into it may name. */
  readonly anchors: readonly string[]
}

export type ExamineDocument = (document: Document, meta: CompiledMeta, notes: LinkNotes) => ExaminedDocument

/** Links one document and checks it, by those rules that are not off; `notes` are told of its links. */
export function createExamine(linker: Linker, rules: RuleSeverities): ExamineDocument {
  return (document, meta, notes) => {
    const { article, problems, resolved, anchors } = linker.link(document, meta)
    noteLinks(notes, resolved, document)
    const found = [...problems, ...checkDocument(document, meta, resolved)]
    const reported = found.filter(({ problem }) => severityOf(problem.code, rules) !== 'off')
    return { article, problems: reported, anchors }
  }
}
