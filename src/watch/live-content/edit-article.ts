import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findUnknownReferences } from '../../content/rules/check-references.ts'
import { compileSource } from '../../content/pipeline/compile-source.ts'
import { keepCompiled, type RenderKey } from '../../content/pipeline/compile-sources.ts'
import type { ContentOptions } from '../../content/pipeline/content-options.ts'
import { type FileStamp, findFile } from '../../content/source/find-sources.ts'
import { mayHoldIncludes } from '../../content/includes/expand-includes.ts'
import { type LoadedContent, readExternalLinks } from '../../content/pipeline/load-content.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { readBytes } from '../../content/source/read-source.ts'
import type { RenderCache, CacheEntry } from '../../content/pipeline/render-cache.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { digest } from '../../core/digest.ts'
import { createSeverityOf } from '../../content/rules/create-severity-of.ts'
import { type Diagnostic, type Problem, compareDiagnostics } from '../../core/model/diagnostic.ts'
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { sortedRange } from '../../core/sorted-range.ts'
import { diagnosticsOf, replaceOwn, OF_ALL_ARTICLES } from './own-diagnostics.ts'
import type { StampedHashes } from './stamped-hashes.ts'
import { examineRecorded, type LinkRecord, mergeUsed } from './link-record.ts'
import type { KnownContent, LiveState } from './known-content.ts'
import { serialise } from '../../content/pipeline/create-compiler.ts'
import type { CompiledArticle, CompiledMeta } from '../../content/markdown/rendered-body.ts'
import { createFileNamer, diagnosticMaker } from '../../content/pipeline/make-diagnostics.ts'
import { createExamine } from '../../content/rules/check-document.ts'
import { buildCompiled } from '../../content/pipeline/build-corpus.ts'
import { assignmentText } from '../../content/frontmatter/build-document.ts'
import type { SourceProblem } from '../../content/source/source-problem.ts'

export interface EditTools {
  readonly options: ContentOptions
  readonly cache: RenderCache
  readonly hashes: StampedHashes
  readonly editing: ReadEditedOptions
}

/** An article whose own text was edited without an effect on other articles. */
export interface EditedArticle {
  readonly article: LocalArticle
  /** All problems of this file, including those of its links, without those of rules over all articles. */
  readonly diagnostics: readonly Diagnostic[]
}

interface EditedState {
  readonly state: LiveState
  readonly edited: EditedArticle
}

/** Applies an edit of one article; returns undefined if it may affect others. */
export function editArticle(source: string, state: LiveState, tools: EditTools): EditedState | undefined {
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
    compiledBefore.meta.includes === undefined &&
    compiledBefore.meta.ignored === undefined &&
    own.every(({ severity }) => severity !== 'error')
  if (!isPlain) return undefined
  const read = readEdited(compiledBefore, editing, options)
  if (read === undefined) return undefined
  if (read.kind === 'same') {
    const diagnostics = own.filter(({ code }) => !OF_ALL_ARTICLES.has(code))
    return { state, edited: { article: recordBefore.examined.article, diagnostics } }
  }
  cache.store([read.entry])
  const taken = takeEdit(read.article, recordBefore, known, options)
  if (taken === undefined) return undefined
  const { document, examined } = taken.record
  tools.hashes.note(read.stamp, document.sourceHash)
  state.files.set(source, document.sourceHash)
  const content = applyEdit(read.article, taken, file, known, cache)
  return {
    state: { ...state, known: { ...known, content } },
    edited: { article: examined.article, diagnostics: taken.diagnostics },
  }
}

/** Applies an edit to the known content, and returns the content with it. */
function applyEdit(
  compiled: CompiledArticle,
  { record, diagnostics }: TakenEdit,
  file: string,
  known: KnownContent,
  cache: RenderCache,
): LoadedContent {
  const { document, examined } = record
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
  // Not `known` itself, because the new value would keep the content before each edit in memory.
  const { content, beside, draft, linker, compiled: all } = known
  const { start: at } = sortedRange(content.articles, source, (article) => article.source)
  const usesTheSame = isDeepStrictEqual(record.assets, assetsBefore)
  const articles = content.articles.with(at, examined.article)
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

type ReadEdited =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'compiled'
      readonly article: CompiledArticle
      readonly entry: CacheEntry
      /** Taken before the file was read. */
      readonly stamp: FileStamp
    }

