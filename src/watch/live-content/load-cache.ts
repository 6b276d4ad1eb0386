import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import {
  type DocumentDefaults,
  assignmentText,
  type BuiltDocument,
} from '../../content/frontmatter/build-document.ts'
import { lacksIncludes, type FindCompiled } from '../../content/pipeline/compile-sources.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { hashSource } from '../../content/source/hash-sources.ts'
import type { Linker } from '../../content/links/link-documents.ts'
import type { LoadedContent, ContentCache } from '../../content/pipeline/load-content.ts'
import { realPathIfThere } from '../../core/paths.ts'
import { digestParts } from '../../core/digest.ts'
import type { Document } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { linkAndRecord, type LinkRecord, mergeUsed } from './dependency-tracker.ts'
import { keepDiagnostics } from '../../content/pipeline/own-diagnostics.ts'
import { type TrackedContext, trackContext, type DocumentStatus, documentStatuses } from './track-context.ts'
import type { CompiledArticle } from '../../content/markdown/rendered-body.ts'
import type { AssignableArticle, AssignedArticles } from '../../content/preset/assign-categories.ts'
import { buildCompiled } from '../../content/pipeline/build-corpus.ts'
import type { TaxonomyDraft } from '../../content/taxonomy/load-taxonomy.ts'

/** The result of the last load, with the edits since then. */
export interface KnownContent {
  readonly content: LoadedContent
  /** By source, in the order of the sources. */
  readonly compiled: Map<string, BuiltArticle>
  /** By source. For faulty articles, the records of their last valid versions, including those that are hidden. */
  readonly records: Map<string, LinkRecord>
  readonly statuses: Map<string, DocumentStatus>
  readonly tracked: TrackedContext
  readonly linker: Linker
  readonly draft: KeyedDraft
  /** Undefined without a preset. */
  readonly assigned: KnownAssignment | undefined
  /** Includes the defaults derived from the locations of files. */
  readonly defaults: DocumentDefaults
  /** Files that are used outside of articles. */
  readonly beside: readonly UsedAsset[]
}

/** The taxonomy files as read, and the digest of their contents. */
interface KeyedDraft {
  readonly key: string
  readonly draft: TaxonomyDraft
}

/** The result of `assignCategories` with a key of its input, which a change of texts does not affect. */
interface KnownAssignment {
  readonly key: string
  readonly articles: readonly AssignableArticle[]
  readonly result: AssignedArticles
}

/** A compiled article and the document built from it. */
interface BuiltArticle {
  readonly article: CompiledArticle
  readonly built: BuiltDocument | undefined
  /** The values derived from its location, as text; '' if there are none. */
  readonly placed: string
}

/** The state between two calls. */
export interface LiveState {
  readonly known: KnownContent
  /** Digest of each content file, by source. */
  readonly files: Map<string, string | undefined>
  readonly faulty: ReadonlySet<string>
  readonly blocked: ReadonlySet<string>
  /** Sources of files that are included in articles. */
  readonly included: ReadonlySet<string>
}

interface LoadCacheOptions {
  readonly contentRoot: string
  readonly now: () => number
  readonly defaults: DocumentDefaults
  /** Result of the last load; undefined before the first one. */
  readonly before: KnownContent | undefined
  /** Keys that are no longer in the render cache. */
  readonly lost: ReadonlySet<string>
}

/** The cache of one load. Reuses results of the last load that are still valid, and collects those of this load. */
export class LoadCache implements ContentCache {
  readonly #options: Omit<LoadCacheOptions, 'before'>
  readonly #compiled = new Map<string, BuiltArticle>()
  readonly #records = new Map<string, LinkRecord>()
  readonly #beside: UsedAsset[] = []
  readonly recall: FindCompiled
  #before: KnownContent | undefined
  #isOver = false
  #hidden: readonly LinkRecord[] = []
  #statuses = new Map<string, DocumentStatus>()
  #taxonomyKey: string | undefined
  #assigned: KnownAssignment | undefined
  #draft: KeyedDraft | undefined
  #tracked: TrackedContext | undefined
  #linker: Linker | undefined
  #used: DocumentDefaults

  constructor({ before, ...options }: LoadCacheOptions) {
    this.#options = options
    this.#before = before
    this.#used = options.defaults
    this.recall = createRecall(before?.compiled ?? new Map(), options.lost)
  }

  readonly assigned: ContentCache['assigned'] = (articles, found, assign) => {
    const key = this.#keyOfTaxonomy(found)
    const known = this.#before?.assigned
    const isSame = known?.key === key && areAssignedAlike(known.articles, articles)
    const result = isSame ? known.result : assign()
    this.#assigned = { key, articles, result }
    return result
  }

  readonly build: ContentCache['build'] = (article, defaults) => {
    const before = this.#before
    const known = before?.compiled.get(article.source)
    this.#used = defaults
    const isPlaced = known !== undefined && defaults === before?.defaults
    const placed = isPlaced ? known.placed : assignmentText(defaults, article.source)
    const isSame = known?.article === article && known.placed === placed
    const built = isSame ? known : { article, built: buildCompiled(article, defaults), placed }
    this.#compiled.set(article.source, built)
    return built.built
  }

  readonly draft: ContentCache['draft'] = async (found, read) => {
    const key = this.#keyOfTaxonomy(found)
    const known = this.#before?.draft
    const keyed = known?.key === key ? known : { key, draft: await read() }
    this.#draft = keyed
    return keyed.draft
  }

