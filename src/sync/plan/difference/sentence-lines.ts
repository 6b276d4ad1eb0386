// A paragraph is one long line of Markdown, or wrapped by its author's editor. For a comparison each sentence gets a
// line of its own, so that a changed word shows its sentence, not the whole paragraph.

const FENCE = /^\s*(`{3,}|~{3,})/
/** Lines of headings, tables, HTML and indented code. A line break would change their meaning. */
const UNBREAKABLE = /^(\s*(#|\||<)| {4}|\t)/

/** Indentation, quote signs and list markers. */
const START = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?/
/** Text that would start a new block at the beginning of a line. */
const BLOCK = /^(#|>|\||`{3}|~{3}|<|[-*+=]|\d+[.)])/

/** Puts each sentence on its own line, in Markdown with one line per paragraph. */
export function breakSentences(markdown: string): string {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  let fence: string | undefined
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1]
    if (mark?.startsWith(fence ?? '') === true) {
      fence = fence === undefined ? mark : undefined
      return line
    }
    if (fence !== undefined || UNBREAKABLE.test(line)) return line
    const [start = ''] = START.exec(line) ?? []
    const sentences = splitSentences(line.slice(start.length), segmenter)
    return start + joinSentences(sentences, start.replace(/[^\s>]/g, ' '))
  })
  return lines.join('\n')
}

function splitSentences(text: string, segmenter: Intl.Segmenter): string[] {
  const spans = findSpans(text)
  const sentences: string[] = []
  let from = 0
  let next = 0
  for (const { segment, index } of segmenter.segment(text)) {
    const end = index + segment.length
    while ((spans[next]?.to ?? end) < end) next++
    const isWithin = (spans[next]?.from ?? end) < end && (spans[next]?.to ?? end) > end
    if (isWithin && end < text.length) continue
    sentences.push(text.slice(from, end).trimEnd())
    from = end
  }
  return sentences
}

/** @param indent prefix of continuation lines, which keeps them in their list or quote */
function joinSentences(sentences: readonly string[], indent: string): string {
  return sentences.reduce((text, sentence) => {
    if (text === '' || sentence === '') return text + sentence
    return text + (BLOCK.test(sentence) ? ' ' : `\n${indent}`) + sentence
  }, '')
}

/** An inline element of a line of Markdown, from its first character to the one after its last. */
interface InlineSpan {
  readonly from: number
  readonly to: number
}

/** The outermost links, code spans and HTML tags of a line, in order. Linear time. */
function findSpans(line: string): InlineSpan[] {
  const spans: InlineSpan[] = []
  const open: number[] = []
  const unclosed = new Set<string>()
  /** Index after the next `end` from `at` on, or `at` if there is none. Searches once for an end that is missing. */
  const skipTo = (end: string, at: number): number => {
    const found = unclosed.has(end) ? -1 : line.indexOf(end, at)
    if (found === -1) unclosed.add(end)
    return found === -1 ? at : found + end.length
  }
  const add = (from: number, to: number): number => {
    while ((spans.at(-1)?.from ?? -1) >= from) spans.pop()
    spans.push({ from, to })
    return to
  }
  for (let at = 0; at < line.length;) {
    const char = line.charAt(at)
    if (char === '\\') at += 2
    else if (char === '`') {
      const ticks = /^`+/.exec(line.slice(at, at + MAX_TICKS))?.[0] ?? char
      const end = skipTo(ticks, at + ticks.length)
      at = end === at + ticks.length ? end : add(at, end)
    } else if (char === '<') {
      const end = skipTo('>', at + 1)
      at = end === at + 1 ? end : add(at, end)
    } else if (char === ']' && open.length > 0) {
      const from = open.pop() as number
      const opening = line.charAt(at + 1)
      const closing = opening === '(' ? ')' : opening === '[' ? ']' : ''
      at = add(from, closing === '' ? at + 1 : skipTo(closing, at + 1))
    } else {
      if (char === '[') open.push(at)
      at++
    }
  }
  return spans
}

const MAX_TICKS = 100
