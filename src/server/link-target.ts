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

/** Only the path of a relative link counts. */
const ANY_HOST = 'http://relative.invalid'

/**
 * What is to be checked for the link `url`: an http(s) address without its fragment, or for a relative link the article
 * that it leads to. '' where neither can be said: a relative link to something that is no article, or an address that
 * is none.
 */
export function linkTarget(url: string, place: LinkPlace): string {
  if (/^https?:/i.test(url)) return toAddress(url)
  // `//host/path` names a host, and no scheme.
  if (/^[\\/]{2}/.test(url)) return toAddress(`https:${url}`)
  const slug = slugOf(url, place)
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

function toAddress(url: string): string {
  if (!URL.canParse(url)) return ''
  const address = new URL(url)
  address.hash = ''
  return address.href
}

function slugOf(url: string, { slug, articlePath }: LinkPlace): string | undefined {
  const own = articlePath.replace('{slug}', encodeURIComponent(slug))
  const base = `${ANY_HOST}${own.startsWith('/') ? '' : '/'}${own}`
  if (!URL.canParse(url, base)) return undefined
  const { pathname } = new URL(url, base)
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

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
