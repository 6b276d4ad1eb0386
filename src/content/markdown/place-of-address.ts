import type { Element } from 'hast'
import type { Span } from '../../core/model/diagnostic.ts'
import { decodeAddress } from '../source/link-address.ts'
import type { SourcePlaces } from './source-places.ts'

/**
 * Where the address of an element stands, without brackets and quotes; the whole element where the address stands
 * elsewhere (a reference) or is spelled in a way that is not easily found again (escapes).
 */
export function placeOfAddress(element: Element, url: string, places: SourcePlaces): Span {
  const text = places.textOf(element)
  for (const spelling of new Set([url, decodeAddress(url)])) {
    const at = text.startsWith('<') ? inTag(text, spelling) : inMarkdown(text, spelling)
    if (at !== undefined) return places.within(element, at, at + spelling.length)
  }
  return places.of(element)
}

/** In a link around an image, the link's own address is the last one; one that is written bare is all there is. */
function inMarkdown(text: string, url: string): number | undefined {
  if (text === url) return 0
  for (const open of ['](', '](<']) {
    const at = text.lastIndexOf(`${open}${url}`)
    if (at !== -1) return at + open.length
  }
  return undefined
}

/** Behind the `=` of an attribute, or in an autolink `<https://…>`; the tag's own, not that of what it holds. */
function inTag(text: string, url: string): number | undefined {
  if (text.startsWith(url, 1)) return 1
  const at = text.indexOf(url, text.search(/=\s*["']?/))
  return at === -1 ? undefined : at
}
