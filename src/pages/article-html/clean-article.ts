import type { Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { ARTICLE_SCHEMA } from './article-schema.ts'
import { finishTree, type Finishing, type PageHeading } from './finish-tree.ts'
import { parseArticle } from './parse-article.ts'

export interface CleanArticle {
  /** Safe to stand in a page as it is. */
  readonly html: string
  /** Headings of the second and third level, in order. */
  readonly headings: readonly PageHeading[]
}

/** Makes an article's HTML, whoever wrote it, safe and fit for a page. Undefined where it is large or nested beyond reason. */
export function cleanArticle(html: string, finishing: Finishing): CleanArticle | undefined {
  const parsed = parseArticle(html)
  if (parsed === undefined) return undefined
  const tree = sanitize(parsed, ARTICLE_SCHEMA) as Root
  const headings = finishTree(tree, finishing)
  return { html: toHtml(tree), headings }
}
