import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { QueryResults, Query } from './query-results.ts'
import { fitsUse } from '../../content/assets/asset-types.ts'
import type { Linker } from '../../content/links/link-documents.ts'
import { createLinkNotes } from '../../content/links/link-notes.ts'
import { digestParts } from '../../core/digest.ts'
import type { Document } from '../../core/model/document.ts'
import type { CompiledMeta } from '../../content/markdown/rendered-body.ts'
import type { LinkContext } from '../../content/links/link-context.ts'

interface Dependencies {
  /** Paths at which articles were looked up, in Unicode NFC. */
  readonly places: Set<string>
  /** All other lookups, see `QueryResults`. */
  readonly lookups: Set<string>
  readonly assets: UsedAsset[]
}

/** Collects the lookups during a recording. @param onBeside called with each file that is read outside of one */
export class DependencyTracker {
  readonly #results: QueryResults
  readonly #onBeside: (asset: UsedAsset) => void
  #recording: Dependencies | undefined

  constructor(results: QueryResults, onBeside: (asset: UsedAsset) => void) {
    this.#results = results
    this.#onBeside = onBeside
  }

  /** Runs `resolve` and returns its lookups in the context. */
  record<Result>(resolve: () => Result): { readonly result: Result; readonly asked: Dependencies } {
    const asked: Dependencies = { places: new Set(), lookups: new Set(), assets: [] }
    this.#recording = asked
    try {
      return { result: resolve(), asked }
    } finally {
      this.#recording = undefined
    }
  }

  ask(lookup: Query): void {
    this.#recording?.lookups.add(this.#results.ask(lookup))
  }

  askPlace(place: string): void {
    this.#recording?.places.add(place)
  }

  noteAsset(asset: UsedAsset): void {
    if (this.#recording === undefined) this.#onBeside(asset)
    else this.#recording.assets.push(asset)
  }
}

/** Records which parts of the context links use when they are resolved. */
export function trackLookups(base: LinkContext, tracker: DependencyTracker): LinkContext {
  return {
    ...base,
    documents: trackDocuments(base, tracker),
    sources: () => {
      tracker.ask({ kind: 'sources' })
      return base.sources()
    },
    rejected: {
      has: (place) => {
        tracker.askPlace(place)
        return base.rejected.has(place)
      },
    },
    site: base.site && trackSite(base.site, tracker),
    get taxonomy() {
      tracker.ask({ kind: 'taxonomy' })
      return base.taxonomy
    },
    findOwnAddress: (path) => {
      tracker.ask({ kind: 'originals' })
      tracker.ask({ kind: 'taxonomy' })
      return base.findOwnAddress(path)
    },
    isCategory: (folder) => {
      tracker.ask({ kind: 'taxonomy' })
      if (folder.file !== undefined) tracker.ask({ kind: 'file', source: folder.file })
      return base.isCategory(folder)
    },
    findExactly: (source) => {
      tracker.ask({ kind: 'find', source })
      return base.findExactly(source)
    },
    isFile: (source) => {
      tracker.ask({ kind: 'file', source })
      return base.isFile(source)
    },
    assets: trackAssets(base, tracker),
  }
}

function trackDocuments({ documents }: LinkContext, tracker: DependencyTracker): LinkContext['documents'] {
  return {
    get: (place) => {
      tracker.askPlace(place)
      return documents.get(place)
    },
    has: (place) => {
      tracker.askPlace(place)
      return documents.has(place)
    },
  }
}

type SiteContext = NonNullable<LinkContext['site']>

function trackSite(site: SiteContext, tracker: DependencyTracker): SiteContext {
  return {
    ...site,
    findSlug: (slug, language) => {
      tracker.ask({ kind: 'originals' })
      return site.findSlug(slug, language)
    },
    findNamed: (name, language) => {
      tracker.ask({ kind: 'originals' })
      return site.findNamed(name, language)
    },
    findFolder: (path, from, language) => {
      tracker.ask({ kind: 'taxonomy' })
      return site.findFolder(path, from, language)
    },
    findNamedFolder: (name, language) => {
      tracker.ask({ kind: 'taxonomy' })
      return site.findNamedFolder(name, language)
    },
  }
}

function trackAssets({ assets }: LinkContext, tracker: DependencyTracker): LinkContext['assets'] {
  return {
    ...assets,
    read: (source, use) => {
      // Recorded before the file is read, so that a change in between is noticed.
      tracker.ask({ kind: 'asset', use, source })
      const asset = assets.read(source, use)
      if (asset.kind === 'read') tracker.noteAsset(asset.used)
      return asset
    },
  }
}

/** A linked document, with all its dependencies. */
export type LinkRecord = ReturnType<typeof linkAndRecord>

interface LinkTools {
  readonly linker: Pick<Linker, 'link'>
  readonly tracker: DependencyTracker
  readonly results: QueryResults
}

/** Links a document and records all dependencies of the result. */
export function linkAndRecord(document: Document, meta: CompiledMeta, tools: LinkTools) {
  const { linker, tracker, results } = tools
  const notes = createLinkNotes()
  const { result: whole, asked } = tracker.record(() => linker.link(document, meta, notes))
  const { anchors, ...result } = whole
  const isTranslation = document.translationOf !== undefined
  return {
    document,
    meta,
    result,
    /** Digest of the ids that links to the document may use. */
    anchorsDigest: digestParts(anchors),
    places: [...asked.places],
    lookups: [...asked.lookups, ...(isTranslation ? [results.ask({ kind: 'originals' })] : [])],
    assets: asked.assets,
    /** The links that rules over all documents need, see `LinkNotes`. An article cannot be an unused file. */
    named: [...notes.named].filter((source) => fitsUse(source, 'link')),
    linked: [...notes.linked],
  }
}

/** Lists each file once, by source. One that is embedded in some articles and published for others is published. */
export function mergeUsed(lists: Iterable<readonly UsedAsset[]>): UsedAsset[] {
  const used = new Map<string, UsedAsset>()
  for (const list of lists)
    for (const asset of list)
      if (asset.published !== undefined || !used.has(asset.source)) used.set(asset.source, asset)
  return [...used.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}
