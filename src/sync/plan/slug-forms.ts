import { hashField, slugHashOf } from '../../core/model/article-fields.ts'
import type { RemoteEntry } from './remote-entry.ts'
import { digest } from '../../core/digest.ts'

/** Leaves room for the suffix within the limit of 200 characters. */
const KEPT_CHARACTERS = 180

/** Suffix of a `temporarySlug`, in any form in which a target may have stored it. */
const TEMPORARY_ENDING = /-kb-[0-9a-f]{8}$/i

/** The slug of an article that waits for its own slug. It is the same in every run. */
export function temporarySlug(slug: string, id: string): string {
  const kept = Array.from(slug).slice(0, KEPT_CHARACTERS).join('')
  return `${kept}-kb-${digest(id).slice(0, 8)}`
}

/**
 * Recognises how a target changes slugs: other letters, capitals or a prefix. The marker stores only a hash of the sent
 * slug, so the slug is searched for among `slugs` and the likely sources of the stored one.
 *
 * @returns the form in which the target has stored a slug; undefined if it is unknown, or another slug
 */
export function createSlugFormOf(slugs: () => Iterable<string>) {
  let byHash: ReadonlyMap<string, string> | undefined
  return ({ ours, slug }: RemoteEntry): string | undefined => {
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

/** The form in which the sent slug is stored; undefined if that is another slug. */
export function formOf(sent: string, stored: string): string | undefined {
  if (lettersOf(sent) === lettersOf(stored)) return 'letters'
  if (!stored.endsWith(sent)) return undefined
  // A slug that was restored as it was found has the prefix twice.
  const [, once] = /^(.+?)\1*$/s.exec(stored.slice(0, -sent.length)) ?? []
  return `after ${once}`
}

/** Removes what is lost when a slug is written in ASCII or in capitals. */
function lettersOf(slug: string): string {
  return slug
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
