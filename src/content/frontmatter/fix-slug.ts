import { isSlug, NOT_IN_SLUGS } from '../../api/contract/fields.ts'

/** The slug that is left when what no slug may have becomes hyphens; undefined where that is none. Letters stay as they are. */
export function fixSlug(text: string): string | undefined {
  const mended = text
    .trim()
    .replace(NOT_IN_SLUGS, '-')
    .replace(/^-+|-+$/g, '')
  return isSlug(mended) ? mended : undefined
}
