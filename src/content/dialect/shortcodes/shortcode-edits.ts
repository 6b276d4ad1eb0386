import type { Dialect, ShortcodeKind } from '../../../core/dialects/dialect.ts'
import { kindIn } from '../../../core/dialects/dialects.ts'
import type { Problem } from '../../../core/model/diagnostic.ts'
import type { TextEdit } from '../../../core/text-edits.ts'
import {
  type FindOwnElement,
  missingAttribute,
  type OwnElement,
  withoutAttribute,
  escapeHtml,
} from '../own-elements.ts'
import { type PageValues, textAt } from '../page-values.ts'
import { type Shortcode, readShortcodes } from './read-shortcodes.ts'
import {
  boxOf,
  fenceAround,
  figureOf,
  linkOf,
  ownElementOf,
  type Shown,
  aroundMarkdown,
  indentBefore,
} from './shown-shortcodes.ts'

/** What becomes of a tag of a shortcode. */
export interface ShortcodeEdit extends TextEdit {
  /**
   * `removed`: no one knows it, and nothing takes its place. `value`: what it stands for. `address`: the path of a page,
   * which becomes its address where it begins the URL of a link. `own`: the project's own.
   */
  readonly kind: 'removed' | 'value' | 'address' | 'own' | 'shown'
  /** The shortcode itself; undefined for a tag that needs no second look, such as one that closes. */
  readonly code: Shortcode | undefined
  /** Whether it stands for a value, which may be missing. */
  readonly isValue?: boolean
  /** What is wrong with what the project makes of its own. */
  readonly fault?: Pick<Problem, 'message' | 'hint'> | undefined
}

/**
 * Makes Markdown of the shortcodes that the dialect knows; of others, what stands in them stays. In the order of the text,
 * without overlaps.
 *
 * @param values where those look that stand for a value, one after the other
 * @param findOwn the shortcodes of the project's own
 */
export function shortcodeEdits(
  text: string,
  values: readonly PageValues[],
  dialect: Dialect,
  findOwn: FindOwnElement = () => undefined,
): readonly ShortcodeEdit[] {
  const edits: ShortcodeEdit[] = []
  const put = ({ at, length }: Pick<Shortcode, 'at' | 'length'>, becomes: Replacement): void => {
    const { open, close: _, ...rest } = becomes
    edits.push({ from: at, to: at + length, text: open, ...rest })
  }
  const codes = readShortcodes(text)
  const endings = pairsOf(codes)
  const replace = createReplace(text, values, findOwn)
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
    // Code within code is the same code.
    const isInner = kind === 'code' && code.at < highlightedUpTo
    if (kind === 'code' && !isInner) highlightedUpTo = ending?.at ?? 0
    const becomes = isInner ? GONE : replace(code, kind, ending)
    put(code, becomes)
    if (ending !== undefined) put(ending, { ...GONE, open: becomes.close ?? '' })
  }
  // What closes nothing is no tag of anything.
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

function createReplace(text: string, values: readonly PageValues[], findOwn: FindOwnElement) {
  const showTabs = createShowTabs()
  return (code: Shortcode, kind: ShortcodeKind | undefined, ending: Shortcode | undefined): Replacement => {
    const isEscaped = code.kind === 'escaped'
    const own = isEscaped ? undefined : findOwn(code.name, () => Object.fromEntries(code.parameters))
    if (own !== undefined) return { ...showOwn(code, own, ending, text), kind: 'own', code }
    const value = kind === 'value' ? paramOf(code, values) : undefined
    if (value !== undefined) return { open: value, kind: 'value', code }
    if (kind === 'address' && !isEscaped) return { open: linkOf(code), kind, code }
    const shown = showTabs(code, kind, ending, text) ?? showShortcode(code, kind, ending, text)
    if (shown === undefined) return { open: '', kind: 'removed', code, isValue: kind === 'value' }
    return { ...shown, kind: 'shown', code: isEscaped ? undefined : code }
  }
}

