import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { place, type PlacedProblem } from '../source/placed-problem.ts'
import { findAlikeNames } from '../taxonomy/alike-names.ts'
import type { TagUse } from './tag-uses.ts'

/** Tags of articles that are nearly the same, where no file lists the tags: reported wherever the rarer one is used. */
export function tagsAlike(uses: ReadonlyMap<string, readonly TagUse[]>): PlacedProblem[] {
  const byFrequency = [...uses].toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name)
  return [...findAlikeNames(byFrequency)].flatMap(([name, other]) =>
    (uses.get(name) ?? []).map(({ document, index }) =>
      place(document, `tags[${index}]`, {
        code: 'tags-alike',
        message: `The tag "${name}" is nearly the same as "${other}", which ${usedBy(uses.get(other))}.`,
        hint: `Write "${other}" if that is meant.`,
      }),
    ),
  )
}

function usedBy(uses: readonly TagUse[] = []): string {
  const articles = new Set(uses.map(({ document }) => document))
  const [first] = articles
  return articles.size === 1 ? `${first?.source} has` : `${articles.size} articles have`
}

/** Two entries of `_tags.yml` with nearly the same name; of two with the very same one another check speaks. */
export function listedTagsAlike(
  entries: readonly { readonly name: string; readonly span: Span }[],
): Problem[] {
  const spans = new Map(entries.map(({ name, span }) => [name, span]))
  return [...findAlikeNames([...spans.keys()])].flatMap(([name, other]) => {
    const span = spans.get(name)
    if (span === undefined) return []
    const message = `The tag "${name}" is nearly the same as "${other}" on line ${spans.get(other)?.line}.`
    const hint = 'If both mean the same, remove one and write the other in its articles.'
    return [{ code: 'tags-alike', ...span, message, hint }]
  })
}
