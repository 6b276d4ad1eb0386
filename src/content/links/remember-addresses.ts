// The documents of a folder link to each other by the same URLs.
import { posix } from 'node:path'
import type { AssetUse } from '../assets/asset-types.ts'
import type { SiteLinkResolver } from '../site-links/create-site-links.ts'
import { namesMarkdown } from '../source/link-address.ts'
import type { LinkOrigin } from './find-target.ts'
import type { ResolveAddress } from './resolve-link.ts'

/** Enough for a large folder. Documents are linked folder by folder, so URLs of other folders need not be kept. */
const MOST_ADDRESSES = 5_000

type KnownAddresses = Readonly<Record<AssetUse, Map<string, ReturnType<ResolveAddress>>>>

/** Resolves a URL of a folder only once for all files in which it has the same meaning. */
export function rememberAddresses(
  resolve: ResolveAddress,
  site: Pick<SiteLinkResolver, 'linkBaseOf'> | undefined,
): ResolveAddress {
  const folders = new Map<string, KnownAddresses>()
  let count = 0
  let last = { origin: { source: '', language: '' }, known: noAddresses() }

  function knownFor(origin: LinkOrigin): KnownAddresses {
    const { source, language } = origin
    if (source === last.origin.source && language === last.origin.language) return last.known
    if (count > MOST_ADDRESSES) {
      folders.clear()
      count = 0
    }
    const base = JSON.stringify([language, posix.dirname(source), ...(site?.linkBaseOf(source) ?? [])])
    const known = folders.get(base) ?? noAddresses()
    folders.set(base, known)
    last = { origin, known }
    return known
  }

  return (address, origin) => {
    if (site !== undefined && !isOfFolder(address.url)) return resolve(address, origin)
    const known = knownFor(origin)[address.kind]
    const before = known.get(address.url)
    if (before !== undefined || known.has(address.url)) return before
    const resolved = resolve(address, origin)
    // Embedded files are long.
    if (resolved?.kind === 'url' && resolved.url.startsWith('data:')) return resolved
    known.set(address.url, resolved)
    count++
    return resolved
  }
}

/** A root-relative path, or a path to a Markdown file, has the same meaning in all files with the same base. */
function isOfFolder(url: string): boolean {
  return url.startsWith('/') || namesMarkdown(url)
}

function noAddresses(): KnownAddresses {
  return { image: new Map(), picture: new Map(), banner: new Map(), media: new Map(), link: new Map() }
}
