import type { Dialect } from '../../../core/dialects/dialect.ts'
import { kindIn } from '../../../core/dialects/dialects.ts'
import { columnsOf } from '../../../core/dialects/text-lines.ts'
import type { Problem } from '../../../core/model/diagnostic.ts'
import type { TextEdit } from '../../../core/text-edits.ts'
import {
  type FindOwnElement,
  missingAttribute,
  type OwnElement,
  withoutAttribute,
  escapeHtml,
} from '../own-elements.ts'
import { type PageValues, shownTextOf, valueAt } from '../page-values.ts'
import { type Shortcode, readShortcodes } from './read-shortcodes.ts'
import {
  alertOrDetails,
  embedOf,
  fenceAround,
  figureOf,
  lackOf,
  linkOf,
  ownElementOf,
  type ShortcodeLack,
  type Shown,
  type WrittenShortcode,
  aroundMarkdown,
  indentBelow,
} from './shown-shortcodes.ts'

/** The replacement of a shortcode's tag. */
export interface ShortcodeEdit extends TextEdit {
  /**
   * `removed`: unknown, replaced by nothing. `value`: replaced by its value. `address`: the path of a page, which
   * becomes its URL at the start of a link. `own`: defined by the project.
   */
  readonly kind: 'removed' | 'value' | 'address' | 'own' | 'shown'
  /** The shortcode; undefined for a tag that is final, such as an end tag. */
  readonly code: Shortcode | undefined
  /** The shortcode that an end tag closes. */
  readonly opening?: Shortcode | undefined
  /** What a known shortcode lacks, at the start of a sentence, and how to add it. */
  readonly lack?: ShortcodeLack | undefined
  /** A problem in the result of the project's mapping. */
  readonly fault?: Pick<Problem, 'message' | 'hint'> | undefined
}

/**
 * Converts the shortcodes of the dialect, and keeps the content of others. Edits are in text order, without overlaps.
 *
 * @param values sources of values, in order of precedence
 * @param findOwn finds the project's own shortcodes
 * @param folder that of the page, without its language
 */
export function shortcodeEdits(
  text: string,
  values: readonly PageValues[],
  dialect: Dialect,
  findOwn: FindOwnElement = () => undefined,
  folder = '',
): readonly ShortcodeEdit[] {
  const edits: ShortcodeEdit[] = []
  const put = ({ at, length }: Pick<Shortcode, 'at' | 'length'>, becomes: Replacement): void => {
    const { open, close: _, ...rest } = becomes
    edits.push({ from: at, to: at + length, text: open, ...rest })
  }
  const codes = readShortcodes(text)
  const endings = pairsOf(codes)
  const replace = createReplace(values, findOwn, folder)
  let hiddenUpTo = 0
  let highlightedUpTo = 0
  for (const code of codes) {
    if (code.at < hiddenUpTo || code.kind === 'close') continue
    const ending = endings.get(code)
    const kind = kindIn(dialect.text.shortcodes, code.name)
    if (kind === 'nothing' && ending !== undefined) {
      hiddenUpTo = ending.at + ending.length
      put({ at: code.at, length: hiddenUpTo - code.at }, GONE)
      continue
    }
    // Nested code belongs to the outer code.
    const isInner = kind === 'code' && code.at < highlightedUpTo
    if (kind === 'code' && !isInner) highlightedUpTo = ending?.at ?? 0
    const becomes = isInner ? GONE : replace({ code, kind, ending, text })
    put(code, becomes)
    if (ending === undefined) continue
    put(ending, { ...GONE, open: becomes.close ?? '', opening: code })
    if (kind === 'tab') edits.push(...indentTab(text, code, ending))
  }
  // An end tag without a start tag is ignored.
  const paired = new Set(endings.values())
  for (const code of codes)
    if (code.kind === 'close' && !paired.has(code) && code.at >= hiddenUpTo) put(code, GONE)
  return withoutOverlap(edits)
}

interface Replacement extends Omit<ShortcodeEdit, keyof TextEdit> {
  readonly open: string
  readonly close?: string
}

const GONE: Replacement = { open: '', kind: 'shown', code: undefined }

function createReplace(values: readonly PageValues[], findOwn: FindOwnElement, folder: string) {
  const showTabs = createShowTabs()
  return (written: WrittenShortcode): Replacement => {
    const { code, kind } = written
    const isEscaped = code.kind === 'escaped'
    const own = isEscaped ? undefined : findOwn(code.name, () => Object.fromEntries(code.parameters))
    if (own !== undefined) return { ...showOwn(written, own), kind: 'own', code }
    const params = kind === 'value' ? paramsOf(code, values) : []
    const value = params.map(shownTextOf).find((each) => each !== undefined)
    if (value !== undefined) return { open: value, kind: 'value', code }
    const link = kind === 'address' && !isEscaped ? linkOf(code, folder) : ''
    if (link !== '') return { open: link, kind: 'address', code }
    const shown = showTabs(written) ?? showShortcode(written)
    if (shown === undefined)
      return { open: '', kind: 'removed', code, lack: lackOf(code, kind, params.length > 0) }
    return { ...shown, kind: 'shown', code: isEscaped ? undefined : code }
  }
}

/** Returns the values from the page, then those from the site. Nested keys are joined by dots. */
function paramsOf({ parameters }: Shortcode, values: readonly PageValues[]): readonly unknown[] {
  const name = parameters.get('0') ?? ''
  if (name === '') return []
  const [page, ...site] = values
  const own = page === undefined ? [] : [page, { ...Object(page['params']) } as PageValues]
  return [...own, ...site]
    .flatMap((each) => [valueAt(each, [name], true), valueAt(each, name.split('.'), true)])
    .filter((found) => found !== undefined)
}

