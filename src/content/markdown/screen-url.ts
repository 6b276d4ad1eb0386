type ScreenedUrl =
  | { readonly kind: 'slot' }
  | { readonly kind: 'fragment' }
  | { readonly kind: 'keep'; readonly url: string }
  | { readonly kind: 'remove'; readonly scheme: string }

const LINK_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'xmpp', 'irc', 'ircs'])
const RESOURCE_SCHEMES = new Set(['http', 'https'])
const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml|avif)[;,]/i

/** Attributes that contain a URL, by their hast names. `resource`: the browser loads it. */
export const URL_PROPERTIES: ReadonlyMap<string, 'link' | 'resource'> = new Map([
  ['href', 'link'],
  ['cite', 'link'],
  ['longDesc', 'link'],
  ['src', 'resource'],
  ['action', 'resource'],
  ['formAction', 'resource'],
  ['poster', 'resource'],
  ['background', 'resource'],
  ['data', 'resource'],
  ['manifest', 'resource'],
  ['ping', 'resource'],
  ['xLinkHref', 'resource'],
])

/**
 * Checks a URL as a browser reads it: ignores control characters and spaces at the start, tabs and line breaks
 * anywhere, and the case of the scheme.
 */
export function screenUrl(written: string, use: 'link' | 'resource'): ScreenedUrl {
  const url = stripAddress(written)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return withoutScheme(url)
  const allowed = use === 'link' ? LINK_SCHEMES : RESOURCE_SCHEMES
  if (allowed.has(scheme)) return { kind: 'keep', url: scheme + url.slice(scheme.length) }
  return use === 'resource' && IMAGE_DATA.test(url) ? { kind: 'keep', url } : { kind: 'remove', scheme }
}

/** Removes what a browser ignores, which is less than `trim` removes: `javascript:` after such a space is harmless. */
export function stripAddress(written: string): string {
  // eslint-disable-next-line no-control-regex
  return written.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]+/g, '')
}

function withoutScheme(url: string): ScreenedUrl {
  if (url.startsWith('#')) return { kind: 'fragment' }
  // Here, browsers treat a backslash like a slash.
  return url === '' || /^[/\\]{2}/.test(url) ? { kind: 'keep', url } : { kind: 'slot' }
}

// A candidate is a URL without white space that neither starts nor ends with a comma, and a descriptor.
const CANDIDATE = /([^\s,]\S*[^\s,]|[^\s,])(\s+[^,]*)?(?=,|\s*$)/g

/** Replaces every URL in a `srcset` with the result of `map`. Removes candidates without a URL. */
export function mapSrcset(srcset: string, map: (url: string) => string | undefined): string {
  const candidates: string[] = []
  for (const [, url = '', descriptor = ''] of srcset.matchAll(CANDIDATE)) {
    const mapped = map(url)
    if (mapped !== undefined) candidates.push(`${mapped} ${descriptor.trim()}`.trim())
  }
  return candidates.join(', ')
}

const SHOWN_CHARACTERS = 60

/** Cuts a long URL for a message. */
export function shortenUrl(url: string): string {
  return url.length > SHOWN_CHARACTERS ? `${url.slice(0, SHOWN_CHARACTERS)}…` : url
}
