import { slugOfSource } from '../../../content/frontmatter/build-document.ts'
import { parseFrontmatter } from '../../../content/frontmatter/parse-frontmatter.ts'
import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
import { splitFrontmatter } from '../../../content/frontmatter/split-frontmatter.ts'
import { baseOf } from '../../../core/git/base-of.ts'
import { diffWorktree, type WorktreeChange } from '../../../core/git/diff-worktree.ts'
import { readBlobs } from '../../../core/git/read-blobs.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import type { HistoryContext } from './find-outdated-translations.ts'
import { atField, type SourceProblem } from '../../../content/source/source-problem.ts'

/**
 * Reports published articles that had another slug when they were published before, in the base of a pull request or in
 * HEAD, unless another article has the old slug now. Reports none if git does not know the base.
 */
export async function slugsChanged(context: HistoryContext): Promise<SourceProblem[]> {
  const { git } = context
  const published = context.articles.filter(({ status }) => status === 'published')
  if (published.length === 0) return []
  const base = await baseOf(git)
  const changes = base === undefined ? [] : ((await diffWorktree(git, base)) ?? [])
  const former = formerTexts(changes)
  const touched = published.filter(({ source }) => former.has(source.normalize('NFC')))
  const blobs = touched.flatMap(({ source }) => former.get(source.normalize('NFC'))?.blob ?? [])
  const texts = (await readBlobs(git, blobs)) ?? new Map<string, string>()
  const isTaken = createIsTaken(context)
  return touched.flatMap((article) => {
    const { from, blob } = former.get(article.source.normalize('NFC')) ?? { from: '', blob: '' }
    const before = formerAddress(from, texts.get(blob) ?? '', context)
    const isKept = before === undefined || before.slug.normalize('NFC') === article.slug.normalize('NFC')
    if (isKept || before.language !== languageOf(article, context) || isTaken(before)) return []
    return [problemOf(article, before.slug)]
  })
}

/** By source. Files that are new or gone have no former text. */
function formerTexts(changes: readonly WorktreeChange[]) {
  return new Map(
    changes.flatMap(({ kind, source, from, blob }) =>
      kind === 'deleted' || from === undefined || blob === undefined ? [] : [[source, { from, blob }]],
    ),
  )
}

function createIsTaken(context: HistoryContext): (address: FormerAddress) => boolean {
  const keyOf = (slug: string, language: string) => `${language} ${slug.normalize('NFC')}`
  const taken = new Set(context.articles.map((article) => keyOf(article.slug, languageOf(article, context))))
  return ({ slug, language }) => taken.has(keyOf(slug, language))
}

function languageOf({ language }: LocalArticle, { defaults }: HistoryContext): string {
  return language ?? defaults.language
}

function problemOf(article: LocalArticle, before: string): SourceProblem {
  return atField(article, 'slug', {
    code: 'slug-changed',
    message: `The article is published as "${before}" and gets the slug "${article.slug}": links from elsewhere break.`,
    hint: `To keep the URL, set \`slug: ${before}\`.`,
  })
}

/** The slug and language under which an article was published. */
interface FormerAddress {
  readonly slug: string
  readonly language: string
}

/** Reads slug and language from a former text of a file; undefined if it was not a published article. */
function formerAddress(
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

function frontmatterOf(text: string, source: string, files: FrontmatterFiles | undefined) {
  const plain = text.replace(/^\uFEFF/, '')
  const split = files === undefined ? splitFrontmatter(plain) : files.split(plain)
  if (split.kind === 'problem') return undefined
  const parsed = parseFrontmatter(files?.map(split.yaml, source).yaml ?? split.yaml)
  return parsed.kind === 'valid' ? parsed.frontmatter : undefined
}
