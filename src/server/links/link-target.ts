import { escapePattern } from '../../core/escape-pattern.ts'
import { tryTo } from '../../core/try-to.ts'

// Several links may lead to one target, which is checked once.

export type LinkTargetOf = (
  url: string,
  article: { readonly siteId: string; readonly slug: string },
) => string

/** Prefix of a target that is an article, not a URL: `article:SITE:SLUG`. */
const ARTICLE = 'article:'

const PLACEHOLDERS: Readonly<Record<string, string>> = { '{slug}': '([^/]+)', '{language}': '[^/]+' }

/** Temporary base URL of articles, which distinguishes links to other hosts. */
const ANY_HOST = 'https://relative.invalid'

/**
 * Creates a function that returns the target to check for a link: an http(s) URL without its fragment, or the article
 * that a relative link leads to; '' if the relative link leads to something else or the URL is invalid.
 *
 * @param articlePath path of an article on the site, with `{slug}` and optionally `{language}`
 */
export function createLinkTarget(articlePath: string): LinkTargetOf {
  const path = articlePath.startsWith('/') ? articlePath : `/${articlePath}`
  const pattern = articlePattern(path)
  return (url, { siteId, slug }) => {
    const address = resolveLink(url, () => ANY_HOST + path.replace('{slug}', encodeURIComponent(slug)))
    if (address === undefined) return ''
    if (address.origin !== ANY_HOST) return /^https?:$/.test(address.protocol) ? address.href : ''
    const found = slugOf(address, pattern)
    return found === undefined ? '' : `${ARTICLE}${siteId}:${found}`
  }
}

/** Returns the article of a target; undefined if the target is a URL. */
export function articleOfTarget(target: string) {
  if (!target.startsWith(ARTICLE)) return undefined
  const [siteId = '', ...slug] = target.slice(ARTICLE.length).split(':')
  return { siteId, slug: slug.join(':') }
}

// Left to the URL parser: browsers recognise a scheme or host even with tabs or backslashes in it. The base is parsed
// once, since an article may have thousands of links.
function resolveLink(url: string, baseOf: () => string): URL | undefined {
  const [withoutFragment = ''] = url.split('#', 1)
  return tryTo(
    () => (/^https?:\/\//i.test(url) ? new URL(withoutFragment) : new URL(withoutFragment, baseOf())),
    undefined,
  )
}

function slugOf({ pathname }: URL, pattern: RegExp): string | undefined {
  const found = pattern.exec(pathname)?.[1]
  // PostgreSQL cannot store U+0000, and no slug contains it.
  return found && tryTo(() => decodeURIComponent(found).replaceAll('\0', '\u{fffd}'))
}

function articlePattern(path: string): RegExp {
  const source = path
    .split(/(\{slug\}|\{language\})/)
    .map((part) => PLACEHOLDERS[part] ?? escapePattern(part))
  return new RegExp(`^${source.join('')}/?$`)
}
