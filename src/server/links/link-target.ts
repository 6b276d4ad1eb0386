import { escapePattern } from '../../util/escape-pattern.ts'

// What the link checker looks at for a link: several links may lead to one target, and it is checked once.

/** Where a link stands, and where the articles of its site are. */
export interface LinkPlace {
  readonly siteId: string
  /** Slug of the article that holds the link. */
  readonly slug: string
  /** Path of an article on the site, with `{slug}`; `{language}` may stand in it too. */
  readonly articlePath: string
}

/** Prefix of a target that is an article, not an address: `article:SITE:SLUG`. */
const ARTICLE = 'article:'

const PLACEHOLDERS: Readonly<Record<string, string>> = { '{slug}': '([^/]+)', '{language}': '[^/]+' }

/** Where articles stand for the moment: a link that leaves it names a host. */
const ANY_HOST = 'https://relative.invalid'

/**
 * What is to be checked for the link `url`: an http(s) address without its fragment, or for a relative link the article
 * that it leads to. '' where neither can be said: a relative link to something that is no article, or an address that
 * is none.
 */
export function linkTarget(url: string, place: LinkPlace): string {
  const address = resolveLink(url, place)
  if (address === undefined) return ''
  if (address.origin !== ANY_HOST) return /^https?:$/.test(address.protocol) ? address.href : ''
  const slug = slugOf(address, place.articlePath)
  return slug === undefined ? '' : `${ARTICLE}${place.siteId}:${slug}`
}

/** The article that a target names; undefined where the target is an address. */
export function articleOfTarget(
  target: string,
): { readonly siteId: string; readonly slug: string } | undefined {
  if (!target.startsWith(ARTICLE)) return undefined
  const [siteId = '', ...slug] = target.slice(ARTICLE.length).split(':')
  return { siteId, slug: slug.join(':') }
}

// Left to the parser of addresses: browsers see a scheme or a host also where tabs or backslashes hide it. Parsed
// once: an article may have hundreds.
function resolveLink(url: string, place: LinkPlace): URL | undefined {
  const [withoutFragment = ''] = url.split('#', 1)
  try {
    return /^https?:\/\//i.test(url) ? new URL(withoutFragment) : new URL(withoutFragment, baseOf(place))
  } catch {
    return undefined
  }
}

function baseOf({ slug, articlePath }: LinkPlace): string {
  const own = articlePath.replace('{slug}', encodeURIComponent(slug))
  return `${ANY_HOST}${own.startsWith('/') ? '' : '/'}${own}`
}

function slugOf({ pathname }: URL, articlePath: string): string | undefined {
  const found = articlePattern(articlePath).exec(pathname)?.[1]
  return found === undefined ? undefined : decode(found)
}

function articlePattern(articlePath: string): RegExp {
  const path = articlePath.startsWith('/') ? articlePath : `/${articlePath}`
  const source = path
    .split(/(\{slug\}|\{language\})/)
    .map((part) => PLACEHOLDERS[part] ?? escapePattern(part))
  return new RegExp(`^${source.join('')}/?$`)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
