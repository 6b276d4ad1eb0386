import { posix } from 'node:path'
import type { EmbedShortcode, ShortcodeKind } from '../../../core/dialects/dialect.ts'
import { fenceFor } from '../../../core/dialects/text-lines.ts'
import { VOID_ELEMENTS } from '../../../core/model/element-mapping.ts'
import { escapeHtml, openTag, type OwnElement } from '../own-elements.ts'
import { alertClassOf, isAlertName } from '../alerts.ts'
import { PHRASING } from '../tree-node.ts'
import type { Shortcode } from './read-shortcodes.ts'

/**
 * The URL of `{{< ref "guides/start.md#first" >}}`; empty without a path. With `lang`, it is root-relative.
 *
 * @param folder that of the page, without its language
 */
export function linkOf({ parameters }: Shortcode, folder = ''): string {
  const written = parameters.get('path') ?? parameters.get('0') ?? ''
  const language = parameters.get('lang')
  const path =
    language === undefined || written === ''
      ? written
      : posix.join(
          `/${language}`,
          written.startsWith('.') ? folder : '',
          written.replace(/(?:(?<![^/])_?index)?\.md(?=#|$)/g, ''),
        )
  return encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29')
}

/** Returns an image with its caption, or either alone; undefined without both. */
export function figureOf({ parameters }: Shortcode): { readonly open: string } | undefined {
  const value = (name: string): string => escapeHtml(parameters.get(name) ?? '')
  const [source, link] = [value('src'), value('link')]
  const caption = [value('title'), value('caption')].filter(Boolean).join(': ')
  if (source === '' && caption === '') return undefined
  const image = source && `<img src="${source}" alt="${value('alt') || value('caption')}">`
  const linked = image && link ? `<a href="${link}">${image}</a>` : image
  return { open: `<figure>${linked}${caption && `<figcaption>${caption}</figcaption>`}</figure>` }
}

/** What a shortcode lacks, at the start of a sentence, and how to add it. */
export interface ShortcodeLack {
  readonly what: string
  readonly hint: string
}

/**
 * Returns what a shortcode that cannot be shown lacks; undefined if it is unknown.
 *
 * @param hasParam true if its parameter exists, although it cannot be shown
 */
export function lackOf(
  { name, parameters }: Shortcode,
  kind: ShortcodeKind | undefined,
  hasParam: boolean,
): ShortcodeLack | undefined {
  const without = (argument: string): ShortcodeLack => ({
    what: `The shortcode "${name}" has no ${argument}`,
    hint: `Add its ${argument}, or remove the shortcode.`,
  })
  if (kind === 'address') return without('path')
  if (kind === 'figure') return without('src')
  if (typeof kind === 'object')
    return without(
      kind.names.find((each, index) => !parameters.get(each) && !parameters.get(String(index))) ?? 'id',
    )
  if (kind === 'value') {
    const key = parameters.get('0') ?? ''
    if (key === '') return without('name')
    const what = hasParam
      ? `The parameter "${key}" is not one paragraph of text`
      : `There is no parameter "${key}" in the page or the site`
    return {
      what,
      hint: 'Set it in the frontmatter or in the params of the site, or write the value itself.',
    }
  }
  return kind === undefined && !isAlertName(name)
    ? undefined
    : {
        what: `The shortcode "${name}" has no end tag`,
        hint: `Add {{< /${name} >}}, or map it to an element with shortcodes in the configuration.`,
      }
}

/** Returns a link to a video or post; undefined if a required argument is missing. */
export function embedOf({ parameters }: Shortcode, { label, names, urlOf }: EmbedShortcode) {
  const values = new Map(names.map((name, index) => [name, parameters.get(String(index))]))
  const valueOf = (name: string) => parameters.get(name) ?? values.get(name) ?? ''
  const written = ['user', ...names].map((name) => [name, encodeURIComponent(valueOf(name))] as const)
  const url = urlOf(Object.fromEntries(written.filter(([, value]) => value !== '')))
  // Encoded, because Markdown is not read inside HTML, and punctuation could be markup in Markdown.
  const title = (valueOf('title') || label).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return url === undefined ? undefined : { open: `<a href="${url}">${title}</a>` }
}

/** Returns a code block around the content of a shortcode. */
export function fenceAround(language: string, inner: string): Shown {
  const fence = fenceFor(inner)
  const isBroken = /^[ \t]*\n/.test(inner)
  const open = `${fence}${language}${isBroken ? '' : '\n'}`
  return { open, close: /\n[ \t]*$/.test(inner) ? fence : `\n${fence}` }
}

/** A shortcode in a text, with its end tag, if it has one. */
export interface WrittenShortcode {
  readonly code: Shortcode
  readonly kind: ShortcodeKind | undefined
  readonly ending: Shortcode | undefined
  readonly text: string
}

type PairedShortcode = WrittenShortcode & { readonly ending: Shortcode }

/** Returns an alert or a details element; undefined for anything else. */
export function alertOrDetails(pair: PairedShortcode): Shown | undefined {
  const head = headOf(pair.code, pair.kind)
  return head && aroundMarkdown(head, pair)
}

/** The replacements of a shortcode and its end tag. */
export interface Shown {
  readonly open: string
  readonly close: string
}

/** Returns the configured element for a shortcode, with its attributes. */
export function ownElementOf(
  written: WrittenShortcode,
  { element, nameOf, values }: OwnElement,
): Shown & { readonly attributes: ReadonlyMap<string, string> } {
  const { code, ending } = written
  const attributes = new Map(
    values === undefined
      ? [...code.parameters].flatMap(([key, value]) => {
          const name = nameOf(key)
          // A number is not an attribute name.
          return name === undefined || /^\d+$/.test(name) ? [] : [[name, value] as const]
        })
      : Object.entries(values),
  )
  const isVoid = VOID_ELEMENTS.has(element)
  const head = { open: openTag(element, attributes), close: isVoid ? '' : `</${element}>` }
  if (ending === undefined) return { open: `${head.open}${head.close}`, close: '', attributes }
  const shown = isVoid || PHRASING.has(element) ? head : aroundMarkdown(head, { ...written, ending })
  return { ...shown, attributes }
}

/** Puts tags around the content of a shortcode. */
export function aroundMarkdown(head: Shown, { code, ending, text }: PairedShortcode): Shown {
  const { at, length } = code
  const inner = text.slice(at + length, ending.at)
  const indent = indentBelow(text, at)
  // In HTML, Markdown is parsed only after an empty line.
  const behind = /^[ \t]*\n[ \t]*\n/.test(inner)
    ? ''
    : /^[ \t]*\n/.test(inner)
      ? `\n${indent}`
      : `\n\n${indent}`
  const isBroken =
    text.includes('\n', at + length) && indentBefore(text, ending.at, at + length) !== undefined
  const before = isBroken ? '' : `\n\n${indent}`
  const end = text.indexOf('\n', ending.at)
  const rest = text.slice(ending.at + ending.length, end === -1 ? undefined : end)
  return {
    open: `${head.open}${behind}`,
    close: `${before}${head.close}\n${rest.trim() === '' ? '' : indent}`,
  }
}

/** Returns the indentation for lines below the line at an offset: that of the quotes and list items it starts in. */
export function indentBelow(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const before = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*/.exec(line)?.[0] ?? ''
  return before.replaceAll(/[^ \t>]/g, ' ')
}

/** Returns the indentation before `at`, or undefined unless a line starts after `from` with only white space. */
function indentBefore(text: string, at: number, from: number): string | undefined {
  let start = at
  while (start > from && /[ \t>]/.test(text[start - 1] ?? '')) start--
  const isLineStart = start === 0 || (start > from && text[start - 1] === '\n')
  return isLineStart ? text.slice(start, at) : undefined
}

function headOf({ name, parameters }: Shortcode, shown: ShortcodeKind | undefined) {
  const title = escapeHtml(parameters.get('title') ?? parameters.get('summary') ?? '')
  if (shown === 'details') {
    const words = title === '' ? escapeHtml(parameters.get('0') ?? 'Details') : title
    return { open: `<details><summary>${words}</summary>`, close: '</details>' }
  }
  const kind = shown === 'box' ? kindOf(parameters) : name
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
