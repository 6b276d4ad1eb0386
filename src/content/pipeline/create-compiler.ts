import { packLinks } from './packed-links.ts'
import { join } from 'node:path'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { digest } from '../../core/digest.ts'
import { createIncludeExpander, type ExpandIncludes } from '../includes/expand-includes.ts'
import type { FindToolIncludes } from '../includes/find-includes.ts'
import { loadFrontmatterFiles } from '../preset/load-frontmatter-files.ts'
import type { MarkdownOptions, CompiledSource } from '../markdown/rendered-body.ts'
import { type MarkdownParser, createParse } from '../parser/resolve-parser.ts'
import { readBytes, decodeSource } from '../source/read-source.ts'
import { createRenderer, type RenderMarkdown, type RendererParts } from '../markdown/create-renderer.ts'
import { checkBody } from '../rules/check-body.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import { isRecord } from '../../core/is-record.ts'
import { joinTrailingSpaces } from '../frontmatter/fixes.ts'
import { type ParsedFrontmatter, parseFrontmatter } from '../frontmatter/parse-frontmatter.ts'
import type { FrontmatterFiles } from '../preset/frontmatter-files.ts'
import { splitFrontmatter } from '../frontmatter/split-frontmatter.ts'

export interface CompileTools {
  readonly render: RenderMarkdown
  readonly expand: ExpandIncludes
  /** Reads frontmatter in a format other than our own. Undefined: our own. */
  readonly files?: FrontmatterFiles | undefined
}

export interface Compiler extends CompileTools {
  /** Compiles the article `source` from these bytes, not from its file. */
  readonly compile: (bytes: Buffer, source: string) => CompiledSource & { readonly sourceHash: string }
}

/**
 * Creates the function that compiles files to templates. It caches included files, so it must not outlive a run.
 *
 * @param hasMdx see `loadDialectReader`
 */
export async function createCompiler(
  options: MarkdownOptions,
  parser: MarkdownParser,
  contentRoot: string,
  hasMdx = true,
): Promise<Compiler> {
  const dialect = options.dialect && dialectOf(options.dialect)
  const tools: CompileTools = {
    render: await loadRenderer(options, parser, hasMdx),
    expand: createIncludeExpander(
      contentRoot,
      createParse(parser),
      dialect,
      dialect &&
        (await loadIncludesOf(dialect, parser, { contentRoot, folders: options.includeFolders ?? ['.'] })),
      options.appended,
      options.includeFolders,
    ),
    files: await loadFrontmatterFiles(options.frontmatter),
  }
  return {
    ...tools,
    compile: (bytes, source) => {
      const sourceHash = digest(bytes)
      return { sourceHash, ...compileSource(bytes, { source, sourceHash }, tools) }
    },
  }
}

/** Loads the code on demand, because most configurations have no dialect. */
async function loadIncludesOf(
  dialect: Dialect,
  parser: MarkdownParser,
  folders: { readonly contentRoot: string; readonly folders: readonly string[] },
): Promise<FindToolIncludes | undefined> {
  const { loadToolIncludes } = await import('../dialect/tool-includes.ts')
  return loadToolIncludes(dialect, parser, folders)
}

/** Compiles a file from its own bytes and those of its includes only. Reports every problem of frontmatter and body. */
export function compileSource(
  bytes: Buffer,
  { source, sourceHash }: { readonly source: string; readonly sourceHash: string },
  { render, expand, files }: CompileTools,
): CompiledSource {
  const decoded = decodeSource(bytes)
  if (decoded.kind === 'problem') return withoutBody([decoded.problem])
  const split = files === undefined ? splitFrontmatter(decoded.text) : files.split(decoded.text)
  const isSection = files?.isSection(source) === true
  // Problems of a folder's file are reported when its category is read.
  if (isSection && (split.kind === 'problem' || split.yaml.errors.length > 0)) return pageOfSite()
  if (split.kind === 'problem') return withoutBody([split.problem])
  const mapped = files?.map(split.yaml, source)
  if (mapped?.isPage === true) return pageOfSite()
  const parsed = parseFrontmatter(mapped?.yaml ?? split.yaml)
  const expanded = expand(split.body, source, split.lineOffset)
  const body = render({
    body: expanded?.body ?? split.body,
    title: mapped?.isUntitled === true ? undefined : titleOf(parsed),
    titleStartsText: mapped?.titleStartsText,
    source,
    data: files === undefined ? dataOf(split.yaml.value) : files.inherit(dataOf(split.yaml.value), source),
    lineOffset: split.lineOffset,
    lines: expanded?.lines,
    // The author of a snippet may know the digests of the articles that include it.
    nonce: expanded === undefined ? sourceHash : digest(expanded.body),
  })
  const problems = [...(expanded?.problems ?? []), ...body.problems]
  const htmlJson = JSON.stringify(body.html)
  const isBare = isSection && body.html.join('').trim() === ''
  return {
    meta: {
      ...(isSection && { isSection }),
      ...(isBare && { isArticle: false }),
      frontmatter: withTitle(parsed, mapped?.isUntitled === true ? body.leadingTitle : undefined),
      positions: parsed.kind === 'valid' ? parsed.positions : {},
      ...(parsed.kind === 'invalid' && parsed.named && { named: parsed.named }),
      problems: repairable(decoded.text, joinTrailingSpaces([...parsed.problems, ...problems])),
      ...(body.ignored && { ignored: body.ignored }),
      firstParagraph: body.firstParagraph,
      templateHash: digest(htmlJson),
      textHash: body.textHash,
      ...(expanded && expanded.includes.size > 0 && { includes: [...expanded.includes] }),
      ...(mapped?.translationKey !== undefined && { translationKey: mapped.translationKey }),
      ...(mapped?.navigationName !== undefined && { navigationName: mapped.navigationName }),
      ...(mapped?.route !== undefined && { route: mapped.route }),
    },
    links: { slots: body.slots, externals: body.externals, targets: body.targets, anchors: body.anchors },
    html: body.html,
    htmlJson,
  }
}

