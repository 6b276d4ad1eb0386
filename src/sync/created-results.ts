import type { OperationResult } from '../core/model/plan.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'
import type { CreatedTaxonomy } from './target-session.ts'

/** The categories and tags that the target has made, each with what it was made of. */
export function createdResults(
  created: Pick<CreatedTaxonomy, 'categories' | 'tags'>,
  { categories = [], tags = [] }: LocalTaxonomy,
): OperationResult[] {
  const result = (
    kind: 'category' | 'tag',
    entries: readonly { readonly slug: string | undefined; readonly source?: string | undefined }[],
    file: string,
  ) => {
    const sources = new Map(entries.map(({ slug, source }) => [slug, source]))
    return (slug: string): OperationResult => {
      const source = sources.get(slug) ?? file
      return { kind, action: 'create', source, slug, language: null, id: '', outcome: 'done' }
    }
  }
  return [
    ...created.categories.map(result('category', categories, '_categories.yml')),
    ...created.tags.map(result('tag', tags, '_tags.yml')),
  ]
}
