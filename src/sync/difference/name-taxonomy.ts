import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { TaxonomyNames } from '../plan/difference/diff-article.ts'
import type { WantedArticle } from '../plan/payload.ts'
import type { PlannedRun } from '../planning/planned-run.ts'

/** Names for the ids that two versions of an article use. What has no name that is its own is shown with its id. */
export function nameTaxonomy(
  { article, categoryIds, tagIds }: WantedArticle,
  remote: RemoteArticle,
  planned: PlannedRun,
  taxonomy: LocalTaxonomy,
): TaxonomyNames {
  const categories = namesOf(planned.remote.categories, [categoryIds, article.categories])
  const known = (taxonomy.tags ?? []).flatMap(({ name, slug = name }) => {
    const id = planned.tagIds[slug] ?? planned.tagIds[name]
    return id === undefined ? [] : [{ id, name }]
  })
  const tags = namesOf([...known, ...remote.tags.filter(({ name }) => name !== '')], [tagIds, article.tags])
  return { category: (id) => categories.get(id) ?? id, tag: (id) => tags.get(id) ?? id }
}

/** The second argument pairs ids with the references in the file that stand for them: for what is named nowhere else. */
function namesOf(
  named: readonly { readonly id: string; readonly name: string }[],
  [ids, references]: readonly [ids: readonly string[], references: readonly string[]],
): ReadonlyMap<string, string> {
  const idsOfName = new Map<string, Set<string>>()
  for (const { id, name } of named) idsOfName.set(name, (idsOfName.get(name) ?? new Set()).add(id))
  const isAmbiguous = (name: string) => (idsOfName.get(name)?.size ?? 0) > 1
  // Two references may mean one id, and then it cannot be told which is which.
  const fromFile =
    ids.length === references.length ? ids.map((id, index) => [id, references[index] ?? id]) : []
  return new Map([
    ...(fromFile as [string, string][]),
    ...named.map(({ id, name }) => [id, isAmbiguous(name) ? `${name} (${id})` : name] as const),
  ])
}
