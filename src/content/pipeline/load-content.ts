import type { FileDigests } from '../source/hash-sources.ts'
import {
  buildCorpus,
  type Corpus,
  type CorpusCache,
  type CorpusRequest,
  assignByTool,
  withAssigned,
} from './build-corpus.ts'
import { appendAll } from '../../core/append-all.ts'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle, Document } from '../../core/model/document.ts'
import type { UsedFile } from '../../core/model/local-file.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { UsedAsset } from '../assets/create-asset-reader.ts'
import type { DocumentDefaults } from '../frontmatter/build-document.ts'
import { dropTakenSlugs } from '../rules/check-references.ts'
import { createFindOriginal } from '../rules/check-translations.ts'
import { indexArticles } from './article-index.ts'
import { createCompilePool } from './compile-pool.ts'
import { compileSources, yieldToEventLoop, type FindCompiled, renderKeyOf } from './compile-sources.ts'
import type { ContentOptions } from './content-options.ts'
import type { FoundSources } from '../source/find-sources.ts'
import { createLinker, type LinkedDocument, type Linker } from '../links/link-documents.ts'
import { draftTaxonomy, finishTaxonomy, type TaxonomyDraft } from '../taxonomy/load-taxonomy.ts'
import { loadRenderer } from './create-compiler.ts'
import type { LocatedUrl, CompiledArticle } from '../markdown/rendered-body.ts'
import { fallbackProblems, type MarkdownParser, resolveParser } from '../parser/resolve-parser.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import type { AssignedArticles } from '../preset/assign-categories.ts'
import type { RenderCache } from './render-cache.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import { checkAllContent } from './check-content.ts'
import { createIgnores, type Ignores } from '../rules/ignored-lines.ts'
import { createLinkNotes, type LinkNotes } from '../links/link-notes.ts'
import { toDiagnostics } from './make-diagnostics.ts'
import { checkDocument } from '../rules/check-document.ts'
import type { LinkContext } from '../links/link-context.ts'

