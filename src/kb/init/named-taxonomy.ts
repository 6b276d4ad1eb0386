import { readSource } from '../../content/source/read-source.ts'
import { splitFrontmatter } from '../../content/frontmatter/split-frontmatter.ts'
import { lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'

/** What articles are filed under, as their frontmatter names it. */
export interface UsedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
}

/** An entry of a taxonomy file. */
export interface NamedEntry {
  readonly name: string
  /** Path of names, joined by `/`. */
  readonly parent?: string
}

/** Reads what Markdown files name; nothing of those that `kb check` will complain about. @param files absolute */
export function readNamedTaxonomy(files: readonly string[]): UsedTaxonomy {
  const frontmatter = files.map(readFrontmatter)
  const namedBy = (key: string) => [...new Set(frontmatter.flatMap((each) => textsOf(each[key])))]
  return { categories: namedBy('categories'), tags: namedBy('tags') }
}

/** The categories that `references` (names, or paths of names) need, parents first. */
export function usedCategories(references: readonly string[]): NamedEntry[] {
  const found: { readonly name: string; readonly path: readonly string[] }[] = []
  const paths = references.map((reference) => ({ reference, path: parseCategoryPath(reference) }))
  // A name alone may mean one that another article gives with its path.
  for (const { reference, path } of paths.toSorted((a, b) => b.path.length - a.path.length)) {
    if (lookUp(reference, found).kind !== 'none' || path.some((name) => name.trim() === '')) continue
    for (let depth = 1; depth <= path.length; depth++) {
      const above = path.slice(0, depth)
      const isThere = found.some((each) => formatCategoryPath(each.path) === formatCategoryPath(above))
      if (!isThere) found.push({ name: above.at(-1) ?? '', path: above })
    }
  }
  return found
    .toSorted((a, b) => (formatCategoryPath(a.path) < formatCategoryPath(b.path) ? -1 : 1))
    .map(({ name, path }) => ({
      name,
      ...(path.length > 1 && { parent: formatCategoryPath(path.slice(0, -1)) }),
    }))
}

function readFrontmatter(file: string): Readonly<Record<string, unknown>> {
  const read = readSource(file)
  if (read.kind === 'problem') return {}
  const split = splitFrontmatter(read.text)
  return split.kind === 'problem' ? {} : (Object(split.yaml.value) as Record<string, unknown>)
}

function textsOf(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : []
  return texts.filter((text) => typeof text === 'string').filter((text) => text.trim() !== '')
}
