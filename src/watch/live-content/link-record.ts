import type { Document } from '../../core/model/document.ts'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { CompiledMeta } from '../../content/markdown/compiled-source.ts'
import type { ExaminedDocument } from '../../content/pipeline/examine-document.ts'

/** What was asked while links were resolved. */
export interface Dependencies {
  /** Where articles were looked for, in Unicode NFC. */
  readonly places: ReadonlySet<string>
  /** Everything else, see `QueryResults`. */
  readonly lookups: ReadonlySet<string>
  readonly assets: readonly UsedAsset[]
  /** Whether a link led to a faulty article without a last good version. */
  readonly isOpen: boolean
}

/** What examining one document gave, and all that it depends on beside the document itself. */
export interface LinkRecord {
  readonly document: Document
  readonly meta: CompiledMeta
  readonly examined: Omit<ExaminedDocument, 'anchors'>
  /** Digest of the ids that a link into it may name. */
  readonly anchorsDigest: string
  readonly places: readonly string[]
  readonly lookups: readonly string[]
  readonly assets: readonly UsedAsset[]
  /** What rules about all documents remember of its links, see `LinkNotes`. */
  readonly named: readonly string[]
  readonly linked: readonly string[]
  readonly isOpen: boolean
}
