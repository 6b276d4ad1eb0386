import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import { defaultSlugOf } from './default-slug.ts'
import { createFieldWriter } from './create-field-writer.ts'
import { isSectionPage } from './folder-files.ts'
import type { FrontmatterFiles } from './frontmatter-files.ts'
import type { InheritValues } from './inherited-values.ts'
import { mapFrontmatter } from './map-frontmatter.ts'
import { splitToolFile } from './split-tool-file.ts'

/** Reads and writes files whose frontmatter is that of a tool, or the user's own. */
export function createFrontmatterFiles(
  mapping: FrontmatterMapping,
  inherit: InheritValues = (own) => own,
): FrontmatterFiles {
  const split: FrontmatterFiles['split'] = (text) => splitToolFile(text, mapping.preset)
  const map: FrontmatterFiles['map'] = (yaml, source) => mapFrontmatter(yaml, source, mapping, inherit)
  return {
    split,
    map,
    inherit,
    isSection: (source) => isSectionPage(source, mapping.preset),
    slugOf: (source) => defaultSlugOf(source, mapping),
    ...createFieldWriter(mapping, { split, map }),
  }
}
