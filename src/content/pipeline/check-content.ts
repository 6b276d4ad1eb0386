// The rules that depend on all the content.
import { readFileSync } from 'node:fs'
import { isReported } from '../../core/model/diagnostic-codes.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { relativePath } from '../../core/paths.ts'
import { storedTypeOf } from '../assets/asset-types.ts'
import { findAssets } from '../assets/find-assets.ts'
import type { Linker } from '../links/link-documents.ts'
import type { LinkNotes } from '../links/link-notes.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import { type CheckedPages, checkCorpus, checkPages } from '../rules/check-corpus.ts'
import { findDuplicateSlugs, findTakenAliases, findUnknownReferences } from '../rules/check-references.ts'
import { findWrongTranslations } from '../rules/check-translations.ts'
import type { FoundSources } from '../source/find-sources.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import type { Corpus, CorpusRequest } from './build-corpus.ts'
import type { ContentOptions } from './content-options.ts'
import type { RenderCache } from './render-cache.ts'

interface LinkedContent {
  readonly articles: readonly LocalArticle[]
  readonly taxonomy: LocalTaxonomy
  readonly linker: Pick<Linker, 'resolve'>
  readonly links: LinkNotes
}

/** Checks references between articles, and settings and files that all articles share. */
export async function checkAllContent(
  corpus: Corpus,
  linked: LinkedContent,
  { options, found, cache }: CorpusRequest & { readonly cache: RenderCache },
): Promise<SourceProblem[]> {
  const { all, naming, rejected, findOriginal } = corpus
  const isComplete = rejected.length === 0
  return [
    ...findDuplicateSlugs(all),
    ...findTakenAliases(all),
    ...findUnknownReferences([...all, ...naming], linked.taxonomy),
    ...findWrongTranslations(all, findOriginal, rejected, options.markdown.frontmatter),
    ...checkRejected(corpus, linked, cache),
    ...checkCorpus({
      ...linked,
      assets: await findUsableAssets(options),
      isComplete,
      areTextsKnown: areTextsKnown(corpus.compiled, found),
      rules: options,
    }),
    ...checkPages(linked.articles, readPageSettings(options), isComplete),
  ]
}

/** Checks the links of articles that have errors. */
function checkRejected({ compiled, rejected }: Corpus, { linker, links }: LinkedContent, cache: RenderCache) {
  const sources = new Set(rejected)
  // An unreadable file is not in the cache.
  const faulty = compiled.filter(({ source, sourceHash }) => sources.has(source) && sourceHash !== undefined)
  return faulty.flatMap(({ source, inputKey }) =>
    cache.readLinks(inputKey).slots.flatMap((slot) => {
      const { link } = linker.resolve(slot, { source, language: undefined })
      links.noteFile(slot, link, source)
      const { problem } = link
      return problem === undefined ? [] : [{ source, problem }]
    }),
  )
}

/** Files that are not stored, and text files, which tools often keep beside articles. */
const OF_TOOLS: ReadonlySet<string | undefined> = new Set([undefined, 'csv', 'json', 'txt'])

/** Reads the folder only for this rule. */
async function findUsableAssets(options: ContentOptions): Promise<string[]> {
  const { contentRoot, assets, exclude = [], toolSite } = options
  if (!isReported('asset-unused', options)) return []
  const isPublished = assets.baseUrl !== undefined
  const publishesFiles = isPublished || assets.storage === 'offered'
  const found = await findAssets(contentRoot, exclude, publishesFiles)
  // The pages of a site and its theme use files that no article uses.
  const folders = (toolSite?.rootFolders ?? []).filter((folder) => folder !== '.').map((each) => `${each}/`)
  return found.filter(
    (source) =>
      (isPublished || !OF_TOOLS.has(storedTypeOf(source))) &&
      !folders.some((folder) => source.startsWith(folder)),
  )
}

function readPageSettings(options: ContentOptions): CheckedPages | undefined {
  const { pages, contentRoot, articleUrl, defaults } = options
  const checked = pages?.home?.featured ?? pages?.colours ?? pages?.header ?? pages?.footer
  if (pages?.configFile === undefined || checked === undefined) return undefined
  const text = readFileSync(pages.configFile, 'utf8')
  const urlOf: CheckedPages['urlOf'] = ({ slug, language }) =>
    articleUrl({ slug, language: language ?? defaults.language })
  return { ...pages, urlOf, source: relativePath(contentRoot, pages.configFile), text }
}

function areTextsKnown(compiled: readonly CompiledArticle[], { unread }: FoundSources): boolean {
  return unread.length === 0 && !compiled.some(({ meta }) => isTextUnread(meta))
}

/** Returns true if the start of an article's text is unknown, because its frontmatter is invalid. */
function isTextUnread({ templateHash, problems }: CompiledMeta): boolean {
  return templateHash === '' && problems.some(({ code }) => code !== 'file-empty')
}