function showOwn(written: WrittenShortcode, own: OwnElement): Shown & Pick<ShortcodeEdit, 'fault'> {
  const { attributes, ...shown } = ownElementOf(written, own)
  const lacking = missingAttribute(own.element, (attribute) => attributes.has(attribute))
  const fault =
    lacking === undefined
      ? undefined
      : withoutAttribute(`The shortcode "${written.code.name}"`, own.element, lacking)
  return { ...shown, fault }
}

function showShortcode(written: WrittenShortcode): Pick<Replacement, 'open' | 'close'> | undefined {
  const { code, kind, ending, text } = written
  if (code.kind === 'escaped')
    return { open: code.written.replace(/\/\*\s*/, ' ').replace(/(?<!\s)\s*\*\//, ' ') }
  if (kind === 'figure') return figureOf(code)
  if (typeof kind === 'object') return embedOf(code, kind)
  if (ending === undefined) return undefined
  return kind === 'code'
    ? highlight(code, text.slice(code.at + code.length, ending.at))
    : alertOrDetails({ ...written, ending })
}

function highlight({ parameters }: Shortcode, inner: string) {
  return fenceAround(parameters.get('0') ?? parameters.get('lang') ?? '', inner)
}

/** Maps each shortcode to its end tag, if it has one. */
function pairsOf(codes: readonly Shortcode[]): ReadonlyMap<Shortcode, Shortcode> {
  const pairs = new Map<Shortcode, Shortcode>()
  const open: Shortcode[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const code of codes) {
    if (code.kind === 'open') {
      open.push(code)
      count(code.name, 1)
    }
    if (code.kind !== 'close' || (counts.get(code.name) ?? 0) === 0) continue
    let opened: Shortcode | undefined
    do {
      opened = open.pop()
      if (opened !== undefined) count(opened.name, -1)
    } while (opened !== undefined && opened.name !== code.name)
    if (opened !== undefined) pairs.set(opened, code)
  }
  return pairs
}

/** Drops edits inside removed text. */
function withoutOverlap(edits: readonly ShortcodeEdit[]): ShortcodeEdit[] {
  let end = 0
  return edits
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}

/** Shows tabs as sections with their labels. Called in text order. Returns undefined if it is not a tab. */
type ShowTabs = (written: WrittenShortcode) => Shown | undefined

function createShowTabs(): ShowTabs {
  const groups: { readonly code: Shortcode; readonly end: number; count: number }[] = []
  return (written) => {
    const { code, kind, ending, text } = written
    if (code.kind === 'escaped') return undefined
    if (kind === 'tabs') {
      if (ending !== undefined) groups.push({ code, end: ending.at, count: 0 })
      return { open: '', close: '' }
    }
    if (kind !== 'tab') return undefined
    while (groups.length > 0 && (groups.at(-1)?.end ?? 0) < code.at) groups.pop()
    const group = groups.at(-1)
    const label = labelOf(code, group)
    const words = `<strong>${escapeHtml(label)}</strong></p>`
    if (ending === undefined) return { open: label === '' ? '' : `<p>${words}`, close: '' }
    const section = {
      open: `<div class="markdown-tab"><p class="markdown-tab-title">${words}`,
      close: '</div>',
    }
    const shown = label === '' ? { open: '', close: '' } : section
    const language = code.parameters.get('lang') ?? group?.code.parameters.get('lang')
    const isText = [code, group?.code].some((each) => each?.parameters.get('text') === 'true')
    if (language !== undefined && !isText) return showCode(shown, language, code, ending, text)
    return label === '' ? shown : aroundMarkdown(shown, { ...written, ending })
  }
}

/** Indents a tab. Themes read it by itself, so its lines may be indented less than those of the enclosing list item. */
function indentTab(text: string, code: Shortcode, ending: Shortcode): ShortcodeEdit[] {
  const indent = indentBelow(text, code.at)
  const first = text.indexOf('\n', code.at + code.length) + 1
  const inner = text.slice(first, text.lastIndexOf('\n', ending.at) + 1)
  if (indent.trim() !== '' || first === 0 || /\{\{[<%]/.test(inner)) return []
  const lines = [...inner.matchAll(/^([ \t]*)\S/gm)].map(({ 1: before = '', index }) => ({
    at: first + index,
    columns: columnsOf(before),
  }))
  const missing =
    indent.length - lines.reduce((least, { columns }) => Math.min(least, columns), indent.length)
  if (missing <= 0) return []
  return lines.map(({ at }) => ({
    from: at,
    to: at,
    text: ' '.repeat(missing),
    kind: 'shown',
    code: undefined,
  }))
}

/** Returns the tab's own label, as in the themes, else the label of the group. */
function labelOf({ parameters }: Shortcode, group: { readonly code: Shortcode; count: number } | undefined) {
  const own = ['header', 'name', 'title', 'label', 'tabName', 'tabname', '0'].map((key) =>
    parameters.get(key),
  )
  const label = own.find((each) => each !== undefined && each !== '')
  const items = group?.code.parameters.get('items')?.split(',') ?? []
  const ofGroup = group === undefined ? undefined : items[group.count++]
  return (label ?? ofGroup ?? parameters.get('lang') ?? '').trim()
}

/** In a group of code tabs, the content of a tab is code without a fence. */
function showCode(shown: Shown, language: string, code: Shortcode, ending: Shortcode, text: string): Shown {
  const indent = indentBelow(text, code.at)
  const { open, close } = fenceAround(language, text.slice(code.at + code.length, ending.at))
  const gap = shown.open === '' ? '' : `\n\n${indent}`
  return { open: `${shown.open}${gap}${open}`, close: `${close}${gap}${shown.close}\n` }
}
