import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { BuiltDocument, DocumentDefaults } from '../../content/frontmatter/build-document.ts'
import type { Linker } from '../../content/links/link-documents.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { TaxonomyDraft } from '../../content/taxonomy/load-taxonomy.ts'
import type { LinkRecord } from './link-record.ts'
import type { TrackedContext, DocumentStatus } from './track-context.ts'
import type { CompiledArticle } from '../../content/markdown/rendered-body.ts'

/** The result of the last load, with the edits since then. */
export interface KnownContent {
  readonly content: LoadedContent
  /** By source, in the order of the sources. */
  readonly compiled: Map<string, BuiltArticle>
  /** By source. For faulty articles, the records of their last valid versions, including those that are hidden. */
  readonly records: Map<string, LinkRecord>
  readonly statuses: Map<string, DocumentStatus>
  readonly tracked: TrackedContext
  readonly linker: Linker
  readonly draft: KeyedDraft
  /** Includes the defaults derived from the locations of files. */
  readonly defaults: DocumentDefaults
  /** Files that are used outside of articles. */
  readonly beside: readonly UsedAsset[]
}

/** The taxonomy files as read, and the digest of their contents. */
export interface KeyedDraft {
  readonly key: string
  readonly draft: TaxonomyDraft
}

/** A compiled article and the document built from it. */
export interface BuiltArticle {
  readonly article: CompiledArticle
  readonly built: BuiltDocument | undefined
  /** The values derived from its location, as text; '' if there are none. */
  readonly placed: string
}

/** The state between two calls. */
export interface LiveState {
  readonly known: KnownContent
  /** Digest of each file of the content, by source. */
  readonly files: Map<string, string | undefined>
  readonly faulty: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
  /** Sources of files that are included in articles. */
  readonly included: ReadonlySet<string>
}
