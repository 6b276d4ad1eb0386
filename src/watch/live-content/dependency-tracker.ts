import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { LinkContext } from '../../content/links/resolve-link.ts'
import type { QueryResults, Query } from './query-results.ts'

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

export interface DependencyTracker {
  /** The context that links are to be resolved against. */
  readonly context: LinkContext
  /** Runs `resolve` and tells what it asked the context. */
  readonly record: <Result>(resolve: () => Result) => {
    readonly result: Result
    readonly asked: Dependencies
  }
}

interface Recording {
  readonly places: Set<string>
  readonly lookups: Set<string>
  readonly assets: UsedAsset[]
  isOpen: boolean
}

/**
 * Puts itself between links and what they are resolved against.
 *
 * @param onBeside called with each file that is read while nothing is recorded
 */
export function createDependencyTracker(
  base: LinkContext,
  answers: QueryResults,
  onBeside: (asset: UsedAsset) => void,
): DependencyTracker {
  let recording: Recording | undefined
  const ask = (lookup: Query) => void recording?.lookups.add(answers.ask(lookup))
  const askPlace = (place: string) => void recording?.places.add(place)
  const context: LinkContext = {
    ...base,
    documents: {
      get: (place) => {
        askPlace(place)
        return base.documents.get(place)
      },
      has: (place) => {
        askPlace(place)
        return base.documents.has(place)
      },
      keys: () => {
        ask({ kind: 'sources' })
        return base.documents.keys()
      },
    },
    rejected: {
      has: (place) => {
        askPlace(place)
        const isRejected = base.rejected.has(place)
        if (recording !== undefined && isRejected && !base.lastGood.has(place)) recording.isOpen = true
        return isRejected
      },
    },
    site: base.site && {
      ...base.site,
      findSlug: (slug, language) => {
        ask({ kind: 'originals' })
        return base.site?.findSlug(slug, language)
      },
      findNamed: (name, language) => {
        ask({ kind: 'originals' })
        return base.site?.findNamed(name, language)
      },
      findFolder: (path, from, language) => {
        ask({ kind: 'taxonomy' })
        return base.site?.findFolder(path, from, language)
      },
      findNamedFolder: (name, language) => {
        ask({ kind: 'taxonomy' })
        return base.site?.findNamedFolder(name, language)
      },
    },
    get taxonomy() {
      ask({ kind: 'taxonomy' })
      return base.taxonomy
    },
    isOwnAddress: (path) => {
      ask({ kind: 'originals' })
      ask({ kind: 'taxonomy' })
      return base.isOwnAddress(path)
    },
    findExactly: (source) => {
      ask({ kind: 'find', source })
      return base.findExactly(source)
    },
    isFile: (source) => {
      ask({ kind: 'file', source })
      return base.isFile(source)
    },
    assets: {
      used: base.assets.used,
      read: (source, use) => {
        // Asked before the file is read: one that changes meanwhile is then seen to be another one.
        ask({ kind: 'asset', use, source })
        const asset = base.assets.read(source, use)
        if (asset.kind === 'read') {
          if (recording === undefined) onBeside(asset.used)
          else recording.assets.push(asset.used)
        }
        return asset
      },
    },
  }
  return {
    context,
    record: (resolve) => {
      const mine: Recording = { places: new Set(), lookups: new Set(), assets: [], isOpen: false }
      recording = mine
      try {
        return { result: resolve(), asked: mine }
      } finally {
        recording = undefined
      }
    },
  }
}
