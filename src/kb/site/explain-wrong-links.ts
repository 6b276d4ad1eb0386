import { didYouMean } from '../../core/nearest.ts'

const PLACES = ['article', 'category', 'tag']

/** Returns the problem with a site's `links`, to follow a prefix such as `openSite(): `; undefined if valid. */
export function explainWrongLinks(links: object): string | undefined {
  for (const [name, link] of Object.entries(links) as [string, unknown][]) {
    if (!PLACES.includes(name)) {
      const remedy = didYouMean(name, PLACES) ?? `It takes ${PLACES.join(', ')}.`
      return `links has no "${name}". ${remedy}`
    }
    const holes = name === 'article' ? ['{slug}', '{id}'] : ['{slug}']
    const isPattern = typeof link === 'string' && holes.some((hole) => link.includes(hole))
    if (link !== undefined && typeof link !== 'function' && !isPattern)
      return `links.${name} must be a pattern with ${holes.join(' or ')}, or a function.`
  }
  return undefined
}
