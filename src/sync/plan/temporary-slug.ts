import { digest } from '../../core/digest.ts'

/** Leaves room for the ending within the 200 characters of a slug. */
const KEPT_CHARACTERS = 180

/** How the slugs of `temporarySlug` end, as a target may have stored them. */
export const TEMPORARY_ENDING = /-kb-[0-9a-f]{8}$/i

/** The slug at which an article stands for a moment while others take its own: the same in every run. */
export function temporarySlug(slug: string, id: string): string {
  const kept = Array.from(slug).slice(0, KEPT_CHARACTERS).join('')
  return `${kept}-kb-${digest(id).slice(0, 8)}`
}
