import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import { digest, digestParts } from '../../core/digest.ts'
import type { Document } from '../../core/model/document.ts'
import { DependencyTracker, type LinkRecord, trackLookups } from './dependency-tracker.ts'
import { type QueryResults, createQueryResults } from './query-results.ts'
import type { LinkContext } from '../../content/links/link-context.ts'

/** The context for links in one load, compared with that of the previous load. */
export type TrackedContext = ReturnType<typeof trackContext>

interface PreviousLoad {
  readonly statuses: DocumentStatuses
  readonly results: QueryResults
  readonly records: ReadonlyMap<string, LinkRecord>
}

interface TrackOptions {
  readonly contentRoot: string
  readonly now: () => number
  readonly before: PreviousLoad | undefined
  readonly statuses: DocumentStatuses
  /** Digest of the taxonomy files. */
  readonly taxonomy: string
  readonly onBeside: (asset: UsedAsset) => void
}

export function trackContext(context: LinkContext, options: TrackOptions) {
  const { contentRoot, now, before, statuses, taxonomy, onBeside } = options
  const results = createQueryResults({
    contentRoot,
    context,
    sources: () => digest(context.sources().all.join('\0')),
    originals: () => digestOriginals(statuses),
    taxonomy: () => digestTaxonomy(taxonomy, context),
    now,
  })
  const factsOf = createFactsOf(context, before?.records ?? new Map())
  const changed =
    before === undefined ? new Set<string>() : changedSources(before.statuses, statuses, factsOf)
  let past = before?.results
  const tracker = new DependencyTracker(results, onBeside)
  return {
    results,
    tracker,
    context: trackLookups(context, tracker),
    /** True if examining the document again would give the same result. */
    isAsBefore: ({ places, lookups }: LinkRecord) => {
      const then = past
      if (then === undefined || places.some((place) => changed.has(place))) return false
      return lookups.every((key) => results.isAsBefore(key, then))
    },
    /** Releases the previous load, which would otherwise keep all earlier ones in memory. */
    forget: () => {
      past = undefined
    },
  }
}

/** Computes a digest of the taxonomy, which all files together define if there is a preset. */
function digestTaxonomy(files: string, { site, taxonomy: { taxonomy } }: LinkContext): string {
  if (site === undefined) return files
  return digestParts([files, JSON.stringify([site.folderPages, taxonomy.categories, taxonomy.tags])])
}

function digestOriginals(statuses: DocumentStatuses): string {
  const all = [...statuses.values()]
  const documents = all.flatMap((status) => (status.kind === 'faulty' ? [] : [status.document]))
  return digestParts([
    String(all.every(({ kind }) => kind === 'accepted')),
    ...documents.flatMap(({ source, slug, language, translationOf, aliases = [] }) => [
      source,
      slug,
      language ?? '',
      translationOf === undefined ? '' : 'translation',
      aliases.join('/'),
    ]),
  ])
}

/** The document at a path that links may lead to: `kept` is the last valid version of a faulty article. */
export type DocumentStatus =
  | { readonly kind: 'accepted' | 'kept'; readonly document: Document }
  | { readonly kind: 'faulty' }

/** By source in Unicode NFC. */
type DocumentStatuses = ReadonlyMap<string, DocumentStatus>

/** Returns everything about a document that others may show, as text. Equal texts give equal links. */
type FactsOf = (document: Document) => string

export function documentStatuses(
  documents: readonly Document[],
  rejected: readonly string[],
  lastGood: Iterable<Document>,
): Map<string, DocumentStatus> {
  const statuses = new Map<string, DocumentStatus>()
  const set = (source: string, status: DocumentStatus) => statuses.set(source.normalize('NFC'), status)
  for (const document of documents) set(document.source, { kind: 'accepted', document })
  for (const source of rejected) set(source, { kind: 'faulty' })
  for (const document of lastGood) set(document.source, { kind: 'kept', document })
  return statuses
}

/** Returns the paths at which the target of a link may have changed. */
function changedSources(before: DocumentStatuses, now: DocumentStatuses, factsOf: FactsOf) {
  const changed = new Set<string>()
  for (const [place, status] of now) if (!isSame(before.get(place), status, factsOf)) changed.add(place)
  for (const place of before.keys()) if (!now.has(place)) changed.add(place)
  return changed
}

function isSame(before: DocumentStatus | undefined, now: DocumentStatus, factsOf: FactsOf): boolean {
  if (before === undefined || before.kind !== now.kind) return false
  if (before.kind === 'faulty' || now.kind === 'faulty') return true
  return before.document === now.document || factsOf(before.document) === factsOf(now.document)
}

/** @param records link records of known documents */
function createFactsOf(
  { urlOf, anchorsOf }: Pick<LinkContext, 'urlOf' | 'anchorsOf'>,
  records: ReadonlyMap<string, Pick<LinkRecord, 'document' | 'anchorsDigest'>>,
): FactsOf {
  return (document) => {
    const record = records.get(document.source)
    const anchors =
      record?.document === document ? record.anchorsDigest : digestParts(anchorsOf(document).anchors)
    const { status, title } = document
    // A problem of a published article's link to a draft contains the draft's title.
    return JSON.stringify([urlOf(document), status, status === 'draft' ? title : '', anchors])
  }
}
