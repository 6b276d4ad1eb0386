import { dialectOf } from '../../core/dialects/dialects.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import { slugOfSource } from '../frontmatter/build-document.ts'
import { placeOfFile, routeOf, slugOfRoute } from './file-place.ts'

/** The slug of a file that says nothing of it: of the address that the tool gives it; without a preset, see `slugOfSource`. */
export function defaultSlugOf(
  source: string,
  mapping: Pick<FrontmatterMapping, 'preset' | 'languages'> | undefined,
): string {
  if (mapping?.preset === undefined) return slugOfSource(source)
  const { preset, languages } = mapping
  const dialect = dialectOf(preset)
  return slugOfRoute(routeOf(placeOfFile(source, { dialect, languages }), dialect))
}
