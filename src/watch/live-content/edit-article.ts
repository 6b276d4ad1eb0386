import { isDeepStrictEqual } from 'node:util'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import {
  type ArticleCompiler,
  buildEdited,
  dependsOnItself,
  listEditedDiagnostics,
  readEdited,
} from '../../content/pipeline/compile-edit.ts'
import { type LoadedContent, readExternalLinks } from '../../content/pipeline/load-content.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import type { FileStamp } from '../../content/source/find-sources.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { sortedRange } from '../../core/sorted-lists.ts'
import { diagnosticsOf, replaceOwn, OF_ALL_ARTICLES } from '../../content/pipeline/own-diagnostics.ts'
import { linkAndRecord, type LinkRecord, mergeUsed } from './dependency-tracker.ts'
import type { KnownContent, LiveState } from './load-cache.ts'
import type { CompiledArticle } from '../../content/markdown/rendered-body.ts'
import { createFileNamer } from '../../content/pipeline/make-diagnostics.ts'
import { assignmentText } from '../../content/frontmatter/build-document.ts'

export interface EditTools {
  readonly options: ContentOptions
  readonly cache: RenderCache
  /** Stores the digest of a file that was read for the edit. @param stamp taken before */
  readonly noteHash: (stamp: FileStamp, hash: string) => void
  readonly editing: ArticleCompiler
}

/** An article whose text was edited without an effect on other articles. */
export interface EditedArticle {
  readonly article: LocalArticle
  /** All problems of this file, including those of its links, but excluding those of rules over all articles. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Applies an edit of one article: reads and compiles the file, builds the document, links and checks it. Returns undefined
 * if the edit may affect others.
 */
export function editArticle(
  source: string,
  state: LiveState,
  tools: EditTools,
): { readonly state: LiveState; readonly edited: EditedArticle } | undefined {
  const { known, faulty, included } = state
  const { options, cache, editing } = tools
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
  const taken = linkEdit(document, read.article, recordBefore, known, options)
  if (taken === undefined) return undefined
  tools.noteHash(read.stamp, document.sourceHash)
  state.files.set(source, document.sourceHash)
  const content = applyEdit(read.article, taken, file, known, cache)
  return {
    state: { ...state, known: { ...known, content } },
    edited: { article: taken.record.result.article, diagnostics: taken.diagnostics },
  }
}

/** Replaces the article in the maps and the linker of `known`, in place, and returns the content with it. */
function applyEdit(
  compiled: CompiledArticle,
  { record, diagnostics }: NonNullable<ReturnType<typeof linkEdit>>,
  file: string,
  known: KnownContent,
  cache: RenderCache,
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
    diagnostics: replaceOwn(content.diagnostics, file, diagnostics),
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
  compiled: CompiledArticle,
  before: LinkRecord,
  { linker, tracked }: KnownContent,
  options: ContentOptions,
) {
  const record = linkAndRecord(document, compiled.meta, {
    linker,
    tracker: tracked.tracker,
    results: tracked.results,
  })
  const diagnostics = listEditedDiagnostics(record, record.result, options)
  const isSettled = diagnostics !== undefined && record.anchorsDigest === before.anchorsDigest
  return isSettled ? { record, diagnostics } : undefined
}

/** True if links to it give the same problems: one of a published article to a draft contains its title. */
function looksAsBefore(now: Document, before: Document): boolean {
  return now.status === before.status && (now.status === 'published' || now.title === before.title)
}
