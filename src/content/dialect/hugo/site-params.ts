// What `param` may show of the site's configuration, merged as Hugo merges it: the file at the root of the site, then the
// folders `config/_default` and `config/production`, and over all of them what is said for the language of the page.
import type { FrontmatterMapping } from '../../../core/model/frontmatter-mapping.ts'
import type { SiteFile } from '../../../core/model/site-file.ts'
import { isRecord } from '../../../core/is-record.ts'
import { placeOfFile } from '../../preset/file-place.ts'
import { parsePositionedToml } from '../../preset/toml-positions.ts'
import { parsePositionedYaml } from '../../frontmatter/yaml-positions.ts'
import type { PageValues } from '../page-values.ts'

/** Makes the function that gives the values for a page, those that count first. A file that cannot be read says nothing. */
export function createSiteParams(
  files: readonly SiteFile[],
  mapping: FrontmatterMapping | undefined,
): (source: string | undefined) => readonly PageValues[] {
  let config: PageValues | undefined
  return (source) => {
    if (files.length === 0) return []
    config ??= files.map(readSiteFile).reduce(merge, {})
    const place = source === undefined || mapping === undefined ? undefined : placeOfFile(source, mapping)
    const language = place?.language ?? mapping?.languages[0]
    const own = language === undefined ? undefined : recordIn(recordIn(config, 'languages'), language)
    return [recordIn(own, 'params'), recordIn(config, 'params')]
  }
}

/** As if all of it stood in one file at the root of the site. */
function readSiteFile({ name, text }: SiteFile): PageValues {
  const value = recordOf(
    (name.endsWith('.toml') ? parsePositionedToml(text) : parsePositionedYaml(text)).value,
  )
  const [, stem = '', language] = /([^/.]+)(?:\.([^/.]+))?\.[^/.]+$/.exec(name) ?? []
  const isRoot = !name.includes('/') || stem === 'hugo' || stem === 'config'
  const said = isRoot ? value : { [stem]: value }
  return language === undefined ? said : { languages: { [language]: said } }
}

function merge(one: PageValues, other: PageValues): PageValues {
  const merged: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = Object.keys(one).find((each) => each.toLowerCase() === key.toLowerCase()) ?? key
    const isDeep = isRecord(value) && isRecord(merged[known])
    merged[known] = isDeep ? merge(recordOf(merged[known]), value) : value
  }
  return merged
}

function recordIn(values: PageValues | undefined, key: string): PageValues {
  const found = Object.entries(values ?? {}).find(([each]) => each.toLowerCase() === key.toLowerCase())
  return recordOf(found?.[1])
}

function recordOf(value: unknown): PageValues {
  return isRecord(value) ? value : {}
}
