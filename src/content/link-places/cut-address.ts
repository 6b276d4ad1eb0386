import { splitAddress } from '../link-address.ts'
import { decodeAttribute, decodeMarkdown } from './decode-address.ts'
import type { LinkPlace } from './link-place.ts'

/** An address as written, in two parts that mean the path, and its query and fragment. */
export interface CutAddress {
  readonly head: string
  readonly tail: string
}

export function cutAddress({ written, url, form }: Pick<LinkPlace, 'written' | 'url' | 'form'>): CutAddress {
  const { suffix } = splitAddress(url)
  if (form === 'comment' || suffix === '') return { head: written, tail: '' }
  const decode = form === 'bare' || form === 'angle' ? decodeMarkdown : decodeAttribute
  const cuts = [...written.matchAll(/\\?[?#]|&/g)].map(({ index }) => index)
  const cut = cuts.find((at) => decode(written.slice(at)) === suffix)
  return cut === undefined
    ? { head: written, tail: withReferences(suffix) }
    : { head: written.slice(0, cut), tail: written.slice(cut) }
}

/** Every character that could mean something here as a numeric reference, which Markdown and HTML read alike. */
function withReferences(suffix: string): string {
  return suffix.replaceAll(/[^\w.~/?#=%:@-]/gu, (char) => `&#${char.codePointAt(0)};`)
}
