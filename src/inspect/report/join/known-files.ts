import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import type { Settings } from '../../../core/config/settings.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { type LocalCategory, lookUp } from '../../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { contentPrefix } from '../../../sync/content-project.ts'
import type { WantedByFiles } from '../identify/wanted-by-files.ts'

/** A file that owns an article, or could. */
export interface KnownFile {
  readonly source: string
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Undefined where the file has errors. */
  readonly document: LocalArticle | undefined
  /** Its address for readers, as `links.article` makes it. */
  readonly url: string | undefined
  /** Paths of names. */
  readonly categories: readonly string[]
}

/** All files by source, with what a report says of them. */
export function knownFiles(
  { articles, faulty }: WantedByFiles,
  { taxonomy }: Pick<LoadedContent, 'taxonomy'>,
  settings: Settings,
): ReadonlyMap<string, KnownFile> {
  const prefix = contentPrefix(settings)
  const categoryPath = createCategoryPath(taxonomy.categories)
  return new Map(
    articles.map((article): [string, KnownFile] => {
      const { source, slug, language, categories } = article
      const base = { source, file: `${prefix}${source}` }
      const known = {
        document: article,
        url: settings.articleUrl({ slug, language: language ?? settings.defaultLanguage }),
        categories: [...new Set(categories.map(categoryPath))],
      }
      return [source, { ...base, ...(faulty.has(source) ? UNREAD : known) }]
    }),
  )
}

const UNREAD = { document: undefined, url: undefined, categories: [] }

/** Turns what an article calls its category into the path of names; what no file lists stays as it is written. */
function createCategoryPath(categories: readonly LocalCategory[] | undefined): (reference: string) => string {
  const known = new Map<string, string>()
  const resolve = (reference: string) => {
    const found = lookUp(reference, categories ?? [])
    return found.kind === 'found' ? formatCategoryPath(found.entry.path) : reference
  }
  return (reference) => {
    const path = known.get(reference) ?? resolve(reference)
    known.set(reference, path)
    return path
  }
}
