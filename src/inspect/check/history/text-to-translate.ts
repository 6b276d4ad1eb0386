import { readdress } from '../../../content/link-places/link-place.ts'
import { listLinkPlaces } from '../../../content/link-places/list-link-places.ts'
import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
import { splitFrontmatter } from '../../../content/split-frontmatter.ts'

/** Frontmatter that says where an article is, and nothing that a reader sees. */
const PLACES: ReadonlySet<string> = new Set(['slug', 'translationOf'])

/** What of a file a translator is concerned with: not where links lead, nor where the article itself is. */
export function textToTranslate(file: string, files?: Pick<FrontmatterFiles, 'split'>): string {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const split = files === undefined ? splitFrontmatter(text) : files.split(text)
  if (split.kind === 'problem') return text
  const fields = Object.entries(Object(split.yaml.value) as Record<string, unknown>)
  const seen = fields.filter(([key]) => !PLACES.has(key))
  const unaddressed = listLinkPlaces(split.body).map((place) => ({ place, written: '' }))
  return JSON.stringify([seen, readdress(split.body, unaddressed).trim()])
}
