import type { LocalCategory, LocalTag } from '../../src/core/model/taxonomy.ts'

const NOTHING_SAID = {
  slug: undefined,
  description: undefined,
  longDescription: undefined,
  translations: {},
  id: undefined,
  line: 1,
} as const

/** A category of the taxonomy file that has nothing but a name and a parent. */
export function localCategory(path: readonly string[], more: Partial<LocalCategory> = {}): LocalCategory {
  const place = { path, priority: undefined, thumbnailUrl: undefined, iconUrl: undefined }
  return { ...NOTHING_SAID, ...place, name: path.at(-1) ?? '', ...more }
}

/** A tag of the taxonomy file that has nothing but a name. */
export function localTag(name: string, more: Partial<LocalTag> = {}): LocalTag {
  return { ...NOTHING_SAID, name, ...more }
}
