import { isAlertName, alertClassOf } from '../alert-node.ts'
import type { Shortcode } from './read-shortcodes.ts'

/** `{{< ref "guides/start.md#first" >}}` stands where an address may stand. */
export function linkOf({ parameters }: Shortcode): string {
  const path = parameters.get('path') ?? parameters.get('0') ?? ''
  return encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29')
}

export function figureOf({ parameters }: Shortcode): string {
  const value = (name: string): string => escapeHtml(parameters.get(name) ?? '')
  const source = value('src')
  const image = `<img src="${source}" alt="${value('alt') || value('caption')}">`
  const linked = value('link') === '' ? image : `<a href="${value('link')}">${image}</a>`
  const caption = [value('title'), value('caption')].filter(Boolean).join(': ')
  return caption === ''
    ? `<figure>${linked}</figure>`
    : `<figure>${linked}<figcaption>${caption}</figcaption></figure>`
}

const BOXES = new Set(['alert', 'admonition', 'callout', 'hint', 'notice'])

/** An alert, or what a reader opens; undefined where it is neither. */
export function boxOf(
  { name, parameters, at, length }: Shortcode,
  ending: Shortcode,
  text: string,
): { readonly open: string; readonly close: string } | undefined {
  const inner = text.slice(at + length, ending.at)
  const indent = indentBefore(text, at, 0) ?? ''
  // Markdown is read in HTML only behind an empty line.
  const behind = /^[ \t]*\n[ \t]*\n/.test(inner)
    ? ''
    : /^[ \t]*\n/.test(inner)
      ? `\n${indent}`
      : `\n\n${indent}`
  const isBroken =
    text.includes('\n', at + length) && indentBefore(text, ending.at, at + length) !== undefined
  const before = isBroken ? '' : `\n\n${indent}`
  const head = headOf(name, parameters)
  if (head === undefined) return undefined
  return { open: `${head.open}${behind}`, close: `${before}${head.close}\n` }
}

/** What stands on the line before `at`, if that is nothing but indent; undefined where a line does not begin after `from`. */
function indentBefore(text: string, at: number, from: number): string | undefined {
  let start = at
  while (start > from && /[ \t>]/.test(text[start - 1] ?? '')) start--
  const isLineStart = start === 0 || (start > from && text[start - 1] === '\n')
  return isLineStart ? text.slice(start, at) : undefined
}

function headOf(name: string, parameters: Shortcode['parameters']) {
  const title = escapeHtml(parameters.get('title') ?? parameters.get('summary') ?? '')
  if (name === 'details' || name === 'expand') {
    const words = title === '' ? escapeHtml(parameters.get('0') ?? 'Details') : title
    return { open: `<details><summary>${words}</summary>`, close: '</details>' }
  }
  const kind = BOXES.has(name) ? kindOf(parameters) : name
  if (!isAlertName(kind)) return undefined
  const words = title === '' ? kind.charAt(0).toUpperCase() + kind.slice(1) : title
  return {
    open: `<div class="${alertClassOf(kind)}"><p class="markdown-alert-title">${words}</p>`,
    close: '</div>',
  }
}

function kindOf(parameters: Shortcode['parameters']): string {
  const written = ['type', 'color', 'context', 'style', '0'].map((name) =>
    parameters.get(name)?.toLowerCase(),
  )
  return written.find((name) => name !== undefined && isAlertName(name)) ?? 'note'
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
