import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import {
  type ArticleCompiler,
  loadArticleCompiler,
  buildEdited,
  dependsOnItself,
  listEditedDiagnostics,
  readEdited,
} from '../../content/pipeline/compile-edit.ts'
import { type LoadedContent, readExternalLinks } from '../../content/pipeline/load-content.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { sortedRange } from '../../core/sorted-lists.ts'
import { diagnosticsOf, replaceOwn, OF_ALL_ARTICLES } from '../../content/pipeline/own-diagnostics.ts'
import { linkAndRecord, mergeUsed } from './dependency-tracker.ts'
import type { KnownContent, LiveState } from './load-cache.ts'
import type { CompiledArticle } from '../../content/markdown/rendered-body.ts'
import { createFileNamer } from '../../content/pipeline/make-diagnostics.ts'
import { assignmentText } from '../../content/frontmatter/build-document.ts'
import { createStampedHashes, type LiveContentOptions, scanFiles } from './scan-files.ts'
import type { FileDigests } from '../../content/source/hash-sources.ts'

/**
 * The content of a project that is being edited. A file with an error is represented by its last valid version in
 * `content.articles`, so that links to it stay valid.
 */
export interface LiveContent {
  /** The content as of the last scan, with later edits. Undefined before the first scan. */
  readonly current: () => LoadedContent | undefined
  /**
   * Scans all files and loads those that changed. The result equals a full load, except for last valid versions.
   *
   * @returns `touched`: articles, snippets, images and taxonomy files that were added, changed or removed since
   * @throws KbError CONTENT_UNREADABLE, WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
   */
  readonly refresh: (options?: {
    readonly signal?: AbortSignal | undefined
  }) => Promise<{ readonly content: LoadedContent; readonly touched: readonly string[] }>
  /**
   * Applies the new text of one article. Undefined if others may be affected (a new slug, heading or include, an error,
   * an added or removed file …): then a refresh is necessary.
   */
  readonly edit: (source: string) => Promise<EditedArticle | undefined>
  /** Keeps all rendered texts of an older `current` for a run, until the returned function is called. */
  readonly pin: () => () => void
  /** Sources of files with an error, which are represented by their last valid version, or not at all. */
  readonly faulty: () => ReadonlySet<string>
  /**
   * Sources of articles without an error that link to or translate a faulty file without a last valid version: the
   * targets of these links are unknown.
   */
  readonly blocked: () => ReadonlySet<string>
  readonly close: () => void
}

