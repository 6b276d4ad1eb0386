import { relative, sep } from 'node:path'
import { compareDiagnostics, type Diagnostic, type Problem } from '../model/diagnostic.ts'
import { DIAGNOSTICS } from '../model/diagnostic-codes.ts'
import type { DesiredArticle, Document, Frontmatter } from '../model/document.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import { digestParts } from '../util/digest.ts'
import { buildDocument, type DocumentDefaults } from './build-document.ts'
import { findDuplicateSlugs, findUnknownReferences } from './check-references.ts'
import { findWrongTranslations } from './check-translations.ts'
import { createCompilePool } from './compile-pool.ts'
import { type CompiledArticle, compileSources } from './compile-sources.ts'
import type { CompiledMeta } from './compiled-source.ts'
import { createFindOriginal } from './find-original.ts'
import type { FoundSources } from './find-sources.ts'
import { createLinker } from './link-documents.ts'
import { loadTaxonomy } from './load-taxonomy.ts'
import { createRenderer } from './markdown/create-renderer.ts'
import type { MarkdownOptions } from './markdown/rendered-body.ts'
import { type MarkdownParser, resolveParser } from './markdown/resolve-parser.ts'
import type { PlacedProblem } from './placed-problem.ts'
import type { RenderCache } from './render-cache.ts'

export interface ContentOptions {
  /** Absolute; diagnostics name files relative to it. */
  readonly root: string
  readonly contentRoot: string
  readonly markdown: MarkdownOptions
  /** Digest of what decides the rendering beside the text and the parser. */
  readonly renderDigest: string
  readonly defaults: DocumentDefaults
  readonly articleUrl: (link: { readonly slug: string; readonly language: string }) => string
  readonly inlineUnderBytes: number
}

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
  /** Digests of the images that articles use, by source. */
  readonly assets: ReadonlyMap<string, string>
  /** The HTML of one of `articles`, without marker. */
  readonly readHtml: (article: Document) => string
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
  const problems: PlacedProblem[] = []
  const documents = buildDocuments(compiled, options.defaults, problems)
  const rejected = rejectedSources(compiled, documents)
  const all = [...documents.keys()]
  const findOriginal = createFindOriginal(all)
  const linker = createLinker(all, { ...options, cache, rejected, urlOf: urlOf(options), findOriginal })
  const { taxonomy, problems: taxonomyProblems } = loadTaxonomy(
    options,
    found,
    createRenderer(options.markdown, parser),
  )
  problems.push(...taxonomyProblems)
  problems.push(
    ...findDuplicateSlugs(all),
    ...findUnknownReferences(all, taxonomy),
    ...findWrongTranslations(all, findOriginal, rejected),
  )
  const articles = [...documents].map(([document, meta]) => {
    const linked = linker.link(document, meta)
    problems.push(...linked.problems)
    return linked.article
  })
  cache.prune(new Set(compiled.map(({ inputKey }) => inputKey)))
  const toDiagnostic = diagnosticMaker(options)
  return {
    articles,
    taxonomy,
    diagnostics: [...fallbackProblems(parser, found), ...problems]
      .map(toDiagnostic)
      .toSorted(compareDiagnostics),
    assets: linker.assets(),
    readHtml: linker.readHtml,
  }
}

function compile({ options, hashes, cache, onProgress, signal }: ContentRequest, parser: MarkdownParser) {
  return compileSources({
    contentRoot: options.contentRoot,
    hashes,
    cache,
    renderKey: digestParts([options.renderDigest, parser.kind]),
    openPool: (files) => createCompilePool(options.markdown, parser, files),
    onProgress,
    signal,
  })
}

function buildDocuments(
  compiled: readonly CompiledArticle[],
  defaults: DocumentDefaults,
  problems: PlacedProblem[],
): Map<Document, CompiledMeta> {
  const documents = new Map<Document, CompiledMeta>()
  for (const { source, sourceHash, inputKey, meta } of compiled) {
    problems.push(...meta.problems.map((problem) => ({ source, problem })))
    if (!hasFrontmatter(meta)) continue
    const built = buildDocument(source, { sourceHash, inputKey }, meta, defaults)
    if (built.kind === 'document') documents.set(built.document, meta)
    else problems.push(...built.problems.map((problem) => ({ source, problem })))
  }
  return documents
}

function rejectedSources(
  compiled: readonly CompiledArticle[],
  documents: ReadonlyMap<Document, CompiledMeta>,
): string[] {
  const accepted = new Set([...documents.keys()].map(({ source }) => source))
  return compiled.flatMap(({ source }) => (accepted.has(source) ? [] : [source]))
}

function hasFrontmatter(meta: CompiledMeta): meta is CompiledMeta & { frontmatter: Frontmatter } {
  return meta.frontmatter !== undefined
}

function urlOf({ articleUrl, defaults }: ContentOptions) {
  return ({ slug, language }: Document) => articleUrl({ slug, language: language ?? defaults.language })
}

function fallbackProblems(parser: MarkdownParser, { articles }: FoundSources): PlacedProblem[] {
  const [first] = articles
  if (parser.fallback === undefined || first === undefined) return []
  const problem: Problem = {
    code: 'parser-fallback',
    message: `The native Markdown parser cannot run here (${parser.fallback}); remark-parse is used.`,
    hint: "Install @bruits/satteri-wasm32-wasi for the same output, or set markdown.parser to 'remark' everywhere.",
    line: 1,
    column: 1,
  }
  return [{ source: first.source, problem }]
}

/** Turns problems of files under the content root into diagnostics of the project. */
export function diagnosticMaker({ root, contentRoot }: Pick<ContentOptions, 'root' | 'contentRoot'>) {
  const prefix = relative(root, contentRoot).split(sep).join('/')
  return ({ source, problem }: PlacedProblem): Diagnostic => ({
    code: problem.code,
    severity: DIAGNOSTICS[problem.code].severity,
    file: prefix === '' ? source : `${prefix}/${source}`,
    line: problem.line,
    column: problem.column,
    message: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  })
}
