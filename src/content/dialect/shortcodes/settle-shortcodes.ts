// Shortcodes are replaced before Markdown is parsed, even in code and in URLs. The replacement of one without a value
// depends on its context, which is only known from the parsed text.
import type { Nodes, Root } from 'mdast'
import { splitLines, type FencedLine } from '../../../core/dialects/text-lines.ts'
import type { Problem } from '../../../core/model/diagnostic.ts'
import type { TextEdit } from '../../../core/text-edits.ts'
import { lastAtOrBefore } from '../../../core/sorted-lists.ts'
import { createHoles, type Holes } from '../holes.ts'
import { lineStarts, positionIn } from '../../source/line-starts.ts'
import { applyEdits } from '../text-edits.ts'
import { contextsInHtml, type HoleContext, isInBareUrl, unresolvedProblem } from '../unresolved.ts'
import type { Shortcode } from './read-shortcodes.ts'
import type { ShortcodeEdit } from './shortcode-edits.ts'

/** The context of an edit. Raw HTML needs different escapes from Markdown. */
interface Context {
  readonly hole: HoleContext
  /** `code`: everything is literal. */
  readonly syntax: 'markdown' | 'html' | 'code'
  /** True if a path in this context is a link target or invisible. */
  readonly mayBePath: boolean
}

const TEXT: Context = { hole: 'text', syntax: 'markdown', mayBePath: false }

/**
 * Decides how each shortcode is replaced, depending on its context in the Markdown. `parse` returns a tree.
 *
 * @returns `holes`: those without a value in URLs; `problems` with positions in the text
 */
export function settleShortcodes(
  text: string,
  written: readonly ShortcodeEdit[],
  parse: (text: string) => Root,
) {
  const isCodeNear = createIsCodeNear(text)
  const holes = createHoles(text)
  if (!written.some((edit) => needsSecondLook(edit, text, isCodeNear)))
    return { edits: written, holes, problems: [] }
  const contexts = findContexts(text, written, { holes, parse })
  const ranges = createPlaces(text)
  const problems: Problem[] = []
  const kept = new Set<Shortcode>()
  const removed = new Set<number>()
  const edits = written.map((edit, index): TextEdit => {
    const context = contexts.get(index) ?? TEXT
    const { kind, code, opening } = edit
    if (kind === 'value') return { ...edit, text: escaped(edit.text, context, code?.written) }
    const problem = code && problemIn(edit, code, context)
    if (code && problem) problems.push({ ...problem, ...ranges.of(code) })
    const isHole = problem?.code === 'value-unresolved'
    if (code && isHole) kept.add(code)
    const source = text.slice(edit.from, edit.to)
    if (context.hole === 'code' && (isHole || (opening !== undefined && kept.has(opening))))
      return { ...edit, text: escaped(source, context) }
    if (kind === 'removed' && context.hole === 'text' && context.syntax === 'markdown') removed.add(edit.from)
    if (context.hole !== 'url' || !isHole) return edit
    const word = holes.wordOf(index)
    holes.written.set(word, source)
    return { ...edit, text: word }
  })
  return { edits: withoutEmptiedLines(text, edits, removed), holes, problems }
}

const MARKER = /(?:[-+*]|\d{1,9}[.)]|:)[ \t]+/y

/** Also removes the lines of list items and definitions that contained only removed shortcodes. */
function withoutEmptiedLines(text: string, edits: readonly TextEdit[], removed: ReadonlySet<number>) {
  if (removed.size === 0) return edits
  const kept: TextEdit[] = []
  let end = 0
  let endOfLine = -1
  for (const [index, edit] of edits.entries()) {
    if (edit.from < end) continue
    const isFirst = edit.from > endOfLine
    if (isFirst) endOfLine = endOfLineAt(text, edit.from)
    const line = isFirst && removed.has(edit.from) ? emptiedLine(text, edits, index) : undefined
    if (line !== undefined) end = line.to
    kept.push(line ?? edit)
  }
  return kept
}

/**
 * Returns the line that starts with an item marker and the shortcode of an edit, if nothing of the item is left. If the
 * item has text below, removes only blank lines, which would end it.
 */