/** An article whose text was edited without an effect on other articles. */
export interface EditedArticle {
  readonly article: LocalArticle
  /** All problems of this file, including those of its links, but excluding those of rules over all articles. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Number of edits without a scan after which the templates of outdated texts are removed. */
const EDITS_PER_PRUNE = 500

/** Creates the content. Opens nothing before the first scan. Concurrent calls are queued. */
export function createLiveContent(live: LiveContentOptions): LiveContent {
  const { options, now } = live
  const inTurn = pLimit(1)
  const hashes = createStampedHashes(options.contentRoot, now)
  let cache: RenderCache | undefined
  let state: LiveState | undefined
  let editing: ArticleCompiler | undefined
  let edits = 0
  let pins = 0
  /** Keys that the cache has lost since the last complete scan. */
  let lost: ReadonlySet<string> = new Set()

  function openCache(): RenderCache {
    const opened = live.openCache()
    return { ...opened, prune: (used) => void (pins === 0 && opened.prune(used)) }
  }

  async function edit(source: string): Promise<EditedArticle | undefined> {
    if (state === undefined || cache === undefined) return undefined
    editing ??= await loadArticleCompiler(live.options)
    const edited = editArticle(source, state, { options, cache, hashes, editing })
    if (edited === undefined) return undefined
    state = edited.state
    if (++edits % EDITS_PER_PRUNE === 0) cache.prune(keysOf(state))
    return edited.edited
  }

  return {
    current: () => state?.known.content,
    refresh: ({ signal } = {}) =>
      inTurn(async () => {
        cache ??= openCache()
        const before = state?.files ?? new Map<string, undefined>()
        lost = new Set([...lost, ...cache.findLost(keysOf(state))])
        state = await scanFiles(state, { ...live, cache, hashes, lost, signal })
        lost = new Set()
        return { content: state.known.content, touched: changedFileSources(before, state.files) }
      }),
    pin: () => {
      pins++
      return () => void pins--
    },
    edit: (source) => inTurn(() => edit(source)),
    faulty: () => state?.faulty ?? new Set(),
    blocked: () => state?.blocked ?? new Set(),
    // Waits, because a running call still reads the cache.
    close: () => void inTurn(() => cache?.close()),
  }
}

/** Returns the keys of the render cache that are in use. */
function keysOf(state: LiveState | undefined): Set<string> {
  if (state === undefined) return new Set()
  const { compiled, records } = state.known
  return new Set([
    ...[...compiled.values()].map(({ article }) => article.inputKey),
    ...[...records.values()].map(({ document }) => document.inputKey),
  ])
}

/** Returns the sources of files that were added, changed or removed. */
function changedFileSources(before: FileDigests, now: FileDigests): string[] {
  const other = [...now].filter(([source, digest]) => !before.has(source) || before.get(source) !== digest)
  const gone = [...before.keys()].filter((source) => !now.has(source))
  return [...other.map(([source]) => source), ...gone].toSorted()
}

interface EditTools extends Pick<LiveContentOptions, 'options'> {
  readonly cache: RenderCache
  readonly hashes: Pick<ReturnType<typeof createStampedHashes>, 'note'>
  readonly editing: ArticleCompiler
}

/**
 * Applies an edit of one article: reads and compiles the file, builds the document, links and checks it. Returns undefined
 * if the edit may affect others.
 */
function editArticle(source: string, state: LiveState, { options, cache, hashes, editing }: EditTools) {
  const { known, faulty, included } = state
  const file = createFileNamer(options)(source)
  const compiledBefore = known.compiled.get(source)?.article
  const recordBefore = known.records.get(source)
  if (compiledBefore === undefined || recordBefore === undefined) return undefined
  const own = diagnosticsOf(known.content.diagnostics, file)
  const isPlain =
    !faulty.has(source) &&
    !included.has(source) &&
    dependsOnItself(compiledBefore.meta) &&
    own.every(({ severity }) => severity !== 'error')
  if (!isPlain) return undefined
  const read = readEdited(compiledBefore, editing, options)
  if (read === undefined) return undefined
  if (read.kind === 'same') {
    const diagnostics = own.filter(({ code }) => !OF_ALL_ARTICLES.has(code))
    return { state, edited: { article: recordBefore.result.article, diagnostics } }
  }
  cache.store([read.entry])
  const document = buildEdited(read.article, {
    options,
    defaults: known.defaults,
    taxonomy: known.content.taxonomy,
    before: { document: recordBefore.document, meta: compiledBefore.meta },
  })
  if (document === undefined || !looksAsBefore(document, recordBefore.document)) return undefined
  const taken = linkEdit(document, read.article, known, options)
  if (taken === undefined) return undefined
  hashes.note(read.stamp, document.sourceHash)
  state.files.set(source, document.sourceHash)
  const content = applyEdit(read.article, taken, known, { options, cache })
  return {
    state: { ...state, known: { ...known, content } },
    edited: { article: taken.record.result.article, diagnostics: taken.diagnostics },
  }
}

/** Replaces the article in the maps and the linker of `known`, in place, and returns the content with it. */
function applyEdit(
  compiled: CompiledArticle,
  { record, diagnostics }: NonNullable<ReturnType<typeof linkEdit>>,
  known: KnownContent,
  { options, cache }: Pick<EditTools, 'options' | 'cache'>,
): LoadedContent {
  const { document, result } = record
  const { source } = document
  const assetsBefore = known.records.get(source)?.assets
  known.compiled.set(source, {
    article: compiled,
    built: { kind: 'document', document },
    placed: assignmentText(known.defaults, source),
  })
  known.records.set(source, record)
  known.statuses.set(source.normalize('NFC'), { kind: 'accepted', document })
  known.linker.renew(document)
  // Not `known` itself, because the new value would keep the previous content in memory.
  const { content, beside, draft, linker, compiled: all } = known
  const { start: at } = sortedRange(content.articles, source, (article) => article.source)
  const usesTheSame = isDeepStrictEqual(record.assets, assetsBefore)
  const articles = content.articles.with(at, result.article)
  return {
    ...content,
    articles,
    diagnostics: replaceOwn(content.diagnostics, createFileNamer(options)(source), diagnostics),
    assets: usesTheSame
      ? content.assets
      : mergeUsed([...[...known.records.values()].map(({ assets }) => assets), beside]),
    readExternalLinks: () => {
      const compiledNow = [...all.values()].map(({ article }) => article)
      return readExternalLinks(compiledNow, draft.draft, { articles, linker, cache })
    },
  }
}

/**
 * Links an edited article to the others as of the last load. Undefined if the edit may affect others, or has an error
 * that holds the article back: then the whole content must be checked.
 */
function linkEdit(
  document: Document,
  { meta }: CompiledArticle,
  { linker, records, tracked: { tracker, results } }: KnownContent,
  options: ContentOptions,
) {
  const before = records.get(document.source)?.anchorsDigest
  const record = linkAndRecord(document, meta, { linker, tracker, results })
  const diagnostics = listEditedDiagnostics(record, record.result, options)
  const isSettled = diagnostics !== undefined && record.anchorsDigest === before
  return isSettled ? { record, diagnostics } : undefined
}

/** True if links to it give the same problems: one of a published article to a draft contains its title. */
function looksAsBefore(now: Document, before: Document): boolean {
  return now.status === before.status && (now.status === 'published' || now.title === before.title)
}
