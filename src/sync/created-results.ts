import type { OperationResult } from '../model/plan.ts'
import type { CreatedTaxonomy } from './target-session.ts'

/** The categories and tags that the target has made of the taxonomy files. */
export function createdResults({ categories, tags }: CreatedTaxonomy): OperationResult[] {
  const result = (kind: 'category' | 'tag', source: string) => (slug: string) =>
    ({ kind, action: 'create', source, slug, language: null, id: '', outcome: 'done' }) as const
  return [...categories.map(result('category', '_categories.yml')), ...tags.map(result('tag', '_tags.yml'))]
}
