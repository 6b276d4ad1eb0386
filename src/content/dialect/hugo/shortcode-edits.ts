import type { Position, Problem } from '../../../model/diagnostic.ts'
import { lineStarts, positionIn } from '../../line-starts.ts'
import { type FindOwnElement, missingAttribute, type OwnElement, withoutAttribute } from '../own-elements.ts'
import type { TextEdit } from '../text-edits.ts'
import { type Shortcode, readShortcodes } from './read-shortcodes.ts'
import { createShowTabs } from './tab-shortcodes.ts'
import { boxOf, fenceAround, figureOf, linkOf, ownElementOf, type Shown } from './shown-shortcodes.ts'

export interface ShortcodeEdits {
  readonly edits: readonly TextEdit[]
  /** Places are those of the text. */
  readonly problems: readonly Problem[]
}

/** Makes Markdown of the shortcodes that come with Hugo or that all themes have; of others, what stands in them stays. */
export function shortcodeEdits(text: string, findOwn: FindOwnElement = () => undefined): ShortcodeEdits {
  const edits: TextEdit[] = []
  const problems: Problem[] = []
  const codes = readShortcodes(text)
  const endings = pairsOf(codes)
  const places = createPlaces(text)
  const showTabs = createShowTabs()
  let hiddenUpTo = 0
  let highlightedUpTo = 0
  for (const code of codes) {
    if (code.at < hiddenUpTo || code.kind === 'close') continue
    const ending = endings.get(code)
    if (code.name === 'comment' && ending !== undefined) {
      hiddenUpTo = ending.at + ending.length
      edits.push({ at: code.at, length: hiddenUpTo - code.at, text: '' })
      continue
    }
    // Code within code is the same code.
    const isInner = code.name === 'highlight' && code.at < highlightedUpTo
    const own =
      isInner || code.kind === 'escaped'
        ? undefined
        : findOwn(code.name, () => Object.fromEntries(code.parameters))
    const shown =
      own === undefined
        ? isInner
          ? { open: '' }
          : (showTabs(code, ending, text) ?? showShortcode(code, ending, text))
        : showOwn(code, own, { ending, text, problems, places })
    if (code.name === 'highlight' && !isInner) highlightedUpTo = ending?.at ?? 0
    if (shown === undefined) problems.push(removed(code, places))
    edits.push({ at: code.at, length: code.length, text: shown?.open ?? '' })
    if (ending !== undefined) edits.push({ at: ending.at, length: ending.length, text: shown?.close ?? '' })
  }
  // What closes nothing is no tag of anything.
  const paired = new Set(endings.values())
  for (const code of codes)
    if (code.kind === 'close' && !paired.has(code) && code.at >= hiddenUpTo)
      edits.push({ at: code.at, length: code.length, text: '' })
  return { edits: withoutOverlap(edits), problems }
}

function showOwn(
  code: Shortcode,
  own: OwnElement,
  {
    ending,
    text,
    problems,
    places,
  }: {
    readonly ending: Shortcode | undefined
    readonly text: string
    readonly problems: Problem[]
    readonly places: Places
  },
): Shown {
  const { attributes, ...shown } = ownElementOf(code, own, ending, text)
  const lacking = missingAttribute(own.element, (attribute) => attributes.has(attribute))
  if (lacking !== undefined)
    problems.push({
      ...removed(code, places),
      ...withoutAttribute(`The shortcode "${code.name}"`, own.element, lacking),
    })
  return shown
}

function showShortcode(
  code: Shortcode,
  ending: Shortcode | undefined,
  text: string,
): { readonly open: string; readonly close?: string } | undefined {
  if (code.kind === 'escaped')
    return { open: code.written.replace(/\/\*\s*/, ' ').replace(/(?<!\s)\s*\*\//, ' ') }
  switch (code.name) {
    case 'ref':
    case 'relref':
      return { open: linkOf(code) }
    case 'figure':
      return { open: figureOf(code) }
    case 'highlight':
      return ending && highlight(code, text.slice(code.at + code.length, ending.at))
    default:
      return ending && boxOf(code, ending, text)
  }
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
function withoutOverlap(edits: readonly TextEdit[]): TextEdit[] {
  let end = 0
  return edits
    .toSorted((a, b) => a.at - b.at || b.length - a.length)
    .filter(({ at, length }) => {
      if (at < end) return false
      end = at + length
      return true
    })
}

function removed({ at, length, name }: Shortcode, { positionAt }: Places): Problem {
  return {
    code: 'shortcode-removed',
    ...positionAt(at),
    end: positionAt(at + length),
    message: `The shortcode "${name}" is not known here, so only what stands in it is kept.`,
    hint: 'Name the element that it is in shortcodes of the configuration, or say in Markdown what a reader has to know.',
  }
}

interface Places {
  readonly positionAt: (offset: number) => Position
}

function createPlaces(text: string): Places {
  let starts: readonly number[] | undefined
  return { positionAt: (offset) => positionIn((starts ??= lineStarts(text)), offset) }
}
