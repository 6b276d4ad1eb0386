import type GithubSlugger from 'github-slugger'
import type { Element, Parents, Properties, Root } from 'hast'
import type { SourceRange, Problem } from '../../core/model/diagnostic.ts'
import { type AnchorIndex, createAnchorIndex } from './anchors.ts'
import type { Definitions } from './mdast-to-hast.ts'
import { collapseSpace, textOf } from './plain-text.ts'
import { rangeOf } from '../source/source-problem.ts'
import { locateAddress, type SourceRanges } from './source-ranges.ts'
import type { Heading, LocatedUrl, Slot } from './rendered-body.ts'
import { screenUrl, shortenUrl, stripAddress, URL_PROPERTIES, mapSrcset } from './screen-url.ts'
import { slotToken } from './slot-template.ts'

interface Annotations {
  readonly headings: Heading[]
  readonly anchors: string[]
  readonly slots: Slot[]
  readonly externals: LocatedUrl[]
  /** Attributes that contain URLs, which are filled when all anchors are known. */
  readonly addresses: (readonly [element: Element, key: string])[]
  /** Links within the document, which are checked when all anchors are known. */
  readonly fragmentLinks: Element[]
  readonly problems: Problem[]
}

interface AnnotateContext {
  readonly slugger: GithubSlugger
  readonly nonce: string
  readonly ranges: SourceRanges
  readonly definitions: Definitions
  /** True if terms of definition lists get ids. */
  readonly namesTerms: boolean
  /** Id of the heading that is not sent because it is the title. */
  readonly titleAnchor: string | undefined
}

const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Adds ids to headings and terms, replaces local URLs with slot tokens, and removes dangerous ones, in place. */
export function annotateTree(tree: Root, context: AnnotateContext, problems: Problem[]): Annotations {
  const found: Annotations = {
    headings: [],
    // A link to the title leads to the top of the page, which shows the title although it is not in this HTML.
    anchors: context.titleAnchor === undefined ? [] : [context.titleAnchor],
    slots: [],
    externals: [],
    addresses: [],
    fragmentLinks: [],
    problems,
  }
  nameChildren(tree, context, found)
  let index: AnchorIndex | undefined
  const hasAnchor = (fragment: string) =>
    (index ??= createAnchorIndex(found.anchors)).find(fragment) !== undefined
  const filling: FillContext = { ...context, hasAnchor }
  for (const [element, key] of found.addresses) {
    if (key === 'srcSet') fillSrcset(element, filling, found)
    else fillAddress(element, key, filling, found)
  }
  return found
}

function nameChildren(parent: Parents, context: AnnotateContext, found: Annotations): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const { tagName, properties } = child
    if (HEADINGS.has(tagName)) nameHeading(child, context, found)
    else if (context.namesTerms && tagName === 'dt') nameTerm(child, context)
    collectAnchors(properties, found)
    for (const key in properties) {
      if (key === 'className') dropEmptyClass(properties)
      else if (key === 'srcSet' || URL_PROPERTIES.has(key)) found.addresses.push([child, key])
    }
    nameChildren(child, context, found)
  }
}

interface FillContext extends AnnotateContext {
  readonly hasAnchor: (fragment: string) => boolean
}

function nameHeading(element: Element, { slugger, ranges }: AnnotateContext, found: Annotations): void {
  const { properties } = element
  if (properties['id'] === 'footnote-label') return
  const text = textOf(element).normalize('NFC')
  const id = typeof properties['id'] === 'string' ? properties['id'] : slugger.slug(text)
  if (id !== '') properties['id'] = id
  const depth = Number(element.tagName.charAt(1))
  found.headings.push({ id, depth, text: collapseSpace(text), ...ranges.of(element) })
}

function nameTerm(element: Element, { slugger }: AnnotateContext): void {
  const id = element.properties['id'] ?? slugger.slug(textOf(element).normalize('NFC'))
  if (id !== '') element.properties['id'] = id
}

/** The sanitizer removes single class names and leaves an empty attribute. */
function dropEmptyClass(properties: Properties): void {
  if (Array.isArray(properties['className']) && properties['className'].length === 0)
    delete properties['className']
}

function collectAnchors({ id, name }: Properties, { anchors }: Annotations): void {
  if (typeof id === 'string' && id !== '') anchors.push(id)
  if (typeof name === 'string' && name !== '' && name !== id) anchors.push(name)
}

