// What a load of the content asks somebody who remembers the last one. A cold run has none, and does everything.
import type { UsedAsset } from '../assets/create-asset-reader.ts'
import type { BuildCompiled } from './build-documents.ts'
import type { RecallCompiled } from './compile-sources.ts'
import type { CompiledMeta } from '../markdown/compiled-source.ts'
import type { ExamineDocument, ExaminedDocument } from './examine-document.ts'
import type { FoundSources } from '../source/find-sources.ts'
import type { Linker } from '../links/link-documents.ts'
import type { TaxonomyDraft } from '../taxonomy/load-taxonomy.ts'
import type { Document } from '../../core/model/document.ts'
import type { LinkContext } from '../links/resolve-link.ts'
import type { LinkNotes } from '../rules/link-notes.ts'

/** The memory of one load; what it learns is not lasting until the load is over. */
export interface ContentCache {
  readonly recall: RecallCompiled
  readonly build: BuildCompiled
  readonly draft: (found: FoundSources, read: () => Promise<TaxonomyDraft>) => Promise<TaxonomyDraft>
  /** Last good versions of `rejected` articles; `documents` are the accepted ones. */
  readonly lastGood: (
    documents: readonly Document[],
    rejected: readonly string[],
  ) => ReadonlyMap<Document, CompiledMeta>
  readonly keepLinker: (linker: Linker) => void
  /** Is shown what links are resolved against, before the first is. */
  readonly observe: (context: LinkContext) => LinkContext
  /** Examines a document, or tells what was found before, as long as all that it depends on is as it was. */
  readonly examine: (
    document: Document,
    meta: CompiledMeta,
    notes: LinkNotes,
    examine: ExamineDocument,
  ) => Omit<ExaminedDocument, 'anchors'>
  /** The files used by all that was examined, and by what was resolved beside it. */
  readonly assets: () => readonly UsedAsset[]
}
