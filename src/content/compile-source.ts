import type { Problem } from '../model/diagnostic.ts'
import { digest, digestParts } from '../util/digest.ts'
import type { CompiledSource } from './compiled-source.ts'
import type { ExpandIncludes } from './includes/expand-includes.ts'
import type { RenderMarkdown } from './markdown/create-renderer.ts'
import { joinTrailingSpaces } from './mend/trailing-spaces.ts'
import { parseFrontmatter } from './parse-frontmatter.ts'
import { decodeSource } from './read-source.ts'
import { splitFrontmatter } from './split-frontmatter.ts'

export interface CompileTools {
  readonly render: RenderMarkdown
  readonly expand: ExpandIncludes
}

/**
 * Compiles one file's bytes and nothing else than them and the files that they include; every problem of frontmatter and
 * body is found in one go.
 */
export function compileSource(
  bytes: Buffer,
  { source, sourceHash }: { readonly source: string; readonly sourceHash: string },
  { render, expand }: CompileTools,
): CompiledSource {
  const decoded = decodeSource(bytes)
  if (decoded.kind === 'problem') return withoutBody([decoded.problem])
  const split = splitFrontmatter(decoded.text)
  if (split.kind === 'problem') return withoutBody([split.problem])
  const parsed = parseFrontmatter(split.yaml)
  const frontmatter = parsed.kind === 'valid' ? parsed.frontmatter : undefined
  const expanded = expand(split.body, source, split.lineOffset)
  const body = render({
    body: expanded?.body ?? split.body,
    title: frontmatter?.title ?? '',
    source,
    lineOffset: split.lineOffset,
    lines: expanded?.lines,
    // Whoever writes a snippet may know the digests of the articles with it.
    nonce: expanded === undefined ? sourceHash : digest(expanded.body),
  })
  const problems = [...(expanded?.problems ?? []), ...body.problems]
  return {
    meta: {
      frontmatter,
      positions: parsed.kind === 'valid' ? parsed.positions : {},
      ...(parsed.kind === 'invalid' && parsed.named && { named: parsed.named }),
      problems: repairable(decoded.text, joinTrailingSpaces([...parsed.problems, ...problems])),
      firstParagraph: body.firstParagraph,
      templateHash: digestParts(body.html),
      textHash: body.textHash,
      ...(expanded && { includes: [...expanded.includes] }),
    },
    links: {
      slots: body.slots,
      externals: body.externals,
      targets: body.targets,
      anchors: body.anchors,
    },
    html: body.html,
  }
}

/** A carriage return alone ends a line for some and for others not: nothing is repaired by line and column there. */
function repairable(text: string, problems: readonly Problem[]): readonly Problem[] {
  if (!/\r(?!\n)/.test(text)) return problems
  return problems.map((problem) => {
    const { fix: _, ...rest } = problem
    return rest
  })
}

/** What a file compiles to when not even its text can be had. */
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
