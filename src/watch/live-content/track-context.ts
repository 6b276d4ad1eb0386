import { digest, digestParts } from '../../core/digest.ts'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { LinkContext } from '../../content/links/resolve-link.ts'
import { type QueryResults, createQueryResults } from './query-results.ts'
import { createDependencyTracker, type DependencyTracker } from './dependency-tracker.ts'
import type { LinkRecord } from './link-record.ts'
import { changedSources, createFactsOf, type DocumentStatuses } from './document-status.ts'

/** What links are resolved against in one load, held against that of the load before. */
export interface TrackedContext {
  readonly answers: QueryResults
  readonly recorder: DependencyTracker
  /** Whether examining that document again could give nothing else. */
  readonly isAsBefore: (record: LinkRecord) => boolean
  /** Lets go of the load before, which would hold the one before that, and so on. */
  readonly forget: () => void
}

/** What the load before found. */
export interface PreviousLoad {
  readonly standings: DocumentStatuses
  readonly answers: QueryResults
  readonly records: ReadonlyMap<string, LinkRecord>
}

export interface TrackOptions {
  readonly contentRoot: string
  readonly now: () => number
  readonly before: PreviousLoad | undefined
  readonly standings: DocumentStatuses
  /** Digest of the taxonomy files. */
  readonly taxonomy: string
  readonly onBeside: (asset: UsedAsset) => void
}

export function trackContext(context: LinkContext, options: TrackOptions): TrackedContext {
  const { contentRoot, now, before, standings, taxonomy, onBeside } = options
  const answers = createQueryResults({
    contentRoot,
    context,
    sources: () => digest([...context.documents.keys()].join('\0')),
    originals: () => digestOriginals(standings),
    taxonomy: () => digestTaxonomy(taxonomy, context),
    now,
  })
  const factsOf = createFactsOf(context, before?.records ?? new Map())
  const changed =
    before === undefined ? new Set<string>() : changedSources(before.standings, standings, factsOf)
  let past = before?.answers
  return {
    answers,
    recorder: createDependencyTracker(context, answers, onBeside),
    isAsBefore: ({ places, lookups }) => {
      const then = past
      if (then === undefined || places.some((place) => changed.has(place))) return false
      return lookups.every((question) => answers.isAsBefore(question, then))
    },
    forget: () => {
      past = undefined
    },
  }
}

/** With a preset, the files together make the taxonomy. */
function digestTaxonomy(files: string, { site, taxonomy: { taxonomy } }: LinkContext): string {
  if (site === undefined) return files
  return digestParts([files, JSON.stringify([site.folderPages, taxonomy.categories, taxonomy.tags])])
}

function digestOriginals(standings: DocumentStatuses): string {
  const documents = [...standings.values()].flatMap((standing) =>
    standing.kind === 'faulty' ? [] : [standing.document],
  )
  return digestParts(
    documents.flatMap(({ source, slug, language, translationOf }) => [
      source,
      slug,
      language ?? '',
      translationOf === undefined ? '' : 'translation',
    ]),
  )
}
