import { defaultSlugOf } from '../../../content/preset/site-path.ts'
import type { FoundSources } from '../../../content/source/find-sources.ts'
import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import type { FrontmatterMapping } from '../../../core/dialects/frontmatter-mapping.ts'
import { documentKey, type LocalArticle } from '../../../core/model/document.ts'

/** The articles that the files should have on the target, including files whose errors prevent reading them. */
export interface WantedByFiles {
  readonly articles: readonly LocalArticle[]
  /** Sources of files with errors: of what they say, little is known. */
  readonly faulty: ReadonlySet<string>
}

/** A file with errors still owns its article: its path tells so. */
export function wantedByFiles(
  { articles, pages }: Pick<LoadedContent, 'articles' | 'pages'>,
  { articles: files, unread }: Pick<FoundSources, 'articles' | 'unread'>,
  mapping?: FrontmatterMapping,
): WantedByFiles {
  const read = new Set(articles.map(({ source }) => source))
  const isArticle = (source: string) => /\.mdx?$/.test(source)
  const all = [...files, ...unread.filter(({ source }) => isArticle(source))]
  const faulty = new Set(
    all.map(({ source }) => source).filter((source) => !read.has(source) && !pages.has(source)),
  )
  return { articles: [...articles, ...[...faulty].map((source) => standIn(source, mapping))], faulty }
}

function standIn(source: string, mapping: FrontmatterMapping | undefined): LocalArticle {
  return {
    source,
    key: documentKey(source, null),
    slug: defaultSlugOf(source, mapping),
    language: null,
    title: '',
    sourceHash: '',
    inputKey: '',
    categories: [],
    tags: [],
    excerpt: '',
    status: 'draft',
    review: { kind: 'never' },
    translationOf: undefined,
    order: 0,
    hideFromSearch: false,
    seoBannerUrl: '',
    positions: {},
    original: undefined,
    contentHash: '',
    projectionHash: '',
  }
}
