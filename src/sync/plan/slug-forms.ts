import { hashField, slugHashOf } from '../../core/model/article-fields.ts'
import type { RemoteEntry } from './remote-entry.ts'
import { digest } from '../../core/digest.ts'

/** Leaves room for the ending within the 200 characters of a slug. */
const KEPT_CHARACTERS = 180

/** How the slugs of `temporarySlug` end, as a target may have stored them. */
const TEMPORARY_ENDING = /-kb-[0-9a-f]{8}$/i

/** The slug at which an article stands for a moment while others take its own: the same in every run. */
export function temporarySlug(slug: string, id: string): string {
  const kept = Array.from(slug).slice(0, KEPT_CHARACTERS).join('')
  return `${kept}-kb-${digest(id).slice(0, 8)}`
}

/** How an article's slug is written other than it was sent; undefined where that is not known, or is no way of writing. */
type SlugFormOf = (entry: RemoteEntry) => string | undefined

/**
 * Recognises what a target makes of slugs: other letters, capitals, or something before them. Of what was sent, a marker
 * keeps a hash: it is looked for among `slugs`, and among what may have become of it.
 */
export function createSlugFormOf(slugs: () => Iterable<string>): SlugFormOf {
  let byHash: ReadonlyMap<string, string> | undefined
  return ({ ours, slug }) => {
    if (ours === undefined) return undefined
    byHash ??= new Map(Array.from(slugs(), (each) => [hashField(each), each]))
    const hash = slugHashOf(ours.fieldsHash)
    const stored = slug.replace(TEMPORARY_ENDING, '')
    const sent = byHash.get(hash) ?? sourcesOf(stored).find((each) => hashField(each) === hash)
    return sent === undefined ? undefined : formOf(sent, stored)
  }
}

function sourcesOf(stored: string): string[] {
  const whole = [stored, stored.toLowerCase(), stored.normalize('NFC')]
  const behind = [...stored.matchAll(/[-_.]/g)].map(({ index }) => stored.slice(index + 1))
  return [...whole, ...behind, ...behind.map((each) => each.toLowerCase())]
}

/** How a slug that was sent as `sent` is written where it is stored; undefined where that is another slug. */
export function formOf(sent: string, stored: string): string | undefined {
  if (lettersOf(sent) === lettersOf(stored)) return 'letters'
  if (!stored.endsWith(sent)) return undefined
  // One that was restored under the slug at which it was found has it twice.
  const [, once] = /^(.+?)\1*$/s.exec(stored.slice(0, -sent.length)) ?? []
  return `after ${once}`
}

/** Without what is lost where letters are written in ASCII, or as capitals. */
function lettersOf(slug: string): string {
  return slug
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
