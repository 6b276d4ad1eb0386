import { endLine } from '../../../content/from-html/text-of-code.ts'
import type {
  ArticleDifference,
  ChangedBy,
  FieldDifference,
  FieldValue,
} from '../../../core/model/article-difference.ts'
import { type ArticleFields, FIELD_NAMES, type FieldName } from '../../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../../core/model/remote-article.ts'
import { NEVER_DATE } from '../../../core/calendar-date.ts'
import { hasDrifted, hashSentFields, type Ownership } from '../remote-entry.ts'
import type { ResolvedArticle } from '../resolved-article.ts'
import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'

/** Display names for the ids of categories and tags. */
export interface TaxonomyNames {
  readonly category: (id: string) => string
  readonly tag: (id: string) => string
}

interface ArticleVersions {
  readonly wanted: ResolvedArticle
  readonly fields: ArticleFields
  readonly remote: RemoteArticle
  /** The last sent version; undefined for an article that is not ours. */
  readonly ours: Ownership | undefined
  /** Both texts come from the same converter, so that quotes and the order of attributes make no difference. */
  readonly markdown: { readonly target: string; readonly file: string }
}

/** The differences between the target and the file. Pure. */
export function diffArticle(versions: ArticleVersions, names: TaxonomyNames): ArticleDifference {
  const { wanted, remote, markdown } = versions
  const fields = [
    ...diffFields(remote.fields, versions.fields, names),
    ...diffLanguage(remote.language, wanted.article.language),
  ]
  const text = diffText(breakSentences(markdown.target), breakSentences(markdown.file))
  const isOnlyMarkup = remote.projectionHash === wanted.article.projectionHash
  return {
    fields,
    text,
    isOnlyMarkup,
    changedBy: {
      fields: whoChangedFields(versions),
      text: whoChangedText(versions, isOnlyMarkup && text !== ''),
    },
  }
}

type Scalar = Exclude<FieldName, 'categoryIds' | 'tagIds'>

const SCALARS = FIELD_NAMES.filter((name): name is Scalar => name !== 'categoryIds' && name !== 'tagIds')

function diffFields(target: ArticleFields, file: ArticleFields, names: TaxonomyNames): FieldDifference[] {
  const show = (field: Scalar, value: FieldValue) =>
    field === 'reviewDate' && value === NEVER_DATE ? 'never' : value
  const scalars = SCALARS.filter((field) => target[field] !== file[field]).map((field) => ({
    field,
    target: show(field, target[field]),
    file: show(field, file[field]),
  }))
  return [
    ...scalars,
    ...diffIds('categories', target.categoryIds, file.categoryIds, names.category),
    ...diffIds('tags', target.tagIds, file.tagIds, names.tag),
  ]
}

/** Ignores the order of categories and tags. */
function diffIds(
  field: string,
  target: readonly string[],
  file: readonly string[],
  nameOf: (id: string) => string,
): FieldDifference[] {
  const isEqual = target.toSorted().join(' ') === file.toSorted().join(' ')
  const named = (ids: readonly string[]) => ids.map(nameOf).toSorted()
  return isEqual ? [] : [{ field, target: named(target), file: named(file) }]
}

function diffLanguage(target: string | null, file: string | null): FieldDifference[] {
  return target === file ? [] : [{ field: 'language', target: target ?? '', file: file ?? '' }]
}

function whoChangedFields({ wanted, fields, remote, ours }: ArticleVersions): ChangedBy {
  if (ours === undefined) return 'unknown'
  const byFile = hashSentFields(fields, wanted.article.review) !== ours.fieldsHash
  // Each part is checked alone, so the other part is assumed to be unchanged on the target.
  const byTarget = hasDrifted({ ...ours, projectionHash: remote.projectionHash }, remote)
  return whoOf(byFile, byTarget)
}

/** @param isMarkup the texts differ only in markup that no hash covers, so either the file changed it or no one did */
function whoChangedText({ wanted: { article }, remote, ours }: ArticleVersions, isMarkup: boolean) {
  if (ours === undefined) return 'unknown'
  const byFile =
    article.projectionHash !== ours.projectionHash || (isMarkup && article.sourceHash !== ours.sourceHash)
  const byTarget = hasDrifted({ ...ours, fieldsHash: remote.fieldsHash }, remote)
  return whoOf(byFile, byTarget)
}

function whoOf(byFile: boolean, byTarget: boolean): ChangedBy {
  if (byFile) return byTarget ? 'both' : 'file'
  return byTarget ? 'target' : 'nobody'
}

const CONTEXT_LINES = 3

/** Unified diff of two texts from its first `@@` on; '' if they are equal. Ignores a missing line feed at the end. */
export function diffText(before: string, after: string): string {
  const patch = structuredPatch('', '', endLine(before), endLine(after), undefined, undefined, {
    context: CONTEXT_LINES,
  })
  return patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS)
}

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
