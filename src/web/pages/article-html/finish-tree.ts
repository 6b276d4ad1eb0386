// Prepares sanitised HTML for a page.
import { pictureSizeOf } from '../../picture-size.ts'
import type { Element, ElementContent, Parents, Root, RootContent } from 'hast'
import { type EmbedHost, playerOf } from '../../../core/embed-hosts.ts'
import type { Messages } from '../../../core/page-messages.ts'
import { type PictureSize, storedFileNameOf } from '../../../core/stored-file-names.ts'
import type { LocaliseLink } from './localise-link.ts'

export interface PageHeading {
  readonly id: string
  readonly depth: 2 | 3
  readonly text: string
}

export interface Finishing {
  readonly localise: LocaliseLink
  /** Sizes of pictures that are stored files, by name. */
  readonly pictures: ReadonlyMap<string, PictureSize>
  /** Hosts of videos that may play on the page. */
  readonly embeds?: readonly EmbedHost[] | undefined
  /** Names for screen readers, and the texts of buttons. */
  readonly names: Pick<Messages, 'table' | 'done' | 'open' | 'copy' | 'copied' | (typeof ALERTS)[number]>
}

/** Kinds of alerts. GitHub's syntax gives them their kind as a title. */
const ALERTS = ['note', 'tip', 'important', 'warning', 'caution'] as const

/** Length of a text that is not squeezed to a word per line: its table scrolls instead. */
const LONG_CELL = 60

/** Prefix of the layout's ids. */
const OWN_ID = /^_kb/i

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml|avif)[;,]/i

/**
 * Prepares links, images, tables and code for the page, in place.
 *
 * @returns the headings to list
 */
export function finishTree(tree: Root, finishing: Finishing): PageHeading[] {
  const headings: PageHeading[] = []
  finishIn(tree)
  return headings

  function finishIn(parent: Parents): void {
    // Only the types allow a root here: every child may be in an element.
    parent.children = parent.children.filter((child) => !isField(child)) as ElementContent[]
    parent.children.forEach((child, index) => {
      if (child.type !== 'element') return
      finishElement(child, finishing, headings)
      finishIn(child)
      if (child.tagName === 'table') parent.children[index] = scrolling(child, finishing.names.table)
      if (child.tagName === 'pre') parent.children[index] = copyable(child, finishing.names)
    })
  }
}

/** True for an input field. The check boxes of task lists only show a state. */
function isField(node: RootContent): boolean {
  return node.type === 'element' && node.tagName === 'input' && node.properties['type'] !== 'checkbox'
}

function finishElement(element: Element, finishing: Finishing, headings: PageHeading[]): void {
  const { localise, names, pictures, embeds = [] } = finishing
  const { tagName, properties } = element
  if (isOwn(properties['id'])) delete properties['id']
  if (isOwn(properties['name'])) delete properties['name']
  switch (tagName) {
    case 'a':
      if (typeof properties['href'] === 'string')
        Object.assign(properties, linkProperties(localise(properties['href']), properties['target']))
      if (isBare(element)) properties['dataKbBare'] = ''
      break
    case 'img':
      properties['alt'] ??= ''
      properties['loading'] ??= 'lazy'
      finishPicture(properties, pictures)
      break
    case 'input':
      properties['disabled'] = true
      properties['ariaLabel'] = properties['checked'] === true ? names.done : names.open
      break
    case 'div':
      translateAlert(element, names)
      break
    case 'p':
      if (embeds.length > 0) markVideo(element, embeds)
      break
    case 'pre':
      // Makes long lines scrollable by keyboard, too.
      properties['tabIndex'] = 0
      break
    case 'td':
      if (textOf(element).length > LONG_CELL) properties['dataKbLong'] = ''
      break
    case 'h2':
    case 'h3':
      noteHeading(element, headings)
      break
    default:
  }
  for (const name of ['src', 'poster'] as const) {
    const url = properties[name]
    if (typeof url === 'string' && storedFileNameOf(url) !== undefined) properties[name] = localise(url).url
  }
  keepPictureData(tagName, properties)
}

/** Translates the title of an alert without its own into the language of the page. */
function translateAlert({ properties, children }: Element, names: Finishing['names']): void {
  const { className } = properties
  const kind = ALERTS.find((each) => Array.isArray(className) && className.includes(`markdown-alert-${each}`))
  const title = children.find((child) => child.type === 'element')
  const [text] = title?.children ?? []
  if (kind !== undefined && text?.type === 'text' && text.value.toLowerCase() === kind)
    text.value = names[kind]
}

