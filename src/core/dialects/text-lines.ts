/** A line of a text, and whether it stands in fenced code. */
export interface FencedLine {
  /** `open` and `close` are the fences themselves. */
  readonly kind: 'text' | 'open' | 'code' | 'close'
  readonly text: string
  /** Where it begins in the whole. */
  readonly at: number
}

// Whatever a fence may stand in: quotes, items, and the indent of components, which is no code in MDX.
const OPENING = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

const CLOSING = /^[\s>]*(`{3,}|~{3,})[ \t]*$/

/** The lines of a text before it is parsed: what rewrites lines must leave code alone. */
export function splitLines(text: string): FencedLine[] {
  let fence: string | undefined
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    const kind = kindOf(line, fence)
    if (kind === 'open') fence = OPENING.exec(line)?.[1]
    if (kind === 'close') fence = undefined
    return { kind, text: line, at: start }
  })
}

function kindOf(line: string, fence: string | undefined): FencedLine['kind'] {
  if (fence === undefined) return OPENING.test(line) ? 'open' : 'text'
  const closing = CLOSING.exec(line)?.[1]
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length ? 'close' : 'code'
}

/** Of what stands on one line: behind an odd number of them is `code`. */
export function countTicks(text: string): number {
  return text.match(/(?<!\\)`/g)?.length ?? 0
}

const CONTAINER = String.raw`^((?:[ \t]*>)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*:{3,})`

/** A line such as `::: tip A title {open}`: before, gap, name, space, title. @param names pattern of those that are known */
export function containerLine(names: string): RegExp {
  return new RegExp(String.raw`${CONTAINER}([ \t]*)(${names})(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`)
}
