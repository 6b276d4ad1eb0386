import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts'
import { severityOf } from '../model/diagnostic-codes.ts'
import type { DesiredArticle, Document } from '../model/document.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import { appendAll } from '../util/append-all.ts'
import type { UsedAsset } from './assets/create-asset-reader.ts'
import { buildDocuments } from './build-documents.ts'
import { findDuplicateSlugs, findUnknownReferences } from './check-references.ts'
import { findWrongTranslations } from './check-translations.ts'
import { createCompilePool } from './compile-pool.ts'
import { type CompiledArticle, compileSources } from './compile-sources.ts'
import type { ContentOptions } from './content-options.ts'
import { diagnosticMaker } from './diagnostic-maker.ts'
import { createFindOriginal } from './find-original.ts'
import { findAssets } from './find-assets.ts'
import type { CompiledMeta } from './compiled-source.ts'
import type { FoundSources } from './find-sources.ts'
import { renderKeyOf } from './input-keys.ts'
import { createLinker, type Linker } from './link-documents.ts'
import { draftTaxonomy, finishTaxonomy, type TaxonomyDraft } from './load-taxonomy.ts'
import { loadRenderer } from './markdown/load-renderer.ts'
import type { ExternalLink } from './markdown/rendered-body.ts'
import { type MarkdownParser, resolveParser } from './markdown/resolve-parser.ts'
import { fallbackProblems } from './parser-fallback.ts'
import type { PlacedProblem } from './placed-problem.ts'
import type { RenderCache } from './render-cache.ts'
import { dropTakenSlugs } from './mend/drop-taken-slugs.ts'
import { checkCorpus } from './rules/check-corpus.ts'
import { checkDocument } from './rules/check-document.ts'
import { createLinkNotes, type LinkNotes, noteLinks } from './rules/link-notes.ts'
import type { TaxonomyLinks } from './resolve-taxonomy-link.ts'

