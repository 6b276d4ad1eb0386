import type { Problem } from '../../core/model/diagnostic.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import { digest, digestParts } from '../../core/digest.ts'
import { isRecord } from '../../core/is-record.ts'
import type { ExpandIncludes } from '../includes/expand-includes.ts'
import type { RenderMarkdown } from '../markdown/create-renderer.ts'
import { joinTrailingSpaces } from '../frontmatter/fixes.ts'
import { type ParsedFrontmatter, parseFrontmatter } from '../frontmatter/parse-frontmatter.ts'
import type { FrontmatterFiles } from '../preset/frontmatter-files.ts'
import { decodeSource } from '../source/read-source.ts'
import { splitFrontmatter } from '../frontmatter/split-frontmatter.ts'
import type { CompiledSource } from '../markdown/rendered-body.ts'

export interface CompileTools {
  readonly render: RenderMarkdown
  readonly expand: ExpandIncludes
  /** Reads frontmatter in a format other than our own. Undefined: our own. */
  readonly files?: FrontmatterFiles | undefined
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
      templateHash: digestParts(body.html),
      textHash: body.textHash,
      ...(expanded && expanded.includes.size > 0 && { includes: [...expanded.includes] }),
      ...(mapped?.translationKey !== undefined && { translationKey: mapped.translationKey }),
      ...(mapped?.navigationName !== undefined && { navigationName: mapped.navigationName }),
      ...(mapped?.route !== undefined && { route: mapped.route }),
    },
    links: { slots: body.slots, externals: body.externals, targets: body.targets, anchors: body.anchors },
    html: body.html,
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
  }
}