/** What the page says, else the site: keys of what keys hold are joined by dots. */
function paramOf({ parameters }: Shortcode, values: readonly PageValues[]): string | undefined {
  const name = parameters.get('0') ?? ''
  if (name === '') return undefined
  const [page, ...site] = values
  const own = page === undefined ? [] : [page, { ...Object(page['params']) } as PageValues]
  for (const each of [...own, ...site]) {
    const text = textAt(each, [name], true) ?? textAt(each, name.split('.'), true)
    if (text !== undefined) return text
  }
  return undefined
}

function showOwn(
  code: Shortcode,
  own: OwnElement,
  ending: Shortcode | undefined,
  text: string,
): Shown & Pick<ShortcodeEdit, 'fault'> {
  const { attributes, ...shown } = ownElementOf(code, own, ending, text)
  const lacking = missingAttribute(own.element, (attribute) => attributes.has(attribute))
  const fault =
    lacking === undefined ? undefined : withoutAttribute(`The shortcode "${code.name}"`, own.element, lacking)
  return { ...shown, fault }
}

function showShortcode(
  code: Shortcode,
  kind: ShortcodeKind | undefined,
  ending: Shortcode | undefined,
  text: string,
): { readonly open: string; readonly close?: string } | undefined {
  if (code.kind === 'escaped')
    return { open: code.written.replace(/\/\*\s*/, ' ').replace(/(?<!\s)\s*\*\//, ' ') }
  if (kind === 'figure') return { open: figureOf(code) }
  if (ending === undefined) return undefined
  return kind === 'code'
    ? highlight(code, text.slice(code.at + code.length, ending.at))
    : boxOf(code, kind, ending, text)
}

function highlight({ parameters }: Shortcode, inner: string) {
  return fenceAround(parameters.get('0') ?? parameters.get('lang') ?? '', inner)
}

/** The closing one of each that has one. */
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

/** Within what is left out nothing else is changed. */
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

/** Shows tabs below each other, each under its label; to be asked for each shortcode in the order of the text. Undefined: it is none. */
type ShowTabs = (
  code: Shortcode,
  kind: ShortcodeKind | undefined,
  ending: Shortcode | undefined,
  text: string,
) => Shown | undefined

function createShowTabs(): ShowTabs {
  const groups: { readonly code: Shortcode; readonly end: number; count: number }[] = []
  return (code, kind, ending, text) => {
    if (code.kind === 'escaped') return undefined
    if (kind === 'tabs') {
      if (ending !== undefined) groups.push({ code, end: ending.at, count: 0 })
      return { open: '', close: '' }
    }
    if (kind !== 'tab') return undefined
    while (groups.length > 0 && (groups.at(-1)?.end ?? 0) < code.at) groups.pop()
    const group = groups.at(-1)
    const label = labelOf(code, group)
    const caption = label === '' ? '' : `<p><strong>${escapeHtml(label)}</strong></p>`
    if (ending === undefined) return { open: caption, close: '' }
    const language = code.parameters.get('lang') ?? group?.code.parameters.get('lang')
    const isText = [code, group?.code].some((each) => each?.parameters.get('text') === 'true')
    if (language !== undefined && !isText) return showCode(caption, language, code, ending, text)
    return caption === ''
      ? { open: '', close: '' }
      : aroundMarkdown({ open: caption, close: '' }, code, ending, text)
  }
}

/** Its own, in the words of the themes, else the one that the group has for it. */
function labelOf(
  { parameters }: Shortcode,
  group: { readonly code: Shortcode; count: number } | undefined,
): string {
  const own = ['header', 'name', 'title', 'label', 'tabName', 'tabname', '0'].map((key) =>
    parameters.get(key),
  )
  const label = own.find((each) => each !== undefined && each !== '')
  const items = group?.code.parameters.get('items')?.split(',') ?? []
  const ofGroup = group === undefined ? undefined : items[group.count++]
  return (label ?? ofGroup ?? parameters.get('lang') ?? '').trim()
}

/** In a group of code, what stands in a tab is that, without a fence. */
function showCode(
  caption: string,
  language: string,
  code: Shortcode,
  ending: Shortcode,
  text: string,
): Shown {
  const indent = indentBefore(text, code.at, 0) ?? ''
  const { open, close } = fenceAround(language, text.slice(code.at + code.length, ending.at))
  return { open: `${caption === '' ? '' : `${caption}\n\n${indent}`}${open}`, close: `${close}\n` }
}
