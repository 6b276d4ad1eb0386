import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import type { FrontmatterFiles } from './frontmatter-files.ts'

/** Loads the code for such files. Returns undefined for our own frontmatter, which does not need it. */
export async function loadFrontmatterFiles(
  mapping: FrontmatterMapping | undefined,
): Promise<FrontmatterFiles | undefined> {
  if (mapping === undefined) return undefined
  const [{ createFrontmatterFiles }, { loadInheritValues }] = await Promise.all([
    import('./frontmatter-files.ts'),
    import('./inherited-values.ts'),
  ])
  return createFrontmatterFiles(mapping, await loadInheritValues(mapping))
}
