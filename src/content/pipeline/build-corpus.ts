import type { FoundSources } from '../source/find-sources.ts'
import type { ContentOptions } from './content-options.ts'
import type { Document, Frontmatter } from '../../core/model/document.ts'
import { type DocumentDefaults, buildDocument, type BuiltDocument } from '../frontmatter/build-document.ts'
import type { NamingArticle } from '../rules/check-references.ts'
import { createFindOriginal } from '../rules/check-translations.ts'
import type { TaxonomyDraft } from '../taxonomy/load-taxonomy.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import type { AssignableArticle, AssignedArticles } from '../preset/assign-categories.ts'
import { sectionPlaceholder } from '../source/folder-files.ts'
import { yieldToEventLoop } from './compile-sources.ts'
import type { RenderCache } from './render-cache.ts'

interface BuiltDocuments {
  /** Documents with their compiled data, in the order of their sources. */
  readonly documents: ReadonlyMap<Document, CompiledMeta>
  /** Sources of articles that have errors themselves. */
  readonly faulty: readonly string[]
  /** The names in frontmatter that is invalid but readable. */
  readonly naming: readonly NamingArticle[]
}

/** Returns undefined if the frontmatter cannot be read. */
type BuildCompiled = (article: CompiledArticle, defaults: DocumentDefaults) => BuiltDocument | undefined

export const buildCompiled: BuildCompiled = ({ source, sourceHash, inputKey, meta }, defaults) =>
  sourceHash !== undefined && hasFrontmatter(meta)
    ? buildDocument(source, { sourceHash, inputKey }, meta, defaults)
    : undefined

/** Builds documents from compiled articles, and adds their problems to `problems`. */
function buildDocuments(
  compiled: readonly CompiledArticle[],
  defaults: DocumentDefaults,
  problems: SourceProblem[],
  build: BuildCompiled = buildCompiled,
): BuiltDocuments {
  const documents = new Map<Document, CompiledMeta>()
  const faulty: string[] = []
  for (const article of compiled) {
    const { source, meta } = article
    for (const problem of meta.problems) problems.push({ source, problem })
    if (meta.isArticle === false) continue
    const built = build(article, defaults)
    if (built?.kind === 'document') documents.set(built.document, meta)
    else faulty.push(source)
    if (built?.kind === 'rejected') for (const problem of built.problems) problems.push({ source, problem })
  }
  const naming = compiled.flatMap(({ source, meta: { named } }) => (named ? [{ source, ...named }] : []))
  return { documents, faulty, naming }
}

function hasFrontmatter(meta: CompiledMeta): meta is CompiledMeta & { frontmatter: Frontmatter } {
  return meta.frontmatter !== undefined
}

/** The cache of the last load, for building documents. */
export interface CorpusCache {
  /** Returns the categories of the last load if the files still result in the same ones, else those of `assign`. */
  readonly assigned: (
    articles: readonly AssignableArticle[],
    found: FoundSources,
    assign: () => AssignedArticles,
  ) => AssignedArticles
  readonly build: BuildCompiled
  /** Returns the last valid versions of `rejected` articles; `documents` are the accepted ones. */
  readonly lastGood: (
    documents: readonly Document[],
    rejected: readonly string[],
  ) => ReadonlyMap<Document, CompiledMeta>
}

export interface CorpusRequest {
  readonly options: ContentOptions
  readonly found: FoundSources
  readonly memory?: CorpusCache | undefined
  /** Returns the last sent versions of articles, by source. Only called without memory and if articles have errors. */
  readonly readSent?: (() => ReadonlyMap<string, SentVersion>) | undefined
  /** Articles, by source, to which links lead at another slug or language than in their files. */
  readonly addresses?: ReadonlyMap<string, SentPlace> | undefined
}

/** The parts of the last sent version that other articles depend on. */
export type SentVersion = Pick<Document, 'key' | 'slug' | 'language' | 'title'>

/** The parts of it that determine its URL. */
type SentPlace = Pick<SentVersion, 'slug' | 'language'>

/** The content of the files, each read by itself. */
export interface Corpus extends Pick<BuiltDocuments, 'documents' | 'naming'> {
  readonly compiled: readonly CompiledArticle[]
  readonly all: readonly Document[]
  /** Sources of articles that have errors themselves. */
  readonly rejected: readonly string[]
  readonly lastGood: ReadonlyMap<Document, CompiledMeta>
  /** Sources of pages that are not articles. */
  readonly pages: readonly string[]
  readonly findOriginal: ReturnType<typeof createFindOriginal>
  readonly problems: readonly SourceProblem[]
}

