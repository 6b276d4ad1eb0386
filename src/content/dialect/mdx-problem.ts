import type { Position, Problem, Span } from '../../core/model/diagnostic.ts'

/** What the packages of micromark throw where a text is no MDX. */
interface SyntaxMessage extends Error {
  readonly reason: string
  readonly source: string
  readonly place?: Position | { readonly start: Position } | undefined
}

export function isNoMdx(error: unknown): error is SyntaxMessage {
  return error instanceof Error && 'reason' in error && 'source' in error && /mdx/.test(String(error.source))
}

const TAG_PLACE = / ?\((\d+):(\d+)(?:-\d+:\d+)?\)/g

/** @param toWritten from places in the text that was parsed to places in the body */
export function mdxProblem(error: SyntaxMessage, toWritten: ((span: Span) => Span) | undefined): Problem {
  const place = placeOf(error)
  const { line, column } = toWritten?.(place) ?? place
  const reason = error.reason.replaceAll(TAG_PLACE, '').replace(/\.$/, '')
  return {
    code: 'mdx-syntax',
    line,
    column,
    message: `This is no MDX: ${reason}.`,
    hint: 'To show { and < as text, write \\{ and \\<; where the file uses no MDX, give it the ending .md.',
  }
}

/** Of a tag that is never closed, only the words of the message tell the place. */
function placeOf({ place, reason }: SyntaxMessage): Position {
  const [tag] = reason.matchAll(TAG_PLACE)
  if (place === undefined) return { line: Number(tag?.[1] ?? 1), column: Number(tag?.[2] ?? 1) }
  const { line, column } = 'start' in place ? place.start : place
  return { line, column }
}
