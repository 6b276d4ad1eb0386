import { fixAddress, withFragment, decodeAddress } from '../source/link-address.ts'
import { rangeOf } from '../source/source-problem.ts'
import type { Element } from 'hast'
import type { Problem } from '../../core/model/diagnostic.ts'
import { nearest, onlyMeant } from '../../core/nearest.ts'
import type { Definitions } from './mdast-to-hast.ts'
import { locateAddress, type SourceRanges } from './source-ranges.ts'

/** An index of the ids in a document, for links to them. */
export type AnchorIndex = ReturnType<typeof createAnchorIndex>

/** Finds ids like GitHub: exactly, then percent-decoded, then ignoring case and Unicode form. */
export function createAnchorIndex(anchors: readonly string[]) {
  const exact = new Set(anchors)
  const folded = new Map<string, string>()
  for (const anchor of anchors) {
    const key = fold(anchor)
    if (!folded.has(key)) folded.set(key, anchor)
  }
  return {
    /** Returns the id that `fragment` (as written after `#`) refers to; undefined if there is none. */
    find(fragment: string) {
      if (exact.has(fragment)) return fragment
      const decoded = decodeAddress(fragment)
      return exact.has(decoded) ? decoded : folded.get(fold(decoded))
    },
  }
}

/** Returns the fragment (without `#`) by which every browser finds `anchor`. */
export function encodeAnchor(anchor: string): string {
  return encodeURI(anchor.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('#', '%23')
}

function fold(anchor: string): string {
  return anchor.normalize('NFC').toLowerCase()
}

interface FragmentContext {
  readonly anchors: readonly string[]
  readonly titleAnchor: string | undefined
  readonly ranges: SourceRanges
  readonly definitions: Definitions
  readonly problems: Problem[]
}

/**
 * Corrects `links`, whose URLs start with `#`, so that browsers find anchors that only GitHub would (other case or
 * Unicode form). A link to `titleAnchor`, the heading that is not sent, leads to the top. Adds a problem for each link
 * without an anchor.
 */
export function checkFragments(links: readonly Element[], context: FragmentContext): void {
  if (links.length === 0) return
  const { anchors, titleAnchor, problems } = context
  const index = createAnchorIndex(anchors)
  for (const link of links) {
    const fragment = String(link.properties['href']).trim().slice(1)
    if (fragment === '' || fragment.toLowerCase() === 'top') continue
    const anchor = index.find(fragment)
    if (anchor === undefined) problems.push(missing(fragment, link, context))
    else if (anchor === titleAnchor) link.properties['href'] = '#top'
    else if (anchor !== decodeAddress(fragment) && anchor !== fragment)
      link.properties['href'] = `#${encodeAnchor(anchor)}`
  }
}

export function noHeading(fragment: string): string {
  return `No heading of this file has the id "${decodeAddress(fragment)}".`
}

function missing(fragment: string, link: Element, { anchors, ranges, definitions }: FragmentContext) {
  const near = nearest(decodeAddress(fragment), anchors)
  const sure = onlyMeant(decodeAddress(fragment), anchors)
  const url = String(link.properties['href']).trim()
  const located = locateAddress(link, url, ranges, definitions)
  const fix =
    sure === undefined ? undefined : fixAddress({ ...located, url }, (written) => withFragment(written, sure))
  const problem = {
    code: 'link-heading-missing',
    ...rangeOf(located),
    message: noHeading(fragment),
    ...(fix && { fix: [fix] }),
  } as const
  return near === undefined ? problem : { ...problem, hint: `Did you mean #${near}?` }
}