  readonly lastGood: ContentCache['lastGood'] = (documents, rejected) => {
    const records = this.#before?.records ?? new Map<string, LinkRecord>()
    const good = findLastGood(documents, rejected, records, this.#options.lost)
    this.#hidden = good.hidden
    this.#statuses = documentStatuses(documents, rejected, good.shown.keys())
    return good.shown
  }

  readonly observe: ContentCache['observe'] = (context) => {
    const { contentRoot, now } = this.#options
    const before = this.#before
    this.#tracked = trackContext(context, {
      contentRoot,
      now,
      before: before && { ...before, results: before.tracked.results },
      statuses: this.#statuses,
      taxonomy: started(this.#draft).key,
      onBeside: (asset) => {
        if (!this.#isOver) this.#beside.push(asset)
      },
    })
    return this.#tracked.context
  }

  readonly keepLinker: ContentCache['keepLinker'] = (linker) => {
    this.#linker = linker
  }

  readonly link: ContentCache['link'] = (document, meta, notes) => {
    const { tracker, results, isAsBefore } = started(this.#tracked)
    const known = this.#before?.records.get(document.source)
    const isSame = known?.document === document && isAsBefore(known)
    const record = isSame
      ? known
      : linkAndRecord(document, meta, { linker: started(this.#linker), tracker, results })
    this.#records.set(document.source, record)
    notes.noteAll(record)
    return record.result
  }

  readonly assets: ContentCache['assets'] = () =>
    mergeUsed([...[...this.#records.values()].map(({ assets }) => assets), this.#beside])

  /** Computed before anything is read, so that a file that changes later is read again in the next load. */
  #keyOfTaxonomy(found: FoundSources): string {
    return (this.#taxonomyKey ??= digestTaxonomyFiles(this.#options.contentRoot, found))
  }

  /** Returns the known content after the load that resulted in `content`. */
  finish(content: LoadedContent): KnownContent {
    this.#isOver = true
    for (const record of this.#hidden) this.#records.set(record.document.source, record)
    const before = this.#before?.content
    // Other code compares by reference to see that nothing changed.
    const isSame = isDeepStrictEqual(before?.taxonomy, content.taxonomy)
    const taxonomy = (isSame ? before?.taxonomy : undefined) ?? content.taxonomy
    const diagnostics = keepDiagnostics(before?.diagnostics ?? [], content.diagnostics)
    this.#before = undefined
    started(this.#tracked).forget()
    return {
      content: { ...content, taxonomy, diagnostics },
      compiled: this.#compiled,
      records: this.#records,
      statuses: this.#statuses,
      tracked: started(this.#tracked),
      linker: started(this.#linker),
      draft: started(this.#draft),
      assigned: this.#assigned,
      defaults: this.#used,
      beside: this.#beside,
    }
  }
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the content was not loaded in order')
  return value
}

function areAssignedAlike(before: readonly AssignableArticle[], now: readonly AssignableArticle[]): boolean {
  return (
    before.length === now.length &&
    before.every((article, index) => {
      const other = now[index]
      return article === other || (other !== undefined && isDeepStrictEqual(inputOf(article), inputOf(other)))
    })
  )
}

function inputOf({ source, meta }: AssignableArticle): unknown {
  const { frontmatter, isArticle, isSection, navigationName, translationKey } = meta
  return [source, frontmatter, isArticle, isSection, navigationName, translationKey]
}

/** Returns the compiled file of the last load if its bytes and those of its includes are unchanged. */
function createRecall(compiled: ReadonlyMap<string, BuiltArticle>, lost: ReadonlySet<string>): FindCompiled {
  return (source, sourceHash, hashOf) => {
    const known = compiled.get(source)?.article
    if (known === undefined || known.sourceHash !== sourceHash || lost.has(known.inputKey)) return undefined
    const { includes = [] } = known.meta
    return !lacksIncludes(known.meta) && includes.every(([included, hash]) => hashOf(included) === hash)
      ? known
      : undefined
  }
}

/** Computes a digest that changes whenever reading the taxonomy files again may give another result. */
function digestTaxonomyFiles(contentRoot: string, { taxonomy }: FoundSources): string {
  return digestParts(
    taxonomy.flatMap(({ source }) => [
      source,
      // A symbolic link to the same text outside the content folder is an error.
      realPathIfThere(join(contentRoot, source)) ?? '',
      hashSource(contentRoot, source) ?? '',
    ]),
  )
}

/** Finds the last valid versions of `rejected` articles in the previous content. */
function findLastGood(
  documents: readonly Document[],
  rejected: readonly string[],
  before: ReadonlyMap<string, LinkRecord>,
  lost: ReadonlySet<string>,
) {
  const known = rejected
    .flatMap((source) => before.get(source) ?? [])
    .filter(({ document }) => !lost.has(document.inputKey))
  if (known.length === 0) return { shown: new Map(), hidden: [] }
  const slugs = new Set(documents.map(slugKey))
  const isHidden = ({ document }: LinkRecord) => slugs.has(slugKey(document))
  return {
    shown: new Map(known.filter((record) => !isHidden(record)).map(({ document, meta }) => [document, meta])),
    /** Documents whose slug another article now has. */
    hidden: known.filter(isHidden),
  }
}