/** Marks a link to a video that is a paragraph by itself. It becomes a player when a reader clicks it. */
function markVideo(paragraph: Element, hosts: readonly EmbedHost[]): void {
  const [link, ...others] = paragraph.children.filter(
    (child) => child.type !== 'text' || child.value.trim() !== '',
  )
  if (link?.type !== 'element' || link.tagName !== 'a' || others.length > 0) return
  const { href } = link.properties
  const player = typeof href === 'string' ? playerOf(href, hosts) : undefined
  if (player === undefined) return
  paragraph.properties['className'] = ['kb-video']
  link.properties['dataKbPlayer'] = player
}

/** Sets the size of a picture, so that it does not move the text if it loads late. */
function finishPicture(properties: Element['properties'], pictures: Finishing['pictures']): void {
  const { src, width, height } = properties
  if (typeof src !== 'string') return
  const picture = pictures.get(storedFileNameOf(src) ?? '') ?? sizeOfData(src)
  if (picture === undefined) return
  properties['decoding'] = 'async'
  const scale = Number(width ?? picture.width) / picture.width
  if ((height ?? '') !== '' || !(scale > 0)) return
  Object.assign(properties, { width: width ?? picture.width, height: Math.round(picture.height * scale) })
}

/** Returns the size of an embedded picture, if its type states it near its beginning. */
function sizeOfData(src: string): PictureSize | undefined {
  const data = /^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/is.exec(src)?.[1]
  return data === undefined ? undefined : pictureSizeOf(Buffer.from(data.slice(0, READ_CHARACTERS), 'base64'))
}

/** By default, kb-sync embeds pictures of up to 32 kB. */
const READ_CHARACTERS = 64_000

function isOwn(id: unknown): boolean {
  return typeof id === 'string' && OWN_ID.test(id)
}

/** Allows data URLs for images only. */
function keepPictureData(tagName: string, properties: Element['properties']): void {
  const { src, srcSet } = properties
  const isData = typeof src === 'string' && /^data:/i.test(src)
  if (isData && !(tagName === 'img' && PICTURE.test(src))) delete properties['src']
  const candidates = typeof srcSet === 'string' ? srcSet.split(/[\s,]+/) : []
  if (!candidates.every(isSafeCandidate)) delete properties['srcSet']
}

/** @param part of a `srcset`: a URL, a descriptor, or the rest of a URL with commas */
function isSafeCandidate(part: string): boolean {
  return !/^[^/?#]*:/.test(part) || /^https?:/i.test(part) || PICTURE.test(part + ',')
}

function linkProperties({ url, isElsewhere }: ReturnType<LocaliseLink>, target: unknown) {
  if (!isElsewhere) return { href: url, target: undefined, rel: undefined }
  return { href: url, target: target === '_blank' ? target : undefined, rel: ['noopener', 'noreferrer'] }
}

/** True if the text of a link is its URL, which need not be repeated in print. */
function isBare(link: Element): boolean {
  const { href } = link.properties
  const plain = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return typeof href === 'string' && /^https?:/i.test(href) && plain(textOf(link).trim()) === plain(href)
}

function noteHeading(element: Element, headings: PageHeading[]): void {
  const { id, className } = element.properties
  const text = textOf(element).replaceAll(/\s+/g, ' ').trim()
  const isHidden = Array.isArray(className) && className.includes('sr-only')
  if (typeof id !== 'string' || id === '' || text === '' || isHidden) return
  headings.push({ id, text, depth: element.tagName === 'h2' ? 2 : 3 })
}

/** More than a heading or a URL has. Reading all of the text takes long if headings, links or cells are nested. */
const MOST_TEXT = 2000

/** Returns the beginning of the text, and all of it if it is not longer than usual. */
function textOf(node: ElementContent, most = MOST_TEXT): string {
  if (node.type === 'text') return node.value.slice(0, most)
  let text = ''
  for (const child of node.type === 'element' ? node.children : []) {
    if (text.length >= most) break
    text += textOf(child, most - text.length)
  }
  return text
}

/** Adds a button that copies code. Pages without scripts do not show it. */
function copyable(code: Element, { copy, copied }: Finishing['names']): Element {
  const button: Element = {
    type: 'element',
    tagName: 'button',
    properties: { type: 'button', className: ['kb-copy'], dataKbCopied: copied },
    children: [{ type: 'text', value: copy }],
  }
  return { type: 'element', tagName: 'div', properties: { className: ['kb-code'] }, children: [code, button] }
}

/** Makes a wide table scroll by itself. */
function scrolling(table: Element, name: string): Element {
  const caption = table.children.find((child) => child.type === 'element' && child.tagName === 'caption')
  const properties = {
    className: ['kb-scroll'],
    tabIndex: 0,
    role: 'group',
    ariaLabel: (caption === undefined ? '' : textOf(caption).trim()) || name,
  }
  return { type: 'element', tagName: 'div', properties, children: [table] }
}
