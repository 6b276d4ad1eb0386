import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import { slugOfSource } from '../frontmatter/build-document.ts'
import { slugOfFile } from './route-of.ts'

/** The slug of a file that says nothing of it: of the address that the tool gives it; without a preset, see `slugOfSource`. */
export function defaultSlugOf(
  source: string,
  mapping: Pick<FrontmatterMapping, 'preset' | 'languages'> | undefined,
): string {
  if (mapping?.preset === undefined) return slugOfSource(source)
  return slugOfFile(source, mapping.preset, mapping)
}
