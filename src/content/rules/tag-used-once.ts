import { place, type PlacedProblem } from '../placed-problem.ts'
import type { TagUse } from './tag-uses.ts'

/** A tag of one article: it leads from there to nowhere else. */
export function tagUsedOnce(uses: ReadonlyMap<string, readonly TagUse[]>): PlacedProblem[] {
  return [...uses].flatMap(([name, places]) => {
    const articles = new Set(places.map(({ document }) => document))
    const [use] = places
    if (use === undefined || articles.size > 1) return []
    const message = `No other article has the tag "${name}".`
    const hint = 'Give it to the articles that belong with this one, or leave it out.'
    return [place(use.document, `tags[${use.index}]`, { code: 'tag-used-once', message, hint })]
  })
}
