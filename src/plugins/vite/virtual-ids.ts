/** The module that a site imports. */
const INDEX_NAME = 'virtual:kb'
const ARTICLE_PREFIX = `${INDEX_NAME}/article/`
// Rollup's prefix of a module that is not a file.
const MARK = '\0'

/** The module of one article. Has only characters without a meaning to bundlers, servers and file systems. */
export function articleName(id: string): string {
  // A dot would make `node.js` a script and `style.css` a style sheet.
  const safe = encodeURIComponent(id).replace(/[.!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return ARTICLE_PREFIX + safe.replaceAll('%', '~')
}

/** Undefined if it is not one of our names. */
export function resolveName(name: string): string | undefined {
  return name === INDEX_NAME || name.startsWith(ARTICLE_PREFIX) ? MARK + name : undefined
}

type VirtualModule = { readonly kind: 'index' } | { readonly kind: 'article'; readonly id: string }

/** Parses a resolved id; undefined if it is not ours. */
export function parseResolved(resolved: string): VirtualModule | undefined {
  const [name = ''] = resolved.split('?', 1)
  if (name === MARK + INDEX_NAME) return { kind: 'index' }
  if (!name.startsWith(MARK + ARTICLE_PREFIX)) return undefined
  const safe = name.slice(MARK.length + ARTICLE_PREFIX.length)
  return { kind: 'article', id: decodeURIComponent(safe.replaceAll('~', '%')) }
}
