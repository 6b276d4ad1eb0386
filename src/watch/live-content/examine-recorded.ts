import type { Document } from '../../core/model/document.ts'
import { digestParts } from '../../core/digest.ts'
import { fitsUse } from '../../content/assets/asset-types.ts'
import type { CompiledMeta } from '../../content/markdown/compiled-source.ts'
import type { ExamineDocument } from '../../content/pipeline/examine-document.ts'
import { createLinkNotes } from '../../content/rules/link-notes.ts'
import type { QueryResults } from './query-results.ts'
import type { DependencyTracker } from './dependency-tracker.ts'
import type { LinkRecord } from './link-record.ts'

export interface ExamineTools {
  readonly examine: ExamineDocument
  readonly recorder: DependencyTracker
  readonly answers: QueryResults
}

/** Examines a document and notes all that this depends on. */
export function examineRecorded(
  document: Document,
  meta: CompiledMeta,
  { examine, recorder, answers }: ExamineTools,
): LinkRecord {
  const notes = createLinkNotes()
  const { result, asked } = recorder.record(() => examine(document, meta, notes))
  const { anchors, ...examined } = result
  const isTranslation = document.translationOf !== undefined
  return {
    document,
    meta,
    examined,
    anchorsDigest: digestParts(anchors),
    places: [...asked.places],
    lookups: [...asked.lookups, ...(isTranslation ? [answers.ask({ kind: 'originals' })] : [])],
    assets: asked.assets,
    // An article is no file that could be unused.
    named: [...notes.named].filter((source) => fitsUse(source, 'link')),
    linked: [...notes.linked],
    isOpen: asked.isOpen || (isTranslation && examined.article.original === undefined),
  }
}