export function buildCorpus(
  compiled: readonly CompiledArticle[],
  placed: AssignedArticles | undefined,
  { options, found, memory, readSent }: CorpusRequest,
): Corpus {
  const isSection = ({ source }: CompiledArticle) => placed?.descriptions.has(source) === true
  const problems = compiled.filter(isSection).flatMap(({ source, meta }) => problemsOfSection(source, meta))
  const { documents, faulty, naming } = buildDocuments(
    compiled.filter((article) => !isSection(article)),
    placed?.defaults ?? options.defaults,
    problems,
    memory?.build,
  )
  const all = [...documents.keys()]
  const rejected = [...faulty, ...found.unread.map(({ source }) => source)]
  return {
    compiled,
    documents,
    naming,
    all,
    rejected,
    lastGood: memory?.lastGood(all, rejected) ?? standIns(compiled, rejected, readSent),
    pages: compiled
      .filter((article) => article.meta.isArticle === false || isSection(article))
      .map(({ source }) => source),
    findOriginal: createFindOriginal(all),
    problems,
  }
}

/** Creates placeholders for articles with errors that were sent before, so that links to them stay the same. */
function standIns(
  compiled: readonly CompiledArticle[],
  rejected: readonly string[],
  readSent: CorpusRequest['readSent'],
): Corpus['lastGood'] {
  if (readSent === undefined || rejected.length === 0) return new Map()
  const sent = readSent()
  const faulty = new Set(rejected)
  return new Map(
    compiled.flatMap(({ source, sourceHash, inputKey, meta }) => {
      const version = faulty.has(source) ? sent.get(source) : undefined
      if (version === undefined || sourceHash === undefined) return []
      return [[placeholderOf({ ...version, source, sourceHash, inputKey }), meta] as const]
    }),
  )
}

/** Creates a placeholder that represents an article with errors in lookups and is never sent. */
export function placeholderOf(
  known: SentVersion & Pick<Document, 'source' | 'sourceHash' | 'inputKey'>,
): Document {
  return {
    ...known,
    categories: [],
    tags: [],
    excerpt: '',
    status: 'published',
    review: { kind: 'never' },
    translationOf: undefined,
    order: 0,
    hideFromSearch: false,
    seoBannerUrl: '',
    positions: {},
  }
}

/** Returns undefined without a preset: then only frontmatter assigns categories. */
export async function assignByTool(
  compiled: readonly CompiledArticle[],
  { options, found, memory, signal }: CorpusRequest & { readonly signal?: AbortSignal | undefined },
) {
  const { contentRoot, preset, defaults, markdown, describesCategories = true, toolSite } = options
  if (preset === undefined || markdown.frontmatter === undefined) return undefined
  const { assignCategories } = await import('../preset/assign-categories.ts')
  const mapping = markdown.frontmatter
  const { navigation } = toolSite ?? {}
  const settings = { contentRoot, mapping, preset, defaults, describesCategories, navigation }
  const assign = () => assignCategories(compiled, found, settings)
  // Whether a page of the navigation exists can change without an article.
  const assigned = navigation === undefined ? memory?.assigned(compiled, found, assign) : undefined
  const result = assigned ?? assign()
  await yieldToEventLoop(signal)
  return result
}

/** Adds the assigned categories. Files in our own format need none. */
export function withAssigned(
  draft: TaxonomyDraft,
  placed: AssignedArticles,
  compiled: readonly CompiledArticle[],
  cache: RenderCache,
): TaxonomyDraft {
  const { categories = placed.taxonomy.categories, tags = placed.taxonomy.tags } = draft.taxonomy
  const descriptions = new Map(draft.descriptions)
  for (const { source, inputKey } of compiled) {
    const language = placed.descriptions.get(source)
    if (language === undefined) continue
    const body = { html: cache.readHtml(inputKey), slots: cache.readLinks(inputKey).slots }
    const origin = { source, language: language ?? undefined }
    descriptions.set(sectionPlaceholder(source), { origin, place: undefined, body })
  }
  return { ...draft, taxonomy: { categories, tags }, descriptions }
}

/** Returns the problems of the page of a section, which has no excerpt. */
function problemsOfSection(source: string, { problems }: CompiledMeta): SourceProblem[] {
  return problems.flatMap((problem) => (problem.code.startsWith('excerpt-') ? [] : [{ source, problem }]))
}
