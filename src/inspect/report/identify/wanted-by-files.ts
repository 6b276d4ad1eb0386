import { defaultSlugOf } from '../../../content/preset/site-path.ts'
import type { FoundSources } from '../../../content/source/find-sources.ts'
import { placeholderOf } from '../../../content/pipeline/build-corpus.ts'
import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import type { FrontmatterMapping } from '../../../core/dialects/frontmatter-mapping.ts'
import { documentKey, type LocalArticle } from '../../../core/model/document.ts'

/** The articles that the files should have on the target, including files whose errors prevent reading them. */
export interface WantedByFiles {
  readonly articles: readonly LocalArticle[]
  /** Sources of files with errors, of which little is known. */
  readonly faulty: ReadonlySet<string>
}

/** Returns the articles of all files. A file with errors still has its article, identified by its path. */
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
  return { articles: [...articles, ...[...faulty].map((source) => fromPath(source, mapping))], faulty }
}

function fromPath(source: string, mapping: FrontmatterMapping | undefined): LocalArticle {
  const slug = defaultSlugOf(source, mapping)
  const version = { key: documentKey(source, null), slug, language: null, title: '' }
  return {
    ...placeholderOf({ ...version, source, sourceHash: '', inputKey: '' }),
    status: 'draft',
    original: undefined,
    contentHash: '',
    projectionHash: '',
  }
}