interface ReadEditedOptions {
  readonly render: RenderMarkdown
  readonly files: FrontmatterFiles | undefined
  readonly renderKey: RenderKey
}

/** Reads and compiles the new text of an article; undefined if it is gone, unreadable, or may include others. */
function readEdited(
  { source, sourceHash }: Pick<CompiledArticle, 'source' | 'sourceHash'>,
  { render, files, renderKey }: ReadEditedOptions,
  { contentRoot, preset }: Pick<ContentOptions, 'contentRoot' | 'preset'>,
): ReadEdited | undefined {
  const stamp = findFile(contentRoot, source)
  const read = readBytes(join(contentRoot, source))
  if (stamp?.source !== source || read.kind === 'problem') return undefined
  const { bytes } = read
  const hash = digest(bytes)
  if (hash === sourceHash) return { kind: 'same' }
  const text = bytes.toString('utf8')
  if (mayHoldIncludes(text, preset && dialectOf(preset))) return undefined
  const compiled = compileSource(
    bytes,
    { source, sourceHash: hash },
    { render, files, expand: () => undefined },
  )
  return {
    kind: 'compiled',
    stamp,
    ...keepCompiled(source, serialise({ sourceHash: hash, ...compiled }), renderKey),
  }
}

/** An edit that affects no other article. */
interface TakenEdit {
  readonly record: LinkRecord
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Links an edited article to the others as they were after the last load. Undefined if the edit may affect others, or
 * has an error that holds the article back: then the whole content must be checked.
 */
function takeEdit(
  compiled: CompiledArticle,
  before: LinkRecord,
  known: KnownContent,
  options: ContentOptions,
): TakenEdit | undefined {
  const { source, meta } = compiled
  const severityOf = createSeverityOf(options)
  const isWrong = ({ code, source: file = source }: Problem) => severityOf(code, file) === 'error'
  if (meta.problems.some(isWrong) || meta.ignored !== undefined) return undefined
  const built = buildCompiled(compiled, known.defaults)
  if (built?.kind !== 'document') return undefined
  const { document } = built
  if (!standsAsBefore(document, before.document)) return undefined
  if (!placesAsBefore(meta, source, known)) return undefined
  if (findUnknownReferences([document], known.content.taxonomy).length > 0) return undefined
  const record = examineRecorded(document, meta, {
    examine: createExamine(known.linker, severityOf),
    recorder: known.tracked.recorder,
    answers: known.tracked.answers,
  })
  if (record.examined.waitsFor.length > 0 || record.anchorsDigest !== before.anchorsDigest) return undefined
  const own = meta.problems.map((problem): SourceProblem => ({ source, problem }))
  const problems = [...own, ...record.examined.problems]
  if (problems.some(({ problem }) => isWrong(problem))) return undefined
  const diagnostics = problems.flatMap(diagnosticMaker(options)).toSorted(compareDiagnostics)
  return { record, diagnostics }
}

/** True if the file gives the same values to what a preset derives from all files: categories, tags, translations. */
function placesAsBefore(now: CompiledMeta, source: string, { compiled, defaults }: KnownContent): boolean {
  const before = compiled.get(source)?.article.meta
  return defaults.placed === undefined || isDeepStrictEqual(before && saidOf(before), saidOf(now))
}

function saidOf({ isArticle, translationKey, route, frontmatter }: CompiledMeta): unknown {
  return [isArticle, translationKey, route, frontmatter?.categories, frontmatter?.tags]
}

/** True if everything that other articles depend on is unchanged, except anchors. */
function standsAsBefore(now: Document, before: Document): boolean {
  return (
    now.slug === before.slug &&
    now.language === before.language &&
    now.status === before.status &&
    now.translationOf === before.translationOf &&
    // A problem of a published article that links to a draft names the draft's title.
    (now.status === 'published' || now.title === before.title)
  )
}
