import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Orphan } from '../core/model/plan.ts'

export interface GoneArticle {
  readonly source: string
  readonly slug: string
}

export interface MovedFile {
  readonly from: string
  readonly to: string
}

/** Which articles have lost their file while they were watched. */
export interface OrphanReporter {
  /** Remembers where each article came from; returns those that come from another file now, the first one being gone. */
  readonly see: (content: LoadedContent) => readonly MovedFile[]
  /** The last file of an article; undefined where none was seen. */
  readonly sourceOf: (article: Pick<Orphan, 'slug' | 'language'>) => string | undefined
  /** Orphans that were not told before, by their last file; those that were there from the start are not told. */
  readonly unreported: (orphans: readonly Orphan[]) => readonly GoneArticle[]
}

export function createOrphanReporter(): OrphanReporter {
  const sources = new Map<string, string>()
  let told = new Set<string>()
  return {
    see: ({ articles }) => {
      const moved: { from: string; to: string }[] = []
      for (const { slug, language, source } of articles) {
        const from = sources.get(addressOf(slug, language))
        if (from !== undefined && from !== source) moved.push({ from, to: source })
        sources.set(addressOf(slug, language), source)
      }
      if (moved.length === 0) return moved
      const present = new Set(articles.map(({ source }) => source))
      return moved.filter(({ from }) => !present.has(from))
    },
    sourceOf: ({ slug, language }) => sources.get(addressOf(slug, language)),
    unreported: (orphans) => {
      const before = told
      told = new Set(orphans.map(({ id }) => id))
      return orphans.flatMap(({ id, slug, language }) => {
        const source = sources.get(addressOf(slug, language))
        return source === undefined || before.has(id) ? [] : [{ source, slug }]
      })
    },
  }
}

function addressOf(slug: string, language: string | null): string {
  return `${language ?? ''}\0${slug}`
}
