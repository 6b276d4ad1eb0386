// The part of the content that a run stores, so that a later run can read a few edited articles without loading all.
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import { isReported, type RuleCode } from '../../core/model/diagnostic-codes.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { fitsUse } from '../assets/asset-types.ts'
import {
  assignmentText,
  type CategoryAssignment,
  type DocumentDefaults,
} from '../frontmatter/build-document.ts'
import { createLinker, type LinkedDocument, type Linker } from '../links/link-documents.ts'
import type { CompiledMeta } from '../markdown/rendered-body.ts'
import type { AssignedArticles } from '../preset/assign-categories.ts'
import type { FolderPage } from '../preset/folder-categories.ts'
import { createLinkNotes, type LinkNotes } from '../links/link-notes.ts'
import type { FileStamp, FoundSources } from '../source/find-sources.ts'
import type { ArticleRows, IndexedArticle } from './article-rows.ts'
import { buildCompiled } from './build-corpus.ts'
import { createKeptFinder, type FindKept } from './compile-sources.ts'
import type { ContentOptions } from './content-options.ts'
import {
  type ArticleCompiler,
  buildEdited,
  dependsOnItself,
  listEditedDiagnostics,
  readEdited,
} from './compile-edit.ts'
import type { CacheEntry, RenderCache } from './render-cache.ts'
import type { KnownDocuments } from '../links/link-context.ts'

/** Content without errors, as plain data. */
export interface ArticleIndex {
  /** The articles whose names are not in Unicode NFC: name in NFC, and source. */
  readonly forms: readonly (readonly [string, string])[]
  /** Sources of files that set their own path, with that path. */
  readonly routes: readonly (readonly [string, string])[]
  /** The distinct category assignments derived from file locations; undefined without a preset. */
  readonly assigned: readonly CategoryAssignment[] | undefined
  /** Sources of pages that are not articles. */
  readonly pages: readonly string[]
  readonly folderPages: readonly FolderPage[] | undefined
  readonly taxonomy: LocalTaxonomy
  /** Sources of the articles that descriptions of categories and tags link to. */
  readonly described: readonly string[]
  /** Sources of files that articles include. */
  readonly included: readonly string[]
}

/** An article whose text was edited, or one with an affected link to it. */
export interface IndexedEdit {
  readonly article: LocalArticle
  readonly linksTo: readonly string[]
  /** Excludes those of rules over all articles. */
  readonly diagnostics: readonly Diagnostic[]
  readonly diagnosticsBefore: readonly Diagnostic[]
  readonly statusBefore: Document['status']
  /** Taken before the file was read; undefined if the article itself was not edited. */
  readonly stamp: FileStamp | undefined
}

export interface IndexedContent {
  readonly edits: readonly IndexedEdit[]
  /** The originals of those articles that are translations. */
  readonly originals: readonly LocalArticle[]
  readonly readHtml: Linker['readHtml']
}

interface IndexedRequest {
  readonly options: ContentOptions
  readonly found: FoundSources
  readonly rows: ArticleRows
  /** Sources of files other than articles that are used, or would be if they existed. */
  readonly assets: ReadonlySet<string>
  readonly cache: RenderCache
  readonly compiler: ArticleCompiler
}

/** Above this number of articles with links to an edited one, it is faster to load everything. */
const MOST_AFFECTED = 200

/**
 * Reads edited articles, and those that link to them if their headings, title or status have changed. Returns undefined
 * if an edit may affect anything else, or if the cache lacks something: then the whole content must be loaded.
 */
