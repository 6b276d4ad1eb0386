import type { Element } from 'hast'
import type { Problem } from '../../core/model/diagnostic.ts'
import { nearest } from '../../core/nearest.ts'
import { createAnchorIndex, decodeFragment, encodeAnchor } from './anchors.ts'
import { placeOfAddress } from './place-of-address.ts'
import type { SourcePlaces } from './source-places.ts'

export interface FragmentContext {
  readonly anchors: readonly string[]
  readonly titleAnchor: string | undefined
  readonly places: SourcePlaces
  readonly problems: Problem[]
}

/**
 * Points `links`, whose addresses begin with `#`, at the anchors they mean, so that browsers find what only GitHub
 * would (other letter case, other encoding of accents). A link to `titleAnchor`, the heading that is not sent, leads to
 * the top. Adds a problem for each that means none.
 */
export function checkFragments(
  links: readonly Element[],
  { anchors, titleAnchor, places, problems }: FragmentContext,
): void {
  if (links.length === 0) return
  const index = createAnchorIndex(anchors)
  for (const link of links) {
    const fragment = String(link.properties['href']).trim().slice(1)
    if (fragment === '' || fragment.toLowerCase() === 'top') continue
    const anchor = index.find(fragment)
    if (anchor === undefined) problems.push(missing(fragment, anchors, link, places))
    else if (anchor === titleAnchor) link.properties['href'] = '#top'
    else if (anchor !== decodeFragment(fragment) && anchor !== fragment)
      link.properties['href'] = `#${encodeAnchor(anchor)}`
  }
}

function missing(fragment: string, anchors: readonly string[], link: Element, places: SourcePlaces): Problem {
  const near = nearest(decodeFragment(fragment), anchors)
  const problem = {
    code: 'link-heading-missing',
    ...placeOfAddress(link, String(link.properties['href']).trim(), places),
    message: `No heading of this file has the id "${decodeFragment(fragment)}".`,
  } as const
  return near === undefined ? problem : { ...problem, hint: `Did you mean #${near}?` }
}