function emptiedLine(text: string, edits: readonly TextEdit[], index: number): TextEdit | undefined {
  const at = edits[index]?.from ?? 0
  const from = text.lastIndexOf('\n', at - 1) + 1
  const marker = from + indentAt(text, from)
  if (endOfMarker(text, marker) !== at) return undefined
  let behind = at
  for (let next = index; edits[next]?.from === behind && edits[next]?.text === ''; next++)
    behind = skip(text, edits[next]?.to ?? behind, /[ \t]*/y)
  if (behind !== endOfLineAt(text, from)) return undefined
  const to = Math.min(behind + 1, text.length)
  const next = skip(text, to, /(?:[ \t>]*\n)*/y)
  const below = indentAt(text, next)
  const isText = next + below < text.length
  if (isText && below > marker - from) return { from: at, to: next, text: '\n' }
  const isLazy = isText && next === to && endOfMarker(text, next + below) === next + below
  return isLazy ? undefined : { from, to, text: '' }
}

function endOfLineAt(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function indentAt(text: string, from: number): number {
  return skip(text, from, /[ \t>]*/y) - from
}

function endOfMarker(text: string, from: number): number {
  return skip(text, from, MARKER)
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

function problemIn(
  edit: ShortcodeEdit,
  code: Shortcode,
  { hole, mayBePath }: Context,
): Pick<Problem, 'code' | 'message' | 'hint'> | undefined {
  const { kind, fault } = edit
  if (kind === 'own') return fault && { ...removedProblem(code), ...fault }
  if (kind === 'address') return mayBePath ? undefined : addressProblem(code, hole)
  if (hole === 'code' || (hole === 'url' && kind === 'removed')) return holeProblem(edit, code, hole)
  return kind === 'removed' ? removedProblem(code, edit.lack) : undefined
}

/** The text before the URL of a link. */
const URL_BEGINS = /(?:\]\(<?|^\[[^\]]+\]: |\shref=["'])$/
const LONGEST_LABEL = 100

function needsSecondLook(edit: ShortcodeEdit, whole: string, isCodeNear: (at: number) => boolean): boolean {
  const { kind, from, text, code, fault } = edit
  if (kind === 'own') return fault !== undefined
  if (kind === 'address') {
    const line = whole.slice(Math.max(0, from - LONGEST_LABEL), from).replace(/^[^]*\n/, '')
    return isCodeNear(from) || !URL_BEGINS.test(line)
  }
  if (kind !== 'shown') return kind === 'removed' || SPECIAL.test(text)
  return code !== undefined && isCodeNear(code.at)
}

/** Returns a test whether the line at an offset may contain code. Offsets ascend; each line is tested once. */
function createIsCodeNear(text: string): (at: number) => boolean {
  let lines: readonly FencedLine[] | undefined
  let index = -1
  let isCode = false
  return (at) => {
    lines ??= splitLines(text)
    for (let next = lines[index + 1]; next !== undefined && next.at <= at; next = lines[index + 1]) {
      index++
      isCode = next.kind !== 'text' || /`|^(?:[ >]*\t| {4})/.test(next.text)
    }
    return isCode
  }
}

const MAP_IT = 'map it to an element with shortcodes in the configuration'

function removedProblem(
  { name }: Shortcode,
  lack?: ShortcodeEdit['lack'],
): Pick<Problem, 'code' | 'message' | 'hint'> {
  const code = 'shortcode-removed'
  if (lack !== undefined) return { code, message: `${lack.what}, so nothing is shown here.`, hint: lack.hint }
  return {
    code,
    message: `The shortcode "${name}" is unknown, so only its content was kept.`,
    hint: `M${MAP_IT.slice(1)}, or write its information in Markdown.`,
  }
}

function holeProblem(
  { kind, lack }: ShortcodeEdit,
  { name }: Shortcode,
  hole: Exclude<HoleContext, 'text'>,
): Pick<Problem, 'code' | 'message' | 'hint'> {
  const problem = unresolvedProblem(`The shortcode "${name}"`, hole, lack?.what)
  if (kind !== 'removed') return problem
  return { ...problem, hint: lack?.hint ?? `Write the value itself, or ${MAP_IT}.` }
}

function addressProblem({ name }: Shortcode, hole: HoleContext): Pick<Problem, 'code' | 'message' | 'hint'> {
  const hint = 'Use it as the URL of a link, or write the URL itself.'
  if (hole !== 'text') return { ...unresolvedProblem(`The shortcode "${name}"`, hole), hint }
  const message = `The shortcode "${name}" is not the URL of a link: readers would see the path of a file.`
  return { code: 'value-unresolved', message, hint }
}

/** Characters with a special meaning in some context. A space has one only in a URL, which it would end. */
const SPECIAL = /[^\w./:@-]|_/

/** @param written the shortcode that has this value; undefined for text that is shown as it is */
function escaped(text: string, { hole, syntax }: Context, written?: string): string {
  if (syntax === 'code') return text
  if (syntax === 'html')
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  if (hole === 'url') return text.replace(/[\s()<>"]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  // With percent signs, the value is Markdown.
  if (written?.startsWith('{{%') === true) return text
  return text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}

/** Returns the context of each edit, by index, unless it is text. */
function findContexts(
  text: string,
  written: readonly ShortcodeEdit[],
  { holes, parse }: { readonly holes: Holes; readonly parse: (text: string) => Root },
): ReadonlyMap<number, Context> {
  const pattern = holes.pattern()
  const contexts = new Map<number, Context>()
  // A shortcode that shares its line gets a placeholder: an empty text could not be found, or would end its construct.
  const isAlone = createIsAlone(text)
  const probes = written.map((edit, index) => {
    const isProbed = edit.kind === 'removed' || edit.kind === 'value'
    return edit.kind === 'address' || (isProbed && !isAlone(edit.from))
      ? { ...edit, text: holes.wordOf(index) }
      : edit
  })
  const edited = applyEdits(text, probes).text
  const marks = marksIn(probes)
  const depth = { code: 0 }
  const note = (
    index: string | number | undefined,
    hole: HoleContext,
    syntax: Context['syntax'] = 'markdown',
    mayBePath = false,
  ): void => void contexts.set(Number(index), { hole, syntax, mayBePath })
  const visit = (node: Nodes): void => {
    const { code } = depth
    if (node.type === 'code' || node.type === 'inlineCode') {
      for (const index of marksWithin(marks, node)) note(index, 'code', 'code')
    } else if (node.type === 'html') {
      const matches = [...node.value.matchAll(pattern)]
      const offsets = matches.map(({ index }) => index)
      const found = contextsInHtml(node.value, offsets, depth)
      for (const [at, { 1: mark, index }] of matches.entries()) {
        const hole = found[at] ?? 'text'
        const isPath = written[Number(mark)]?.kind === 'address'
        note(mark, hole, 'html', isPath && mayBePathInHtml(node.value.slice(0, index), hole))
      }
    } else if (node.type === 'text') {
      for (const { 0: hole, 1: index, index: at } of node.value.matchAll(pattern)) {
        const line = node.value.lastIndexOf('\n', at) + 1
        const behind = node.value.slice(at + hole.length, at + hole.length + 4)
        if (code > 0) note(index, 'code')
        else if (isInBareUrl(node.value.slice(line, at), behind)) note(index, 'url')
      }
    } else if ('url' in node)
      for (const { 1: mark, index } of node.url.matchAll(pattern)) note(mark, 'url', 'markdown', index === 0)
    if (!('children' in node)) return
    for (const child of node.children) visit(child)
    depth.code = code
  }
  visit(parse(edited))
  return contexts
}

/** Returns true in a URL attribute or a comment. */
function mayBePathInHtml(before: string, hole: HoleContext): boolean {
  return (
    (hole === 'url' && /=\s*["']?\s*$/.test(before.slice(-LONGEST_LABEL))) ||
    before.lastIndexOf('<!--') > before.lastIndexOf('-->')
  )
}

/** Returns a function that tests whether the line contains only shortcodes and white space, so that it is removed. */
function createIsAlone(text: string): (at: number) => boolean {
  let line = { end: -1, isAlone: false }
  return (at) => {
    if (at <= line.end) return line.isAlone
    const start = text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    const words = text.slice(start, end === -1 ? text.length : end)
    line = { end: start + words.length, isAlone: words.replace(/\{\{[<%].*?[>%]\}\}/g, '').trim() === '' }
    return line.isAlone
  }
}

interface Mark {
  readonly index: number
  /** Offset in the edited text. */
  readonly at: number
}

function marksIn(edits: readonly ShortcodeEdit[]): readonly Mark[] {
  let shift = 0
  return edits.map(({ from, to, text }, index) => {
    const mark = { index, at: from + shift }
    shift += text.length - (to - from)
    return mark
  })
}

function marksWithin(marks: readonly Mark[], { position }: Nodes): number[] {
  const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
  const within: number[] = []
  for (let at = lastAtOrBefore(marks, start, (mark) => mark.at); at < marks.length; at++) {
    const mark = marks[at]
    if (mark === undefined || mark.at >= end) break
    if (mark.at > start) within.push(mark.index)
  }
  return within
}

function createPlaces(text: string) {
  let starts: readonly number[] | undefined
  const positionAt = (offset: number) => positionIn((starts ??= lineStarts(text)), offset)
  return { of: ({ at, length }: Shortcode) => ({ ...positionAt(at), end: positionAt(at + length) }) }
}
