// Tabs are no part of Hugo, but most themes have them. They are shown below each other, each under its label.
import { escapeHtml } from '../own-elements.ts'
import type { Shortcode } from './read-shortcodes.ts'
import { aroundMarkdown, fenceAround, indentBefore, type Shown } from './shown-shortcodes.ts'

const GROUPS = new Set(['tabs', 'tabpane', 'tab-pane', 'tabset', 'tab-set', 'tabgroup', 'tab-group'])
const TABS = new Set(['tab', 'tabitem', 'tab-item'])

/** Makes Markdown of tabs; to be asked for each shortcode in the order of the text. Undefined: it is none. */
export type ShowTabs = (code: Shortcode, ending: Shortcode | undefined, text: string) => Shown | undefined

export function createShowTabs(): ShowTabs {
  const groups: { readonly code: Shortcode; readonly end: number; count: number }[] = []
  return (code, ending, text) => {
    if (code.kind === 'escaped') return undefined
    if (GROUPS.has(code.name)) {
      if (ending !== undefined) groups.push({ code, end: ending.at, count: 0 })
      return { open: '', close: '' }
    }
    if (!TABS.has(code.name)) return undefined
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
