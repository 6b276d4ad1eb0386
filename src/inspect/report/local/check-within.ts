import { parseUrl } from '../../../core/parse-url.ts'
import { addressKey, keyWithoutFragment } from '../addresses/address-key.ts'
import type { LocalCheck, LocalVerdict } from './local-check.ts'

/** An article of this knowledge base and its address. */
export interface AddressedArticle {
  readonly url: string
  readonly standing: 'published' | 'draft' | 'missing' | 'orphan'
}

export interface KnownAddresses {
  readonly articles: Iterable<AddressedArticle>
  /** Address of the target, where it is one of a site: what stands below its host is within the knowledge base, too. */
  readonly site: string | undefined
  /**
   * Makes the addresses that an article with this slug may have. Undefined where articles of others are on the target:
   * an address that no file has may be theirs.
   */
  readonly addressesOf: ((slug: string) => readonly string[]) | undefined
}

/**
 * Judges links within the knowledge base: whether an article of the files has the address. What an article without file
 * has is known to go; of all else that no file has, something is said only where nobody else can have it.
 */
export function createCheckWithin({ articles, site, addressesOf }: KnownAddresses): LocalCheck {
  const keyOf = createKeyOf(site)
  const known = new Map<string, LocalVerdict | undefined>()
  for (const { url, standing } of articles) {
    const key = keyOf(url)
    // An orphan's address may be another file's by now.
    if (standing !== 'orphan' || !known.has(key)) known.set(key, VERDICTS[standing])
  }
  return (url) => {
    const whole = keyWithoutFragment(keyOf(url))
    const path = whole.replace(/\?.*$/s, '')
    const key = known.has(whole) ? whole : path
    if (known.has(key) || addressesOf === undefined) return known.get(key)
    const slug = path.replace(/^.*\//s, '')
    if (slug === '') return undefined
    return addressesOf(slug).some((address) => keyOf(address) === path) ? NOWHERE : undefined
  }
}

/** An address on the site's own host has the key of its path. */
function createKeyOf(site: string | undefined): (url: string) => string {
  const origin = site === undefined ? undefined : parseUrl(site)?.origin
  return (url) => {
    const key = addressKey(url)
    return origin !== undefined && key.startsWith(`${origin}/`) ? key.slice(origin.length) : key
  }
}

const NOWHERE: LocalVerdict = { localSays: 'broken', reason: 'no article of these files has this address' }

const VERDICTS: Record<AddressedArticle['standing'], LocalVerdict | undefined> = {
  published: { localSays: 'works', reason: 'a published article of these files' },
  missing: { localSays: 'works', reason: 'an article of these files that is not on the target yet' },
  // Whether readers see it is the target's affair.
  draft: undefined,
  orphan: { localSays: 'broken', reason: 'the article is on the target, but its file is gone' },
}
