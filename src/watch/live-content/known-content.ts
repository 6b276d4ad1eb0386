import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { BuiltDocument, DocumentDefaults } from '../../content/frontmatter/build-document.ts'
import type { Linker } from '../../content/links/link-documents.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { TaxonomyDraft } from '../../content/taxonomy/load-taxonomy.ts'
import type { LinkRecord } from './link-record.ts'
import type { TrackedContext, DocumentStatus } from './track-context.ts'
import type { CompiledArticle } from '../../content/markdown/rendered-body.ts'

/** All that the last load learned; edits since are put into it. */
export interface KnownContent {
  readonly content: LoadedContent
  /** By source, in the order of the sources. */
  readonly compiled: Map<string, BuiltArticle>
  /** By source; of faulty articles those of their last good versions, also of such as are not shown. */
  readonly records: Map<string, LinkRecord>
  readonly statuses: Map<string, DocumentStatus>
  readonly tracked: TrackedContext
  readonly linker: Linker
  readonly draft: KeyedDraft
  /** With what the places of files say. */
  readonly defaults: DocumentDefaults
  /** Files that are used elsewhere than in articles that have a document. */
  readonly beside: readonly UsedAsset[]
}

/** The taxonomy files as read, and the digest of what was read. */
export interface KeyedDraft {
  readonly key: string
  readonly draft: TaxonomyDraft
}

/** A compiled article and what was built of it. */
export interface BuiltArticle {
  readonly article: CompiledArticle
  readonly built: BuiltDocument | undefined
  /** What its place said, as text; '' where places say nothing. */
  readonly placed: string
}

/** What stands between two calls. */
export interface LiveState {
  readonly known: KnownContent
  /** Digest of each file that the content is made of, by source. */
  readonly files: Map<string, string | undefined>
  readonly faulty: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
  /** Sources of files that are included in articles. */
  readonly included: ReadonlySet<string>
}
