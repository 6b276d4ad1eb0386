import type { Problem } from '../model/diagnostic.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import { digest } from '../util/digest.ts'
import type { PlacedProblem } from './placed-problem.ts'
import type { FoundSources } from './find-sources.ts'
import { loadCategories, loadTags, type RenderDescription } from './load-taxonomy-entries.ts'
import type { RenderMarkdown } from './markdown/create-renderer.ts'
import { joinTemplate } from './markdown/slot-template.ts'

/** Reads the taxonomy files that exist; long descriptions are Markdown and become HTML. */
export function loadTaxonomy(
  { contentRoot }: { readonly contentRoot: string },
  found: FoundSources,
  render: RenderMarkdown,
): { readonly taxonomy: LocalTaxonomy; readonly problems: readonly PlacedProblem[] } {
  const names = new Set(found.taxonomy.map(({ source }) => source))
  const problems: PlacedProblem[] = []
  const load = <Entry>(source: string, read: ReadEntries<Entry>): readonly Entry[] | undefined => {
    if (!names.has(source)) return undefined
    const loaded = read(contentRoot, descriptionRenderer(source, render, problems))
    problems.push(...loaded.problems.map((problem) => ({ source, problem })))
    return loaded.entries
  }
  const categories = load('_categories.yml', loadCategories)
  const tags = load('_tags.yml', loadTags)
  return { taxonomy: { categories, tags }, problems }
}

type ReadEntries<Entry> = (
  contentRoot: string,
  render: RenderDescription,
) => { readonly entries: readonly Entry[] | undefined; readonly problems: readonly Problem[] }

function descriptionRenderer(
  source: string,
  render: RenderMarkdown,
  problems: PlacedProblem[],
): RenderDescription {
  return (markdown, { line, column }) => {
    const body = render({ body: markdown, title: '', lineOffset: 0, nonce: digest(markdown) })
    // Positions inside a YAML scalar are not those of the file: the entry is the place.
    problems.push(...body.problems.map((problem) => ({ source, problem: { ...problem, line, column } })))
    return joinTemplate(
      body.html,
      body.slots.map(({ url }) => url),
    )
  }
}
