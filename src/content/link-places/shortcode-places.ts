import { addressIn, readShortcodes } from '../dialect/hugo/read-shortcodes.ts'
import type { LinkPlace } from './link-place.ts'

/** The shortcodes of Hugo that name a file, and the parameters that do. */
const ADDRESSES: Readonly<Record<string, { readonly kind: LinkPlace['kind']; readonly names: string[] }>> = {
  ref: { kind: 'link', names: ['path', '0'] },
  relref: { kind: 'link', names: ['path', '0'] },
  figure: { kind: 'image', names: ['src'] },
}

/** The addresses in shortcodes of Hugo. */
export function listShortcodePlaces(text: string): LinkPlace[] {
  return readShortcodes(text).flatMap((code): LinkPlace[] => {
    const meant = Object.hasOwn(ADDRESSES, code.name) ? ADDRESSES[code.name] : undefined
    if (meant === undefined || code.kind === 'escaped' || code.kind === 'close') return []
    return addressIn(code, meant.names).map(({ start, end, value, isQuoted }) => ({
      kind: meant.kind,
      form: isQuoted ? 'double-quoted' : 'unquoted',
      isListed: false,
      start,
      end,
      written: value,
      url: value,
    }))
  })
}
