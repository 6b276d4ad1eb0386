import { nearest } from '../../core/nearest.ts'

const PLACES = ['article', 'category', 'tag']

/** What is wrong with `links` of a site, to go behind `openSite(): ` and the like; undefined where nothing is. */
export function explainWrongLinks(links: object): string | undefined {
  for (const [name, link] of Object.entries(links) as [string, unknown][]) {
    if (!PLACES.includes(name)) {
      const meant = nearest(name, PLACES)
      const remedy = meant === undefined ? `It takes ${PLACES.join(', ')}.` : `Did you mean "${meant}"?`
      return `links has no "${name}". ${remedy}`
    }
    const holes = name === 'article' ? ['{slug}', '{id}'] : ['{slug}']
    const isPattern = typeof link === 'string' && holes.some((hole) => link.includes(hole))
    if (link !== undefined && typeof link !== 'function' && !isPattern)
      return `links.${name} must be a pattern with ${holes.join(' or ')}, or a function.`
  }
  return undefined
}
