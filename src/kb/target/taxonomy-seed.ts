import GithubSlugger from 'github-slugger'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'

/** Converts the taxonomy files to the server's seed. A missing slug is derived from the name. */
export function toSeed({ categories = [], tags = [] }: LocalTaxonomy) {
  const slugger = new GithubSlugger()
  // Written slugs are reserved first, so that derived ones avoid them.
  for (const { slug } of categories) if (slug !== undefined) slugger.occurrences[slug] = 0
  const slugs = new Map(
    categories.map(({ path, name, slug }) => [formatCategoryPath(path), slug ?? slugger.slug(name)]),
  )
  const slugOf = (path: readonly string[]) => slugs.get(formatCategoryPath(path)) ?? ''
  return {
    categories: categories.map((entry) => ({
      ...entry,
      slug: slugOf(entry.path),
      parent: entry.path.length > 1 ? slugOf(entry.path.slice(0, -1)) : undefined,
    })),
    tags: tags.map((entry) => ({ ...entry, slug: entry.slug ?? new GithubSlugger().slug(entry.name) })),
  }
}
