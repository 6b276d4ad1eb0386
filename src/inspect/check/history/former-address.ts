import type { Frontmatter } from '../../../core/model/document.ts'
import { slugOfSource } from '../../../content/build-document.ts'
import { parseFrontmatter } from '../../../content/parse-frontmatter.ts'
import { splitFrontmatter } from '../../../content/split-frontmatter.ts'
import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
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
  { defaults, files }: Pick<HistoryContext, 'defaults' | 'files'>,
): FormerAddress | undefined {
  if (/(?:^|\/)[_.]/.test(source)) return undefined
  const frontmatter = frontmatterOf(text, source, files)
  if (frontmatter === undefined || (frontmatter.status ?? defaults.status) !== 'published') return undefined
  return {
    slug: frontmatter.slug ?? slugOfSource(source),
    language: frontmatter.language ?? defaults.language,
  }
}

function frontmatterOf(
  text: string,
  source: string,
  files: FrontmatterFiles | undefined,
): Frontmatter | undefined {
  const plain = text.replace(/^\uFEFF/, '')
  const split = files === undefined ? splitFrontmatter(plain) : files.split(plain)
  if (split.kind === 'problem') return undefined
  const parsed = parseFrontmatter(files?.map(split.yaml, source).yaml ?? split.yaml)
  return parsed.kind === 'valid' ? parsed.frontmatter : undefined
}