export interface ContentRequest {
  readonly options: ContentOptions
  readonly found: FoundSources
  /** Digest of each article's bytes by source. */
  readonly hashes: ReadonlyMap<string, string>
  readonly cache: RenderCache
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** The content after pass one: read, checked and rendered, every problem collected. */
export interface LoadedContent {
  /** In the order of their sources; documents with an error of their own are missing. */
  readonly articles: readonly DesiredArticle[]
  readonly taxonomy: LocalTaxonomy
  /** Sorted by file and place. */
  readonly diagnostics: readonly Diagnostic[]
  /** The files that articles use and that are no articles. */
  readonly assets: readonly UsedAsset[]
  /** The HTML of one of `articles`, without marker. */
  readonly readHtml: (article: Document) => string
  /** The files that articles include, with their digests: by article, then by source. */
  readonly includes: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Every link to another site, of articles and long descriptions, by file and place. Reads the cache. */
  readonly readExternalLinks: () => readonly PlacedLink[]
}

/** A link to another site and the file it stands in. */
export interface PlacedLink {
  readonly source: string
  readonly link: ExternalLink
}

/**
 * Pass one: compiles what changed, then resolves what articles say of each other. Nothing is sent from here.
 *
 * @throws KbError INTERRUPTED, WORKSPACE_UNWRITABLE, CONFIG_INVALID (a remark plugin that fails)
 */
export async function loadContent(request: ContentRequest): Promise<LoadedContent> {
  const { options, cache, found } = request
  const parser = await resolveParser(options.markdown)
  const compiled = await compile(request, parser)
  const problems: PlacedProblem[] = [...found.unread]
  const { documents, faulty, naming } = buildDocuments(compiled, options.defaults, problems)
  const rejected = [...faulty, ...found.unread.map(({ source }) => source)]
  const all = [...documents.keys()]
  const findOriginal = createFindOriginal(all)
  const draft = draftTaxonomy(options, found, await loadRenderer(options.markdown, parser))
  const linker = createLinker(all, {
    ...options,
    cache,
    rejected,
    taxonomy: taxonomyLinks(options, found, draft),
    urlOf: urlOf(options),
    findOriginal,
  })
  const links = createLinkNotes()
  const { taxonomy, problems: descriptionProblems } = finishTaxonomy(draft, (slot, origin) => {
    const link = linker.resolve(slot, origin)
    links.noteFile(slot, origin.source)
    links.noteArticle(link, origin.source)
    return link
  })
  appendAll(problems, [
    ...draft.problems,
    ...descriptionProblems,
    ...findDuplicateSlugs(all),
    ...findUnknownReferences([...all, ...naming], taxonomy),
    ...findWrongTranslations(all, findOriginal, rejected),
  ])
  const articles = [...documents].map(([document, meta]) => {
    const linked = linker.link(document, meta)
    noteLinks(links, linked.resolved, document)
    appendAll(problems, [...linked.problems, ...checkDocument(document, meta, linked.resolved)])
    return linked.article
  })
  appendAll(problems, checkRejected(compiled, rejected, { cache, linker, links }))
  const assets = await findUsableAssets(options)
  const isComplete = rejected.length === 0
  const areTextsKnown = found.unread.length === 0 && !compiled.some(({ meta }) => isTextUnread(meta))
  appendAll(problems, checkCorpus({ articles, taxonomy, links, assets, isComplete, areTextsKnown }))
  cache.prune(new Set(compiled.map(({ inputKey }) => inputKey)))
  const toDiagnostics = diagnosticMaker(options)
  return {
    articles,
    taxonomy,
    diagnostics: [...fallbackProblems(parser, found), ...dropTakenSlugs(problems, all)]
      .flatMap(toDiagnostics)
      .toSorted(compareDiagnostics),
    assets: linker.assets(),
    readHtml: linker.readHtml,
    includes: includesOf(compiled),
    readExternalLinks: () => [
      // A file that could not be read is not in the cache.
      ...compiled
        .filter(({ sourceHash }) => sourceHash !== '')
        .flatMap(({ source, inputKey }) =>
          cache.readLinks(inputKey).externals.map((link) => ({ source, link })),
        ),
      ...draft.externals,
    ],
  }
}

function taxonomyLinks(
  { categoryUrl, tagUrl, defaults }: ContentOptions,
  found: FoundSources,
  { taxonomy }: TaxonomyDraft,
): TaxonomyLinks {
  const files = new Set(found.taxonomy.map(({ source }) => source))
  return { taxonomy, files, categoryUrl, tagUrl, defaultLanguage: defaults.language }
}

function compile({ options, hashes, cache, onProgress, signal }: ContentRequest, parser: MarkdownParser) {
  return compileSources({
    contentRoot: options.contentRoot,
    hashes,
    cache,
    renderKey: renderKeyOf(options.renderDigest, parser.kind),
    openPool: (files) => createCompilePool(options.markdown, parser, options.contentRoot, files),
    onProgress,
    signal,
  })
}

function includesOf(compiled: readonly CompiledArticle[]): LoadedContent['includes'] {
  return new Map(
    compiled.flatMap(({ source, meta: { includes } }) =>
      includes === undefined ? [] : [[source, new Map(includes)] as const],
    ),
  )
}

/** Without its frontmatter, nobody can say where the text of an article begins. */
function isTextUnread({ templateHash, problems }: CompiledMeta): boolean {
  return templateHash === '' && problems.some(({ code }) => code !== 'file-empty')
}

/** What is wrong with an article keeps it neither from using a file nor from having wrong links. */
function checkRejected(
  compiled: readonly CompiledArticle[],
  rejected: readonly string[],
  { cache, linker, links }: { cache: RenderCache; linker: Linker; links: LinkNotes },
): PlacedProblem[] {
  const sources = new Set(rejected)
  // A file that could not be read is not in the cache.
  const faulty = compiled.filter(({ source, sourceHash }) => sources.has(source) && sourceHash !== '')
  return faulty.flatMap(({ source, inputKey }) =>
    cache.readLinks(inputKey).slots.flatMap((slot) => {
      links.noteFile(slot, source)
      const { problem } = linker.resolve(slot, { source, language: undefined })
      return problem === undefined ? [] : [{ source, problem }]
    }),
  )
}

/** The folder is read for one rule only. */
async function findUsableAssets({
  contentRoot,
  rules,
  assets,
  exclude = [],
}: ContentOptions): Promise<string[]> {
  if (severityOf('asset-unused', rules) === 'off') return []
  return findAssets({ contentRoot, exclude, publishesFiles: assets.baseUrl !== undefined })
}

function urlOf({ articleUrl, defaults }: ContentOptions) {
  return ({ slug, language }: Document) => articleUrl({ slug, language: language ?? defaults.language })
}
