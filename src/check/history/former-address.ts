import type { Frontmatter } from '../../model/document.ts'
import { slugOfSource } from '../../content/build-document.ts'
import { parseFrontmatter } from '../../content/parse-frontmatter.ts'
import { splitFrontmatter } from '../../content/split-frontmatter.ts'
import type { HistoryContext } from './history-context.ts'

/** Under which address an article was published. */
export interface FormerAddress {
  readonly slug: string
  readonly language: string
}

/** What a former text of a file says of its address; undefined where it was no published article. */
export function formerAddress(
  source: string,
  text: string,
  defaults: HistoryContext['defaults'],
): FormerAddress | undefined {
  if (/(?:^|\/)[_.]/.test(source)) return undefined
  const frontmatter = frontmatterOf(text)
  if (frontmatter === undefined || (frontmatter.status ?? defaults.status) !== 'published') return undefined
  return {
    slug: frontmatter.slug ?? slugOfSource(source),
    language: frontmatter.language ?? defaults.language,
  }
}

function frontmatterOf(text: string): Frontmatter | undefined {
  const split = splitFrontmatter(text.replace(/^\uFEFF/, ''))
  if (split.kind === 'problem') return undefined
  const parsed = parseFrontmatter(split.yaml)
  return parsed.kind === 'valid' ? parsed.frontmatter : undefined
}
