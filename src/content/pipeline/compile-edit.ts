// An article whose text was edited, read without loading all others.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { digest } from '../../core/digest.ts'
import { type Diagnostic, compareDiagnostics } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { DocumentDefaults } from '../frontmatter/build-document.ts'
import { createIncludeExpander, mayHoldIncludes } from '../includes/expand-includes.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import { createParse, resolveParser } from '../parser/resolve-parser.ts'
import { loadFrontmatterFiles } from '../preset/load-frontmatter-files.ts'
import type { LinkedDocument } from '../links/link-documents.ts'
import { checkDocument } from '../rules/check-document.ts'
import { findUnknownReferences } from '../rules/check-references.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import { type FileStamp, findFile } from '../source/find-sources.ts'
import { readBytes } from '../source/read-source.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import { buildCompiled } from './build-corpus.ts'
import { compileSource, loadRenderer, serialise } from './create-compiler.ts'
import { keepCompiled, renderKeyOf } from './compile-sources.ts'
import type { ContentOptions } from './content-options.ts'
import { toDiagnostics } from './make-diagnostics.ts'
import type { CacheEntry } from './render-cache.ts'

/** Compiles single articles. */
export type ArticleCompiler = Awaited<ReturnType<typeof loadArticleCompiler>>

/**
 * @param hasMdx see `loadDialectReader`
 * @throws KbError CONFIG_INVALID (a remark plugin that fails)
 */
export async function loadArticleCompiler(options: ContentOptions, hasMdx = true) {
  const parser = await resolveParser(options.markdown)
  return {
    render: await loadRenderer(options.markdown, parser, hasMdx),
    /** Only appends files and reads no others. */
    expand: createIncludeExpander(
      options.contentRoot,
      createParse(parser),
      undefined,
      undefined,
      options.markdown.appended,
    ),
    files: await loadFrontmatterFiles(options.markdown.frontmatter),
    renderKey: renderKeyOf(options, parser.kind),
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

/** Reads and compiles the new text of an article; undefined if it is gone, unreadable, or may include others. */
export function readEdited(
  { source, sourceHash }: Pick<CompiledArticle, 'source' | 'sourceHash'>,
  { render, expand, files, renderKey }: ArticleCompiler,
  { contentRoot, preset }: Pick<ContentOptions, 'contentRoot' | 'preset'>,
): ReadEdited | undefined {
  const stamp = findFile(contentRoot, source)
  const read = readBytes(join(contentRoot, source))
  if (stamp?.source !== source || read.kind === 'problem') return undefined
  const { bytes } = read
  const hash = digest(bytes)
  if (hash === sourceHash) return { kind: 'same' }
  if (mayHoldIncludes(bytes.toString('utf8'), preset && dialectOf(preset))) return undefined
  const compiled = compileSource(bytes, { source, sourceHash: hash }, { render, expand, files })
  return {
    kind: 'compiled',
    stamp,
    ...keepCompiled(source, serialise({ sourceHash: hash, ...compiled }), renderKey),
  }
}

/** The state that an edited article is compared with and refers to. */
interface EditContext {
  readonly options: ContentOptions
  /** Includes the values derived from file locations. */
  readonly defaults: DocumentDefaults
  readonly taxonomy: LocalTaxonomy
  /** The same article before the edit. */
  readonly before: { readonly document: Document; readonly meta: CompiledMeta }
}

/** Returns true if the text of a compiled file depends on no other file and no comment in it disables a rule. */
export function dependsOnItself({ includes, ignored, isArticle }: CompiledMeta): boolean {
  return includes === undefined && ignored === undefined && isArticle !== false
}

/**
 * Builds the document of an edited article. Returns undefined if its URL or taxonomy changes, or if an error holds it
 * back: then the whole content must be checked.
 */
export function buildEdited(compiled: CompiledArticle, context: EditContext): Document | undefined {
  const { options, defaults, taxonomy, before } = context
  const { meta, source } = compiled
  if (!dependsOnItself(meta) || hasErrors(ownProblems(compiled), options)) return undefined
  const built = buildCompiled(compiled, defaults)
  if (built?.kind !== 'document') return undefined
  const { document } = built
  const isInPlace =
    hasAddressOf(document, before.document) &&
    (defaults.placed === undefined || isDeepStrictEqual(assigned(before.meta), assigned(meta))) &&
    findUnknownReferences([document], taxonomy).length === 0
  return isInPlace && document.source === source ? document : undefined
}

function hasAddressOf(now: Document, before: Document): boolean {
  return (
    now.slug === before.slug &&
    now.language === before.language &&
    now.translationOf === before.translationOf &&
    isDeepStrictEqual(now.aliases, before.aliases)
  )
}

/** Returns the values from which a preset derives categories, tags and translations of all files. */
function assigned({ isArticle, translationKey, navigationName, route, frontmatter }: CompiledMeta): unknown {
  return [isArticle, translationKey, navigationName, route, frontmatter?.categories, frontmatter?.tags]
}

/**
 * Returns all diagnostics of an edited article, except those of rules over all articles. Returns undefined if one is an
 * error, or if the article waits for another one.
 */
export function listEditedDiagnostics(
  { document, meta }: { readonly document: Document; readonly meta: CompiledMeta },
  { problems, waitsFor }: Pick<LinkedDocument, 'problems' | 'waitsFor'>,
  options: ContentOptions,
): readonly Diagnostic[] | undefined {
  const { source } = document
  const all = [...ownProblems({ source, meta }), ...problems, ...checkDocument(document, meta)]
  if (waitsFor.length > 0 || hasErrors(all, options)) return undefined
  return all.flatMap(toDiagnostics(options)).toSorted(compareDiagnostics)
}

function ownProblems({ source, meta }: Pick<CompiledArticle, 'source' | 'meta'>): SourceProblem[] {
  return meta.problems.map((problem) => ({ source, problem }))
}

function hasErrors(problems: readonly SourceProblem[], options: ContentOptions): boolean {
  const severityOf = createSeverityOf(options)
  return problems.some(
    ({ source, problem }) => severityOf(problem.code, problem.source ?? source) === 'error',
  )
}
