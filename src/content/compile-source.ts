import type { Problem } from '../model/diagnostic.ts'
import { digestParts } from '../util/digest.ts'
import type { CompiledSource } from './compiled-source.ts'
import type { RenderMarkdown } from './markdown/create-renderer.ts'
import { parseFrontmatter } from './parse-frontmatter.ts'
import { decodeSource } from './read-source.ts'
import { splitFrontmatter } from './split-frontmatter.ts'

/** Compiles one file's bytes. Pure; every problem of frontmatter and body is found in one go. */
export function compileSource(bytes: Buffer, sourceHash: string, render: RenderMarkdown): CompiledSource {
  const decoded = decodeSource(bytes)
  if (decoded.kind === 'problem') return withoutBody([decoded.problem])
  const split = splitFrontmatter(decoded.text)
  if (split.kind === 'problem') return withoutBody([split.problem])
  const parsed = parseFrontmatter(split.yaml)
  const frontmatter = parsed.kind === 'valid' ? parsed.frontmatter : undefined
  const body = render({
    body: split.body,
    title: frontmatter?.title ?? '',
    lineOffset: split.lineOffset,
    nonce: sourceHash,
  })
  return {
    meta: {
      frontmatter,
      positions: parsed.kind === 'valid' ? parsed.positions : {},
      problems: parsed.kind === 'valid' ? body.problems : [...parsed.problems, ...body.problems],
      firstParagraph: body.firstParagraph,
      templateHash: digestParts(body.html),
      textHash: body.textHash,
    },
    links: { slots: body.slots, targets: body.targets, anchors: body.anchors },
    html: body.html,
  }
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
    links: { slots: [], targets: [], anchors: [] },
    html: [],
  }
}
