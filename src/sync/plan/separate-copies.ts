import { type FieldName, changedFields } from '../../core/model/article-fields.ts'
import { groupBy } from '../../core/group-by.ts'
import {
  hasDrifted,
  isSignedAsEdited,
  matchesLastSync,
  type Ownership,
  type RemoteEntry,
  hashedSlugKey,
  sentSlugKey,
  writtenSlugKey,
} from './remote-entry.ts'
import { createSlugFormOf } from './slug-forms.ts'

/** A part of an article that differs from what we sent: a single field, or the text of its HTML. */
type Difference = FieldName | 'text'

/**
 * True if an article differs from its marker although no one has edited it. Either the target alters articles, or
 * someone copied it with its marker.
 */
export function isUnlikeItsMarker(entry: RemoteEntry): boolean {
  return isUnedited(entry) && differencesOf(entry).length > 0
}

/** Alterations that the target makes when it stores an article. */
export interface Alterations {
  readonly fields: ReadonlySet<Difference>
  /** True if the target has changed the slug of the article in its usual way. */
  readonly altersSlug: (entry: RemoteEntry) => boolean
}

/**
 * Learns from unedited articles what the target alters. Fields come from articles that the state knows, or that are at
 * the slug to which they were sent; the form of slugs comes from those that the state knows. If a document has several
 * articles, only their common alterations count, because one may be a copy.
 *
 * @param slugs slugs to which articles may have been sent
 */
export function learnAlterations(
  entries: readonly RemoteEntry[],
  slugs: () => Iterable<string>,
): Alterations {
  const slugFormOf = createSlugFormOf(slugs)
  const unedited = entries
    .filter(isUnedited)
    .map((entry) => ({ entry, differences: differencesOf(entry), isKnown: entry.isKnown === true }))
  const groups = [...groupBy(unedited, ({ entry }) => ownerOf(entry)).values()]
  const fields = new Set(
    groups.flatMap((group) => {
      const [first = [], ...others] = group
        .filter(({ differences, isKnown }) => isKnown || !differences.includes('slug'))
        .map(({ differences }) => differences.filter((each) => each !== 'slug'))
      return first.filter((each) => others.every((differences) => differences.includes(each)))
    }),
  )
  const moved = unedited.filter(({ differences, isKnown }) => isKnown && differences.includes('slug'))
  const forms = new Set(moved.flatMap(({ entry }) => slugFormOf(entry) ?? []))
  return { fields, altersSlug: (entry) => forms.size > 0 && forms.has(slugFormOf(entry) ?? '') }
}

/**
 * True if an article is what we sent, as this target stores it: at the slug to which it was sent, or at that of
 * `other`, which was sent to the same slug, with no alterations that `other` does not have.
 */
export function isAsStored(entry: RemoteEntry, alterations: Alterations, other?: RemoteEntry): boolean {
  const { remote, ours } = entry
  if (remote === undefined || ours === undefined) return false
  if (matchesLastSync(remote, ours)) return true
  const sentTo = sentSlugKey(entry)
  const isBeside =
    other !== entry && other?.slug === entry.slug && sentTo !== undefined && sentTo === writtenSlugKey(other)
  const beside = isBeside ? ['slug', ...differencesOf(other)] : []
  const isAltered = (each: Difference) =>
    alterations.fields.has(each) ||
    beside.includes(each) ||
    (each === 'slug' && alterations.altersSlug(entry))
  return isUnlikeItsMarker(entry) && differencesOf(entry).every(isAltered)
}

/** True if the title is unaltered, as in a copy. */
export function keepsTitle(entry: RemoteEntry): boolean {
  return !differencesOf(entry).includes('title')
}

function isUnedited({ remote, ours }: RemoteEntry): boolean {
  return remote !== undefined && ours !== undefined && !hasDrifted(ours, remote)
}

type DocumentVersions = ReadonlyMap<
  string,
  { readonly slug: string; readonly language: string | null; readonly fingerprint?: string | undefined }
>

/**
 * Separates manual copies of this project's articles, which carry its marker but belong to the people who made them.
 * A document's only article in its language is not a copy, unless it is at another slug than it was sent to and the
 * state knows its original under an id that is gone. Of several, all but the one with the best claim are copies, unless
 * the state knows them or they are what we sent, as this target stores it. An article without a document is a copy if it
 * was never edited and has another slug or title than was sent. If it is the only article of a deleted file, and was
 * sent to the slug of a document, it belongs to that document: the file has moved.
 *
 * @param goneIds ids of `entries` that are no longer on the target
 */
