import type { Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { ARTICLE_SCHEMA } from './article-schema.ts'
import { finishTree, type Finishing, type PageHeading } from './finish-tree.ts'
import { type ArticleLimits, parseArticle, SHOWN } from './parse-article.ts'

export interface CleanArticle {
  /** Safe to stand in a page as it is. */
  readonly html: string
  /** Headings of the second and third level, in order. */
  readonly headings: readonly PageHeading[]
}

/**
 * Makes an article's HTML, whoever wrote it, safe and fit for a page. Undefined where it is larger than `limits` or nested
 * beyond reason.
 */
export function cleanArticle(
  html: string,
  finishing: Finishing,
  limits: ArticleLimits = SHOWN,
): CleanArticle | undefined {
  const parsed = parseArticle(html, limits)
  if (parsed === undefined) return undefined
  const tree = sanitize(parsed, ARTICLE_SCHEMA) as Root
  const headings = finishTree(tree, finishing)
  const clean = toHtml(tree)
  // Signs that must be escaped make it longer.
  return clean.length > SHOWN.characters ? undefined : { html: clean, headings }
}
