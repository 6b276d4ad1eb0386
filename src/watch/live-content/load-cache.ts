import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import { type DocumentDefaults, placedText } from '../../content/frontmatter/build-document.ts'
import { buildCompiled } from '../../content/pipeline/build-documents.ts'
import type { RecallCompiled } from '../../content/pipeline/compile-sources.ts'
import type { CompiledMeta } from '../../content/markdown/compiled-source.ts'
import type { ContentCache } from '../../content/pipeline/content-cache.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { hashSource } from '../../content/source/hash-sources.ts'
import type { Linker } from '../../content/links/link-documents.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { digestParts } from '../../core/digest.ts'
import type { Document } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { examineRecorded } from './link-record.ts'
import { keepDiagnostics } from './own-diagnostics.ts'
import type { BuiltArticle, KeyedDraft, KnownContent } from './known-content.ts'
import type { LinkRecord } from './link-record.ts'
import { type TrackedContext, trackContext } from './track-context.ts'
import { mergeUsed } from './link-record.ts'
import { type DocumentStatus, documentStatuses } from './track-context.ts'

export interface LoadCache extends ContentCache {
  /** What is known when the load has given `content`. */
  readonly finish: (content: LoadedContent) => KnownContent
}

export interface LoadCacheOptions {
  readonly contentRoot: string
  readonly now: () => number
  readonly defaults: DocumentDefaults
  /** Of the last load; undefined before the first. */
  readonly before: KnownContent | undefined
  /** Keys that are no longer in the render cache. */
  readonly lost: ReadonlySet<string>
}

/** The memory of one load: takes from the last one what still holds, and gathers what the next one may take from it. */
export function createLoadCache(options: LoadCacheOptions): LoadCache {
  const { contentRoot, now, lost } = options
  let { before } = options
  const compiled = new Map<string, BuiltArticle>()
  const records = new Map<string, LinkRecord>()
  const beside: UsedAsset[] = []
  let isOver = false
  let hidden: readonly LinkRecord[] = []
  let standings = new Map<string, DocumentStatus>()
  let draft: KeyedDraft | undefined
  let looking: TrackedContext | undefined
  let linker: Linker | undefined
  let used = options.defaults
  return {
    recall: createRecall(before?.compiled ?? new Map(), lost),
    build: (article, defaults) => {
      const known = before?.compiled.get(article.source)
      used = defaults
      const placed = placedText(defaults, article.source)
      const isSame = known?.article === article && known.placed === placed
      const built = isSame ? known : { article, built: buildCompiled(article, defaults), placed }
      compiled.set(article.source, built)
      return built.built
    },
    draft: async (found, read) => {
      const key = digestTaxonomyFiles(contentRoot, found)
      draft = before?.draft.key === key ? before.draft : { key, draft: await read() }
      return draft.draft
    },
    lastGood: (documents, rejected) => {
      const good = findLastGood(documents, rejected, before?.records ?? new Map(), lost)
      hidden = good.hidden
      standings = documentStatuses(documents, rejected, good.shown.keys())
      return good.shown
    },
    observe: (context) => {
      const onBeside = (asset: UsedAsset) => {
        if (!isOver) beside.push(asset)
      }
      const taxonomy = started(draft).key
      looking = trackContext(context, {
        contentRoot,
        now,
        before: before && { ...before, answers: before.looking.answers },
        standings,
        taxonomy,
        onBeside,
      })
      return looking.recorder.context
    },
    keepLinker: (made) => void (linker = made),
    examine: (document, meta, notes, examine) => {
      const { recorder, answers, isAsBefore } = started(looking)
      const known = before?.records.get(document.source)
      const record =
        known?.document === document && isAsBefore(known)
          ? known
          : examineRecorded(document, meta, { examine, recorder, answers })
      records.set(document.source, record)
      notes.noteAll(record)
      return record.examined
    },
    assets: () => mergeUsed([...[...records.values()].map(({ assets }) => assets), beside]),
    finish: (content) => {
      isOver = true
      for (const record of hidden) records.set(record.document.source, record)
      // Whoever compares by reference sees that nothing changed.
      const isSame = isDeepStrictEqual(before?.content.taxonomy, content.taxonomy)
      const taxonomy = (isSame ? before?.content.taxonomy : undefined) ?? content.taxonomy
      const diagnostics = keepDiagnostics(before?.content.diagnostics ?? [], content.diagnostics)
      before = undefined
      started(looking).forget()
      return {
        content: { ...content, taxonomy, diagnostics },
        compiled,
        records,
        standings,
        looking: started(looking),
        linker: started(linker),
        draft: started(draft),
        defaults: used,
        beside,
      }
    },
  }
}

/** What a load sets up before it asks for it. */
function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the content was not loaded in its order')
  return value
}

/** Recalls what a file compiled to, as long as its bytes and those of what it includes are the same. */
function createRecall(
  compiled: ReadonlyMap<string, BuiltArticle>,
  lost: ReadonlySet<string>,
): RecallCompiled {
  return (source, sourceHash, hashOf) => {
    const known = compiled.get(source)?.article
    if (known === undefined || known.sourceHash !== sourceHash || lost.has(known.inputKey)) return undefined
    const { includes = [] } = known.meta
    return includes.every(([included, hash]) => hashOf(included) === hash) ? known : undefined
  }
}

/** Changes whenever reading the taxonomy files anew may give something else. */
function digestTaxonomyFiles(contentRoot: string, { taxonomy }: FoundSources): string {
  return digestParts(
    taxonomy.flatMap(({ source }) => [
      source,
      // A symbolic link to the same text outside the content folder is an error.
      placeOf(join(contentRoot, source)),
      hashSource(contentRoot, source),
    ]),
  )
}

function placeOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // Gone meanwhile.
    return ''
  }
}

interface LastGood {
  readonly shown: ReadonlyMap<Document, CompiledMeta>
  /** Another article has their slug by now. */
  readonly hidden: readonly LinkRecord[]
}

/** The last good versions of `rejected` articles among what was known before. */
function findLastGood(
  documents: readonly Document[],
  rejected: readonly string[],
  before: ReadonlyMap<string, LinkRecord>,
  lost: ReadonlySet<string>,
): LastGood {
  const known = rejected
    .flatMap((source) => before.get(source) ?? [])
    .filter(({ document }) => !lost.has(document.inputKey))
  if (known.length === 0) return { shown: new Map(), hidden: [] }
  const slugs = new Set(documents.map(slugKey))
  const isHidden = ({ document }: LinkRecord) => slugs.has(slugKey(document))
  return {
    shown: new Map(known.filter((record) => !isHidden(record)).map(({ document, meta }) => [document, meta])),
    hidden: known.filter(isHidden),
  }
}