interface ContentRequest extends CorpusRequest {
  /** Digest of each article's bytes by source. */
  readonly hashes: FileDigests
  readonly cache: RenderCache
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Called when all articles are compiled. */
  readonly onCompiled?: (() => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The cache of the last load: only changes are processed, and last valid versions are kept. */
  readonly memory?: ContentCache | undefined
}

/** The content after pass one: read, checked and rendered, with all problems. */
export interface LoadedContent {
  /** In the order of their sources. Documents with an error are missing, or in their last valid version. */
  readonly articles: readonly LocalArticle[]
  /** Sources of articles that have errors themselves. */
  readonly rejected: ReadonlySet<string>
  /** By source: articles that link to or translate one whose URL is unknown, with the articles they wait for. */
  readonly waiting: ReadonlyMap<string, readonly string[]>
  /** Files that are pages of the site but not articles. */
  readonly pages: ReadonlySet<string>
  readonly taxonomy: LocalTaxonomy
  /** Files that the target stores for descriptions of categories and tags. */
  readonly describedFiles: readonly UsedFile[]
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[]
  /** Comments in the texts that disable rules. */
  readonly ignores: Ignores
  /** Files used by articles that are not articles themselves. */
  readonly assets: readonly UsedAsset[]
  /** Returns sources of files that articles linked by this load would use if they existed or had other content. */
  readonly unusableAssets: () => readonly string[]
  /** Returns the values derived from a file's location, with a preset. */
  readonly placed?: DocumentDefaults['placed']
  /** Returns the HTML of one of `articles`, without the marker. */
  readonly readHtml: (article: Document) => string
  /** Returns the wanted URLs in it, with their positions in the source. Reads the cache. */
  readonly findAddresses: Linker['findAddresses']
  /** The files that articles include, with their digests: by article, then by source. */
  readonly includes: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Returns every link to another site in articles and long descriptions, by file and position. Reads the cache. */
  readonly readExternalLinks: () => readonly FoundLink[]
  /** Returns what a later run needs to read a few edited articles. Only for content without errors. */
  readonly index: () => ReturnType<typeof indexArticles>
}

/** A link to another site, and its file. */
export interface FoundLink {
  readonly source: string
  readonly link: LocatedUrl
}

/**
 * Pass one: compiles changed files, then resolves references between articles. Sends nothing.
 *
 * @throws KbError INTERRUPTED, WORKSPACE_UNWRITABLE, CONFIG_INVALID (a remark plugin that fails)
 */
export async function loadContent(request: ContentRequest): Promise<LoadedContent> {
  const { options, cache, found, memory } = request
  const parser = await resolveParser(options.markdown)
  const compiled = await compile(request, parser)
  request.onCompiled?.()
  const placed = await assignByTool(compiled, request)
  const corpus = buildCorpus(compiled, placed, request)
  const draft = await loadDraft(corpus, placed, parser, request)
  const routes = routesOf(compiled)
  const linker = createCorpusLinker(corpus, draft, placed, routes, request)
  memory?.keepLinker(linker)
  const links = createLinkNotes()
  const { taxonomy, described, describedFiles, ...description } = describe(draft, linker, links)
  const checked = await linkAndCheckAll(corpus, { linker, links }, request)
  const { articles, linksTo, kept, waiting } = checked
  const problems = [
    ...fallbackProblems(parser, found.articles).concat(found.unread),
    ...(placed?.problems ?? []),
    ...[corpus, draft, description].flatMap((each) => each.problems),
    ...checked.problems,
    ...(await checkAllContent(corpus, { articles, taxonomy, linker, links }, request)),
  ]
  const ignores = createIgnores(compiled)
  // The functions of the result must not keep the metas in memory.
  const { pages } = corpus
  const keys = compiled.map(({ source, sourceHash, inputKey }) => ({ source, sourceHash, inputKey }))
  const includes = includesOf(compiled)
  cache.prune(new Set([...compiled, ...corpus.lastGood.keys()].map(({ inputKey }) => inputKey)))
  return {
    articles: kept.length === 0 ? articles : [...articles, ...kept].toSorted(bySource),
    rejected: new Set(corpus.rejected),
    waiting,
    pages: new Set(pages),
    taxonomy,
    describedFiles,
    diagnostics: sortedDiagnostics(dropTakenSlugs(problems, corpus.all), ignores, corpus, options),
    ignores,
    ...(placed !== undefined && { placed: placed.defaults.placed }),
    assets: memory?.assets() ?? linker.assets(),
    unusableAssets: linker.unusableAssets,
    readHtml: linker.readHtml,
    findAddresses: linker.findAddresses,
    includes,
    readExternalLinks: () => readExternalLinks(keys, draft, { articles, linker, cache }),
    index: () => indexArticles({ articles, linksTo, routes, includes, pages, taxonomy, described, placed }),
  }
}

/** Returns sorted diagnostics. Texts with an error were not checked completely, so their ignore comments may be needed. */
function sortedDiagnostics(
  problems: readonly SourceProblem[],
  ignores: Ignores,
  { rejected }: Corpus,
  options: ContentOptions,
): Diagnostic[] {
  const ofProblem = toDiagnostics(options, ignores)
  const found = problems.flatMap(ofProblem)
  const unread = new Set(rejected)
  const unused = ignores.unused((source) => !unread.has(source)).flatMap(ofProblem)
  return [...found, ...unused].toSorted(compareDiagnostics)
}

async function loadDraft(
  { compiled }: Corpus,
  placed: AssignedArticles | undefined,
  parser: MarkdownParser,
  { options, found, cache, memory, signal }: ContentRequest,
): Promise<TaxonomyDraft> {
  await yieldToEventLoop(signal)
  const read = async () => draftTaxonomy(options, found, await loadRenderer(options.markdown, parser, false))
  const written = await (memory?.draft(found, read) ?? read())
  return placed === undefined ? written : withAssigned(written, placed, compiled, cache)
}

function createCorpusLinker(
  { all, lastGood, findOriginal, rejected, pages }: Corpus,
  { taxonomy }: TaxonomyDraft,
  placed: AssignedArticles | undefined,
  routes: ReadonlyMap<string, string>,
  { memory, ...request }: ContentRequest,
): Linker {
  const documents = new Map(all.map((document) => [document.source.normalize('NFC'), document]))
  return createLinker(
    documents,
    {
      rejected,
      pages,
      taxonomy,
      lastGood: [...lastGood.keys()],
      findOriginal: lastGood.size === 0 ? findOriginal : createFindOriginal([...all, ...lastGood.keys()]),
      folderPages: placed?.folderPages,
      routes,
    },
    { ...request, observe: memory?.observe },
  )
}

/** Number of documents that are linked per turn of the event loop. */
const LINKED_AT_ONCE = 500

async function linkAndCheckAll(
  { documents, lastGood }: Corpus,
  { linker, links }: { readonly linker: Linker; readonly links: LinkNotes },
  { options, memory, signal }: ContentRequest,
) {
  const link = memory?.link ?? linker.link
  const severityOf = createSeverityOf(options)
  const articles: LocalArticle[] = []
  const linksTo = new Map<string, readonly string[]>()
  const waiting = new Map<string, readonly string[]>()
  const problems: SourceProblem[] = []
  for (const [document, meta] of documents) {
    if (articles.length % LINKED_AT_ONCE === 0) await yieldToEventLoop(signal)
    const linked = link(document, meta, links)
    articles.push(linked.article)
    if (linked.linksTo.length > 0) linksTo.set(document.source, linked.linksTo)
    if (linked.waitsFor.length > 0) waiting.set(document.source, linked.waitsFor)
    appendAll(problems, linked.problems)
    const reported = checkDocument(document, meta).filter(
      ({ source, problem }) => severityOf(problem.code, source) !== 'off',
    )
    appendAll(problems, reported)
  }
  // Problems in a text that is no longer in its file are not reported.
  const kept = [...lastGood].map(([document, meta]) => link(document, meta, createLinkNotes()).article)
  return { articles, linksTo, kept, waiting, problems }
}

/** As in `LoadedContent`. */
export function readExternalLinks(
  compiled: readonly CompiledKeys[],
  { externals }: Pick<TaxonomyDraft, 'externals'>,
  { articles, linker, cache }: LinkedContent,
): FoundLink[] {
  // An unreadable file is not in the cache.
  const read = compiled.filter(({ sourceHash }) => sourceHash !== undefined)
  const links = [
    ...read.flatMap(({ source, inputKey }) =>
      cache.readLinks(inputKey).externals.map((link) => ({ source, link })),
    ),
    ...articles.flatMap((article) =>
      linker.readSiteLinks(article).map((link) => ({ source: article.source, link })),
    ),
    ...externals,
  ]
  return links.filter(({ link }) => WEB.test(link.url))
}

const WEB = /^(?:https?:)?[/\\]{2}/i

interface LinkedContent {
  readonly articles: readonly Document[]
  readonly linker: Pick<Linker, 'readSiteLinks'>
  readonly cache: RenderCache
}

/** Returns the paths that files set for their own pages, by source. */
function routesOf(compiled: readonly CompiledArticle[]): ReadonlyMap<string, string> {
  return new Map(
    compiled.flatMap(({ source, meta: { route } }) =>
      route === undefined ? [] : [[source, route] as const],
    ),
  )
}

type CompiledKeys = Pick<CompiledArticle, 'source' | 'sourceHash' | 'inputKey'>

function compile(request: ContentRequest, parser: MarkdownParser) {
  const { options, hashes, cache, memory, onProgress, signal } = request
  return compileSources({
    contentRoot: options.contentRoot,
    hashes,
    cache,
    recall: memory?.recall,
    renderKey: renderKeyOf(options, parser.kind),
    openPool: (sources) => createCompilePool(options.markdown, parser, options.contentRoot, sources),
    onProgress,
    signal,
  })
}

function bySource(a: Document, b: Document): number {
  return a.source < b.source ? -1 : 1
}

function includesOf(compiled: readonly CompiledArticle[]): LoadedContent['includes'] {
  return new Map(
    compiled.flatMap(({ source, meta: { includes } }) =>
      includes === undefined ? [] : [[source, new Map(includes)] as const],
    ),
  )
}

/** Adds descriptions to the taxonomy. Their links also count as links to articles. */
function describe(draft: TaxonomyDraft, linker: Linker, links: LinkNotes) {
  const describedFiles: UsedFile[] = []
  const { taxonomy, problems } = finishTaxonomy(draft, (slot, origin) => {
    const linked = linker.resolve(slot, origin)
    const { to } = linked.link
    if (to?.kind === 'asset' && to.stored !== undefined)
      describedFiles.push({ ...to.stored, usedAt: origin.source })
    links.noteFile(slot, linked.link, origin.source)
    links.noteArticle(linked.link, origin.source)
    return linked
  })
  return { taxonomy, problems, described: [...links.linked], describedFiles }
}

// The cache of the last load. A first load has none and processes everything.

/** The cache of one load. Its data is valid once the load has ended. */
export interface ContentCache extends CorpusCache {
  readonly recall: FindCompiled
  readonly draft: (found: FoundSources, read: () => Promise<TaxonomyDraft>) => Promise<TaxonomyDraft>
  readonly keepLinker: (linker: Linker) => void
  /** Wraps the context of links before the first one is resolved. */
  readonly observe: (context: LinkContext) => LinkContext
  /** Links a document, or returns the previous result if everything it depends on is unchanged. */
  readonly link: (...given: Parameters<Linker['link']>) => Omit<LinkedDocument, 'anchors'>
  /** Returns the files used by all linked documents, and by links outside documents. */
  readonly assets: () => readonly UsedAsset[]
}