export function readIndexed(
  sources: readonly string[],
  index: ArticleIndex,
  request: IndexedRequest,
): IndexedContent | undefined {
  try {
    return new IndexedReader(index, request).read(sources)
  } catch (error) {
    // A row of a damaged index may not be JSON.
    if (error instanceof NotCached || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Thrown if an article of the index is not in the render cache. */
class NotCached extends Error {}

interface Known {
  readonly document: Document
  readonly meta: CompiledMeta
}

interface Linked {
  readonly linked: LinkedDocument
  readonly notes: LinkNotes
}

interface Edited extends Known {
  readonly before: Known
  readonly linkedBefore: Linked
  readonly entry: CacheEntry
  readonly stamp: FileStamp
}

class IndexedReader {
  readonly #index: ArticleIndex
  readonly #request: IndexedRequest
  readonly #forms: ReadonlyMap<string, string>
  readonly #defaults: DocumentDefaults
  readonly #findKept: FindKept
  readonly #linker: Linker

  constructor(index: ArticleIndex, request: IndexedRequest) {
    const { options, found, cache, compiler } = request
    this.#index = index
    this.#request = request
    this.#forms = new Map(index.forms)
    this.#defaults = this.#defaultsFrom(options)
    this.#findKept = createKeptFinder({ ...options, cache, renderKey: compiler.renderKey })
    this.#linker = createLinker(
      this.#readOnDemand(),
      {
        ...index,
        rejected: [],
        routes: new Map(index.routes),
        findOriginal: ({ source }) => this.#originalOf(source),
      },
      { options, found, cache },
    )
  }

  read(sources: readonly string[]): IndexedContent | undefined {
    const edited = sources.map((source) => this.#readEdited(source))
    if (!edited.every((each) => each !== undefined)) return undefined
    const affected = this.#affectedBy(edited)
    if (affected === undefined) return undefined
    const linkedBefore = affected.map((known) => this.#link(known))
    const usedBefore = new Set([...this.#request.assets, ...this.#usedFiles()])
    this.#request.cache.store(edited.map(({ entry }) => entry))
    for (const { document } of edited) this.#linker.renew(document)
    const edits = edited.map((each) => this.#checkEdit(each))
    const others = affected.map((known, at) => this.#relink(known, linkedBefore[at]))
    if (!edits.every((each) => each !== undefined) || !others.every((each) => each !== undefined))
      return undefined
    // A run that uses other files must also watch them.
    if (this.#usedFiles().some((source) => !usedBefore.has(source))) return undefined
    const originals = edits.flatMap(({ article: { source } }) => this.#originalOf(source) ?? [])
    return {
      edits: [...edits, ...others.flat()],
      originals: originals.map((document) => this.#link(this.#knownOf(document)).linked.article),
      readHtml: this.#linker.readHtml,
    }
  }

  #defaultsFrom({ defaults }: ContentOptions): DocumentDefaults {
    const { assigned } = this.#index
    if (assigned === undefined) return defaults
    return {
      ...defaults,
      placed: (source) => {
        const values = assigned[this.#rowOf(source)?.assigned ?? -1]
        if (values === undefined) throw new NotCached()
        return values
      },
    }
  }

  /** Creates documents that are read from the cache when a link leads to them. */
  #readOnDemand(): KnownDocuments {
    const documents = new Map<string, Document>()
    const { rows } = this.#request
    return {
      get: (place) => {
        const row = documents.has(place) ? undefined : this.#rowOf(place)
        if (row !== undefined) documents.set(place, this.#known(row).document)
        return documents.get(place)
      },
      has: (place) => this.#rowOf(place) !== undefined,
      keys: () => rows.all().map(({ source }) => source.normalize('NFC')),
      values: () => rows.all(),
      set: (place, document) => documents.set(place, document),
    }
  }

  #usedFiles(): string[] {
    return [...this.#linker.assets().map(({ source }) => source), ...this.#linker.unusableAssets()]
  }

  #rowOf(source: string): IndexedArticle | undefined {
    const place = source.normalize('NFC')
    return this.#request.rows.get(this.#forms.get(place) ?? place)
  }

  #originalOf(source: string): Document | undefined {
    const original = this.#rowOf(source)?.original
    const row = original === undefined ? undefined : this.#rowOf(original)
    return row && this.#known(row).document
  }

  #knownOf({ source }: Pick<Document, 'source'>): Known {
    const row = this.#rowOf(source)
    if (row === undefined) throw new NotCached()
    return this.#known(row)
  }

  /** Returns an article as it was when the index was created. */
  #known({ source, hash }: IndexedArticle): Known {
    const kept = this.#findKept(source, hash)
    const built = kept && buildCompiled(kept, this.#defaults)
    if (kept === undefined || built?.kind !== 'document') throw new NotCached()
    return { document: built.document, meta: kept.meta }
  }

  #link({ document, meta }: Known): Linked {
    const notes = createLinkNotes()
    return { linked: this.#linker.link(document, meta, notes), notes }
  }

  /** Returns undefined if the slug, the categories or anything else that others depend on has changed. */
  #readEdited(source: string): Edited | undefined {
    const row = this.#rowOf(source)
    if (row === undefined || this.#index.included.includes(source)) return undefined
    // The page of a folder can be an article and describe a category.
    if (this.#request.found.taxonomy.some((file) => file.source === source)) return undefined
    const { compiler, options } = this.#request
    const before = this.#known(row)
    if (!dependsOnItself(before.meta)) return undefined
    const read = readEdited(before.document, compiler, options)
    if (read?.kind !== 'compiled') return undefined
    const { article: compiled, entry, stamp } = read
    const { taxonomy } = this.#index
    const document = buildEdited(compiled, { options, defaults: this.#defaults, taxonomy, before })
    if (document === undefined) return undefined
    const { meta } = compiled
    return { before, linkedBefore: this.#link(before), document, meta, entry, stamp }
  }

  /** Returns the other articles with links to edited ones, if these look different to them now. */
  #affectedBy(edited: readonly Edited[]): Known[] | undefined {
    const changed = new Set(edited.filter(looksDifferent).map(({ document: { source } }) => source))
    if (changed.size === 0) return []
    if (this.#index.described.some((source) => changed.has(source))) return undefined
    const own = new Set(edited.map(({ document: { source } }) => source))
    const affected = this.#request.rows.linkingTo(changed).filter(({ source }) => !own.has(source))
    return affected.length > MOST_AFFECTED ? undefined : affected.map((row) => this.#known(row))
  }

  #checkEdit(edited: Edited): IndexedEdit | undefined {
    const { before, linkedBefore, document, stamp } = edited
    const { options } = this.#request
    const now = this.#link(edited)
    if (affectsAllArticles(edited, now, options)) return undefined
    const diagnostics = listEditedDiagnostics(edited, now.linked, options)
    const diagnosticsBefore = this.#diagnosticsOf(before, linkedBefore)
    if (diagnostics === undefined || diagnosticsBefore === undefined) return undefined
    const { article, linksTo } = now.linked
    return {
      article,
      linksTo,
      diagnostics,
      diagnosticsBefore,
      statusBefore: before.document.status,
      stamp: { ...stamp, source: document.source },
    }
  }

  /** Returns nothing if it is not affected, undefined if it now has an error. */
  #relink(known: Known, before: Linked | undefined): IndexedEdit[] | undefined {
    const now = this.#link(known)
    const diagnostics = this.#diagnosticsOf(known, now)
    const diagnosticsBefore = before && this.#diagnosticsOf(known, before)
    if (diagnostics === undefined || diagnosticsBefore === undefined) return undefined
    const { article, linksTo } = now.linked
    const isSame =
      article.contentHash === before?.linked.article.contentHash &&
      JSON.stringify(diagnostics) === JSON.stringify(diagnosticsBefore)
    const { status: statusBefore } = known.document
    return isSame
      ? []
      : [{ article, linksTo, diagnostics, diagnosticsBefore, statusBefore, stamp: undefined }]
  }

  #diagnosticsOf(known: Known, { linked }: Linked): readonly Diagnostic[] | undefined {
    return listEditedDiagnostics(known, linked, this.#request.options)
  }
}

/** A link can refer to a heading, and its problems to the title of a draft. */
function looksDifferent({ before, linkedBefore, document, entry }: Edited): boolean {
  const { status, title } = before.document
  const isRenamedDraft = document.status === 'draft' && document.title !== title
  const { anchors } = JSON.parse(entry.links) as { readonly anchors: readonly string[] }
  return (
    document.status !== status ||
    isRenamedDraft ||
    anchors.join('\0') !== linkedBefore.linked.anchors.join('\0')
  )
}

/** Returns true if a rule over all articles might now have another result. */
function affectsAllArticles(
  { before: { document: before }, linkedBefore, document }: Edited,
  { notes }: Linked,
  options: ContentOptions,
): boolean {
  const isOn = (code: RuleCode) => isReported(code, options)
  const facts = ({ status, tags, positions }: Document, { named, linked }: LinkNotes) =>
    JSON.stringify([
      (isOn('tag-used-once') || isOn('tags-alike')) && tags.map((tag, at) => [tag, positions[`tags[${at}]`]]),
      isOn('article-orphaned') && [status, [...linked].toSorted(), positions['title']],
      isOn('asset-unused') && [...named].filter((source) => fitsUse(source, 'link')).toSorted(),
    ])
  return facts(document, notes) !== facts(before, linkedBefore.notes)
}

/** The result of a load, as far as an index contains it. */
interface IndexFacts {
  readonly articles: readonly LocalArticle[]
  readonly linksTo: ReadonlyMap<string, readonly string[]>
  /** The paths that files set for their own pages, by source. */
  readonly routes: ReadonlyMap<string, string>
  /** By article: the files that it includes. */
  readonly includes: ReadonlyMap<string, ReadonlyMap<string, unknown>>
  readonly pages: readonly string[]
  readonly taxonomy: LocalTaxonomy
  readonly described: readonly string[]
  readonly placed: AssignedArticles | undefined
}

export function indexArticles(facts: IndexFacts): {
  readonly content: ArticleIndex
  /** Sorted by source. */
  readonly articles: readonly IndexedArticle[]
} {
  const { articles, linksTo, routes, includes, pages, taxonomy, described, placed } = facts
  const assignments = new Map<string, number>()
  const assign = (source: string) => {
    const text = assignmentText(placed?.defaults ?? {}, source)
    const known = assignments.get(text) ?? assignments.size
    assignments.set(text, known)
    return known
  }
  const rows = articles.map(({ source, sourceHash, slug, language, aliases, original }): IndexedArticle => ({
    source,
    hash: sourceHash,
    slug,
    language,
    ...(aliases && { aliases }),
    linksTo: linksTo.get(source) ?? [],
    ...(original !== undefined && { original }),
    ...(placed !== undefined && { assigned: assign(source) }),
  }))
  const content = {
    forms: formsOf(articles),
    routes: [...routes],
    assigned: placed && Array.from(assignments.keys(), (text) => JSON.parse(text) as CategoryAssignment),
    pages,
    folderPages: placed?.folderPages,
    taxonomy,
    described,
    included: [...new Set([...includes.values()].flatMap((files) => [...files.keys()]))],
  }
  return { content, articles: rows.toSorted((a, b) => (a.source < b.source ? -1 : 1)) }
}

/** If two names look the same, the last one is used, as in a full run. */
function formsOf(articles: readonly LocalArticle[]): ArticleIndex['forms'] {
  const forms = new Map(articles.map(({ source }) => [source.normalize('NFC'), source]))
  return [...forms].filter(([form, source]) => form !== source)
}