export function separateCopies(
  entries: readonly RemoteEntry[],
  goneIds: ReadonlySet<string>,
  wanted: DocumentVersions,
): { readonly kept: readonly RemoteEntry[]; readonly copies: readonly RemoteEntry[] } {
  // Entries that were not read are in the state. There may be thousands, so they are not compared with each other.
  const read = new Set(entries.flatMap((entry) => (entry.remote === undefined ? [] : [ownerOf(entry)])))
  if (read.size === 0) return { kept: entries, copies: [] }
  const isThere = ({ id }: RemoteEntry) => !goneIds.has(id)
  const rivals = entries.filter((entry) => read.has(ownerOf(entry)))
  const alterations = learnAlterations(rivals.filter(isThere), () =>
    Array.from(wanted.values(), ({ slug }) => slug),
  )
  const mayMove = rivals.some((entry) => hasAlteredSlug(entry, wanted))
  // Computed on demand: few plans need the hashes of all slugs.
  let addresses: ReadonlySet<string> | undefined
  let holders: ReadonlyMap<string, number> | undefined
  const isOnlyOneSent = (entry: RemoteEntry) => {
    const sentTo = sentSlugKey(entry)
    addresses ??= new Set([...wanted.values()].map(hashedSlugKey))
    if (sentTo === undefined || !addresses.has(sentTo)) return false
    holders ??= countHolders(entries)
    return holders.get(sentTo) === 1
  }
  const copies = [...groupBy(rivals, ownerOf).values()].flatMap((group) => {
    const there = group.filter(isThere)
    const gone = group.filter((entry) => !isThere(entry))
    if (!wanted.has(group[0]?.ours?.key ?? '')) {
      const isMoved = there.length === 1 && gone.length === 0 && there.some(isOnlyOneSent)
      return isMoved ? [] : there.filter((entry) => isOrphanedCopy(entry, alterations, mayMove))
    }
    return findCopies(sortByClaim(there, wanted, alterations), gone, alterations)
  })
  const separated = new Set(copies)
  return { kept: copies.length === 0 ? entries : entries.filter((entry) => !separated.has(entry)), copies }
}

function countHolders(entries: readonly RemoteEntry[]): ReadonlyMap<string, number> {
  const holders = new Map<string, number>()
  for (const entry of entries)
    for (const address of new Set([hashedSlugKey(entry), sentSlugKey(entry)]))
      if (address !== undefined) holders.set(address, (holders.get(address) ?? 0) + 1)
  return holders
}

/**
 * @param sorted articles of one document, the one with the best claim first
 * @param gone articles that only the state knows
 */
function findCopies(sorted: readonly RemoteEntry[], gone: readonly RemoteEntry[], alterations: Alterations) {
  const [first, ...others] = sorted
  const isMadeFromGone =
    first !== undefined &&
    differencesOf(first).includes('slug') &&
    gone.some(({ ours }) => ours?.fingerprint === first.ours?.fingerprint)
  return (isMadeFromGone ? sorted : others).filter((entry) => isCopy(entry, alterations, first))
}

function hasAlteredSlug(entry: RemoteEntry, wanted: DocumentVersions): boolean {
  const { slug } = wanted.get(entry.ours?.key ?? '') ?? {}
  if (slug === undefined || entry.remote === undefined || entry.slug.startsWith(`${slug}-`)) return false
  return sentSlugKey(entry) === hashedSlugKey({ slug, language: entry.language }) && entry.slug !== slug
}

/** @param mayMove true if the target stores slugs in another form */
function isOrphanedCopy(entry: RemoteEntry, alterations: Alterations, mayMove: boolean): boolean {
  const differences = differencesOf(entry)
  const hasOtherTitle = differences.includes('title') && !alterations.fields.has('title')
  const isElsewhere = hasOtherTitle || (differences.includes('slug') && !mayMove)
  return isElsewhere && isUnlikeItsMarker(entry) && isCopy(entry, alterations)
}

/** Document key and language. A translation that was copied on the target carries the marker of its original. */
export function ownerOf(marked: {
  readonly ours: Pick<Ownership, 'key'> | undefined
  readonly language: string | null
}): string {
  return `${marked.ours?.key ?? ''} ${marked.language ?? ''}`
}

function isCopy(entry: RemoteEntry, alterations: Alterations, other?: RemoteEntry): boolean {
  return (
    entry.isKnown !== true && entry.remote?.marker !== undefined && !isAsStored(entry, alterations, other)
  )
}

function differencesOf({ remote, ours }: RemoteEntry): Difference[] {
  if (remote === undefined || ours === undefined || matchesLastSync(remote, ours)) return []
  const byReviewDate = [remote.fields, { ...remote.fields, reviewDate: '' }].map((fields) =>
    changedFields(ours.fieldsHash, fields),
  )
  const [fields = []] = byReviewDate.toSorted((a, b) => a.length - b.length)
  return remote.projectionHash === ours.projectionHash ? [...fields] : [...fields, 'text']
}

function sortByClaim(entries: readonly RemoteEntry[], wanted: DocumentVersions, alterations: Alterations) {
  const claims = new Map(entries.map((entry) => [entry, claimOf(entry, wanted, alterations)]))
  return entries.toSorted((one, other) => {
    const claim = claims.get(other) ?? []
    const differences = (claims.get(one) ?? []).map((value, index) => value - (claim[index] ?? 0))
    return differences.find((difference) => difference !== 0) ?? 0
  })
}

/** The claim of an article to be the document's own. Compared from the left; the smaller value has the better claim. */
function claimOf(entry: RemoteEntry, wanted: DocumentVersions, alterations: Alterations): readonly number[] {
  const { ours, isKnown, isRecorded, remote } = entry
  const differences = differencesOf(entry)
  const document = wanted.get(ours?.key ?? '')
  const isEdited = ours !== undefined && isSignedAsEdited(ours)
  const isElsewhere = isEdited ? entry.slug !== document?.slug : differences.includes('slug')
  return [
    // On most services a copy needs another slug.
    isElsewhere ? 1 : 0,
    // An edited article was restored although another machine had sent the document since.
    isEdited ? 1 : 0,
    isKnown === true ? 0 : 1,
    isRecorded === true ? 0 : 1,
    ours?.fingerprint === document?.fingerprint ? 0 : 1,
    differences.filter((each) => !alterations.fields.has(each)).length,
    // A copy is younger than its original.
    remote?.createdMs ?? 0,
  ]
}