function fillAddress(element: Element, key: string, context: FillContext, found: Annotations): void {
  const value = element.properties[key]
  const written = typeof value === 'string' ? value : String(value)
  const screened = screenUrl(written, URL_PROPERTIES.get(key) ?? 'resource')
  switch (screened.kind) {
    case 'keep':
      element.properties[key] = screened.url
      if (SLOTS[element.tagName]?.[key] !== undefined)
        addExternal(screened.url, written, element, context, found)
      return
    case 'fragment':
      if (element.tagName !== 'a') return
      if (leavesPart(element, written, context)) fillSlot(element, key, written, context, found)
      else found.fragmentLinks.push(element)
      return
    case 'slot':
      fillSlot(element, key, written, context, found)
      return
    case 'remove':
      delete element.properties[key]
      addProblem(urlProblem(element, written, screened.scheme, context), element, context, found)
  }
}

/** Returns true if a link in an included part leads to another part of that file. */
function leavesPart(element: Element, url: string, { ranges, hasAnchor }: FillContext): boolean {
  if (ranges.of(element).source === undefined) return false
  const fragment = url.trim().slice(1)
  return fragment !== '' && fragment.toLowerCase() !== 'top' && !hasAnchor(fragment)
}

/** Attributes that may name files of the project, by tag and property. */
const SLOTS: Readonly<Record<string, Readonly<Record<string, Slot['kind']>>>> = {
  a: { href: 'link' },
  img: { src: 'image' },
  audio: { src: 'media' },
  source: { src: 'media' },
  track: { src: 'media' },
  video: { src: 'media', poster: 'image' },
}

function fillSlot(element: Element, key: string, url: string, context: AnnotateContext, found: Annotations) {
  const kind = SLOTS[element.tagName]?.[key]
  if (kind !== undefined) element.properties[key] = addSlot(kind, url, element, context, found)
}

function fillSrcset(element: Element, context: AnnotateContext, found: Annotations): void {
  element.properties['srcSet'] = mapSrcset(String(element.properties['srcSet']), (url) => {
    const screened = screenUrl(url, 'resource')
    if (screened.kind === 'slot') return addSlot('image', url, element, context, found)
    if (screened.kind === 'keep') addExternal(screened.url, url, element, context, found)
    if (screened.kind !== 'remove') return url
    found.problems.push(urlProblem(element, url, screened.scheme, context))
    return undefined
  })
}

function addSlot(
  kind: Slot['kind'],
  url: string,
  element: Element,
  { nonce, ranges, definitions }: AnnotateContext,
  { slots }: Annotations,
): string {
  const address = stripAddress(url)
  const range =
    rangeOfOriginal(element, address, slots, ranges) ??
    locateAddress(element, url.trim(), ranges, definitions)
  slots.push({ kind, url: address, ...range })
  return slotToken(nonce, slots.length - 1)
}

/** The HTML parser repeats an unclosed link in the following elements; these copies have no position in the text. */
function isCopy(element: Element, ranges: SourceRanges): boolean {
  return ranges.textOf(element) === ''
}

function rangeOfOriginal(
  element: Element,
  wanted: string,
  found: readonly (SourceRange & { readonly url: string })[],
  ranges: SourceRanges,
): SourceRange | undefined {
  const original = isCopy(element, ranges) ? found.findLast(({ url }) => url === wanted) : undefined
  return original && rangeOf(original)
}

/** Another site, or an address such as `mailto:`. An embedded image is long, and leads nowhere. */
const ELSEWHERE = /^(?:[/\\]{2}|(?!data:)[a-z][a-z\d+.-]*:)/i

function addExternal(
  url: string,
  written: string,
  element: Element,
  { ranges, definitions }: AnnotateContext,
  { externals }: Annotations,
): void {
  if (!ELSEWHERE.test(url)) return
  const range =
    rangeOfOriginal(element, url, externals, ranges) ??
    locateAddress(element, written.trim(), ranges, definitions)
  externals.push({ url, ...range })
}

function addProblem(
  problem: Problem,
  element: Element,
  { ranges }: AnnotateContext,
  { problems }: Annotations,
): void {
  if (!isCopy(element, ranges) || problems.every(({ message }) => message !== problem.message))
    problems.push(problem)
}

function urlProblem(element: Element, url: string, scheme: string, { ranges }: AnnotateContext): Problem {
  return {
    code: 'url-removed',
    ...ranges.of(element),
    message: `The URL "${shortenUrl(url)}" was removed, because the scheme ${scheme}: is not allowed.`,
    hint: 'Use http, https, mailto or tel. If it is a file name with a colon, put ./ before it.',
  }
}