function dataOf(value: unknown): FrontmatterData {
  return isRecord(value) ? value : {}
}

function titleOf(parsed: ParsedFrontmatter): string {
  return parsed.kind === 'valid' ? parsed.frontmatter.title : ''
}

/** @param heading the title in the text, if the frontmatter sets none */
function withTitle(parsed: ParsedFrontmatter, heading: string | undefined) {
  if (parsed.kind !== 'valid') return undefined
  const { frontmatter } = parsed
  return heading === undefined ? frontmatter : { ...frontmatter, title: heading }
}

/** Tools disagree on whether a carriage return ends a line, so fixes by line and column are unsafe there. */
function repairable(text: string, problems: readonly Problem[]): readonly Problem[] {
  if (!/\r(?!\n)/.test(text)) return problems
  return problems.map((problem) => {
    const { fix: _, ...rest } = problem
    return rest
  })
}

function pageOfSite(): CompiledSource {
  const nothing = withoutBody([])
  return { ...nothing, meta: { ...nothing.meta, isArticle: false } }
}

/** Returns the compiled form of a file without a readable text. */
export function withoutBody(problems: readonly Problem[]): CompiledSource {
  return {
    meta: {
      frontmatter: undefined,
      positions: {},
      problems,
      firstParagraph: '',
      templateHash: '',
      textHash: '',
    },
    links: { slots: [], externals: [], targets: [], anchors: [] },
    html: [],
    htmlJson: '[]',
  }
}

/** A compiled file as JSON texts, because strings cross thread boundaries much faster than trees. */
export interface CompiledFile {
  /** Digest of its bytes; undefined if they cannot be read. */
  readonly sourceHash: string | undefined
  readonly meta: string
  readonly links: string
  readonly html: string
}

/** Reads and compiles articles. For an unreadable one, the result is that problem. */
export function compileFiles(
  contentRoot: string,
  sources: readonly string[],
  { compile }: Pick<Compiler, 'compile'>,
): CompiledFile[] {
  return sources.map((source) => {
    const read = readBytes(join(contentRoot, source))
    if (read.kind === 'problem') return serialise({ sourceHash: undefined, ...withoutBody([read.problem]) })
    return serialise(compile(read.bytes, source))
  })
}

/** Converts a compiled file to its form for threads and the cache. */
export function serialise(source: CompiledSource & Pick<CompiledFile, 'sourceHash'>): CompiledFile {
  const { sourceHash, meta, links, htmlJson } = source
  return { sourceHash, meta: JSON.stringify(meta), links: JSON.stringify(packLinks(links)), html: htmlJson }
}

/** Returns the renderer for the configuration. Loads only what it needs. */
export async function loadRenderer(
  options: MarkdownOptions,
  parser: MarkdownParser,
  hasMdx = true,
): Promise<RenderMarkdown> {
  const { highlight = false, dialect, embeds = [] } = options
  const highlightTree = highlight ? (await import('../../core/highlight-tree.ts')).highlightTree : undefined
  const parts: RendererParts =
    dialect === undefined
      ? { check: (view) => checkBody(view, embeds, true) }
      : {
          check: (view) => checkBody(view, embeds, isPlain(view.source, dialect)),
          dialect: await (
            await import('../dialect/load-dialect.ts')
          ).loadDialectReader(options, parser, hasMdx),
        }
  return createRenderer(options, parser, { ...parts, highlight: highlightTree })
}

/** Returns true if a file of a dialect is plain Markdown. */
function isPlain(source: string | undefined, dialect: PresetName): boolean {
  return dialectOf(dialect).isGeneric === true && (source === undefined || !isMdxFile(source))
}

export function isMdxFile(source: string): boolean {
  return source.endsWith('.mdx')
}
