import { toLanguage } from '../../../sync/remote/to-remote.ts'
import type { Identified } from '../identify/match-files.ts'
import type { Owner, ReportedArticle } from '../../../web/report/report.ts'
import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import type { Settings } from '../../../core/config/settings.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { type LocalCategory, lookUp } from '../../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { contentPrefix } from '../../../core/paths.ts'
import type { WantedByFiles } from '../identify/wanted-by-files.ts'
import { cutAtWord } from '../../../core/code-points.ts'
import { publicUrls } from '../../../web/pages/page-addresses-of.ts'
import { memoize } from '../../../core/memoize.ts'

interface DatedArticle {
  readonly id: string
  readonly title: string | undefined
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
}

/** Combines the target's lists with the files. */
export type Join = ReturnType<typeof createJoin>

export interface JoinParts {
  /** By source. */
  readonly files: ReadonlyMap<string, KnownFile>
  readonly identified: Pick<Identified, 'sourceOf' | 'orphans'>
  /** Sources by the ids of articles that are gone. */
  readonly former: ReadonlyMap<string, string>
  /** Undefined if the report covers everything on the target. */
  readonly isSelected: ((source: string) => boolean) | undefined
  readonly defaultLanguage: string
}

const NONE: readonly string[] = []

export function createJoin({ files, identified, former, isSelected, defaultLanguage }: JoinParts) {
  let last: { readonly id: string; readonly file: KnownFile | undefined } | undefined
  return {
    /** Returns the file of an article; undefined if there is none. Most lists contain the links of an article together. */
    fileOf: (id: string) => {
      if (id === last?.id) return last.file
      const source = identified.sourceOf.get(id) ?? former.get(id)
      last = { id, file: source === undefined ? undefined : files.get(source) }
      return last.file
    },
    /** Articles that kb-sync created and that have no file. */
    orphanIds: new Set(identified.orphans.map(({ id }) => id)),
    /** True if the report includes articles of this file, or without a file. */
    isOfInterest: (file: KnownFile | undefined) =>
      isSelected === undefined || (file !== undefined && isSelected(file.source)),
    /** Returns the code of the language in a list. */
    languageOf: (listed: string | undefined) => toLanguage(listed, defaultLanguage) ?? defaultLanguage,
    /** Returns a listed article with data of its file. */
    toArticle: (
      { id, title = '', isDraft, language }: DatedArticle,
      file: KnownFile | undefined,
      owners?: readonly Owner[],
    ): ReportedArticle => ({
      id,
      // People need a name for it.
      title: cutTitle(firstOf(title, file?.document?.title, `Article ${id}`)),
      isDraft,
      language,
      file: file?.file,
      url: file?.url,
      categories: file?.categories ?? NONE,
      ...(owners !== undefined && { owners }),
    }),
  }
}

function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? ''
}

/** A file that has an article, or could have one. */
export interface KnownFile {
  readonly source: string
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Undefined if the file has errors. */
  readonly document: LocalArticle | undefined
  /** Its URL for readers: absolute if `pages.url` is set, otherwise as created by `links.article`. */
  readonly url: string | undefined
  /** Paths of names. */
  readonly categories: readonly string[]
}

/** Returns all files by source, with the data that a report shows. */
export function knownFiles(
  { articles, faulty }: WantedByFiles,
  { taxonomy }: Pick<LoadedContent, 'taxonomy'>,
  settings: Settings,
): ReadonlyMap<string, KnownFile> {
  const prefix = contentPrefix(settings)
  const categoryPath = createCategoryPath(taxonomy.categories)
  const articleUrl = publicUrls(settings).article
  return new Map(
    articles.map((article): [string, KnownFile] => {
      const { source, slug, language, categories } = article
      const isRead = !faulty.has(source)
      const file = {
        source,
        file: `${prefix}${source}`,
        document: isRead ? article : undefined,
        url: isRead ? articleUrl({ slug, language: language ?? settings.defaultLanguage }) : undefined,
        categories: isRead ? [...new Set(categories.map(categoryPath))] : NONE,
      }
      return [source, file]
    }),
  )
}

/** Converts an article's reference to a category to the path of names. A reference that no file lists is unchanged. */
function createCategoryPath(categories: readonly LocalCategory[] | undefined): (reference: string) => string {
  return memoize((reference) => {
    const found = lookUp(reference, categories ?? [])
    return found.kind === 'found' ? formatCategoryPath(found.entry.path) : reference
  })
}

// Values in the target's lists may have any length, but all output formats must stay readable.
/** Maximum length of a title in characters. */
const LONGEST_TITLE = 300

/** Maximum length of a URL, as in browsers and proxies. A longer one contains an image, and is of no use to readers. */
const LONGEST_ADDRESS = 2000

/** Shortens a title to a readable length. */
function cutTitle(title: string): string {
  // The rest is not checked, because a character as readers see it is shorter than that.
  return title.length <= LONGEST_TITLE ? title : cutAtWord(title.slice(0, 4 * LONGEST_TITLE), LONGEST_TITLE)
}

/** Shortens a URL. It ends with `…` if it was cut. */
export function cutAddress(url: string): string {
  if (url.length <= LONGEST_ADDRESS) return url
  // Does not cut between two surrogates.
  const half = /[\ud800-\udbff]$/
  return `${url.slice(0, LONGEST_ADDRESS - 1).replace(half, '')}…`
}
