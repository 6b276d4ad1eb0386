import { type FieldName, changedFields } from '../../core/model/article-fields.ts'
import { groupBy } from '../../core/group-by.ts'
import { hasDrifted, isSignedAsEdited, matchesLastSync } from './detect-drift.ts'
import {
  type Ownership,
  type RemoteEntry,
  addressOf,
  sentAddressOf,
  writtenAddressOf,
} from './remote-entry.ts'
import { createSlugFormOf } from './slug-forms.ts'

/** In what an article differs from what we sent: single fields, or the text of its HTML. */
type Difference = FieldName | 'text'

/**
 * Whether an article differs from what its marker says although no one has edited it: a target that writes articles
 * another way, or a copy made by hand, marker and all.
 */
export function isUnlikeItsMarker(entry: RemoteEntry): boolean {
  return isUnedited(entry) && differencesOf(entry).length > 0
}

/** What the target alters when it stores an article. */
export interface Alterations {
  readonly fields: ReadonlySet<Difference>
  /** Whether it has written the slug of an article in its own way. */
  readonly altersSlug: (entry: RemoteEntry) => boolean
}

/**
 * Learns from articles that were never edited what the target alters: fields from those that state knows or that stand at
 * the slug under which they were sent, the form of slugs from those that state knows. Of several of one document, only
 * what all of them have in common: one may be a copy.
 *
 * @param slugs under which articles may have been sent
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
 * Whether an article is what we sent, as this target stores it: at the slug under which it was sent, or at that of
 * `other`, which was sent there as well, and then altered in nothing in which `other` is not.
 */
export function isAsStored(entry: RemoteEntry, alterations: Alterations, other?: RemoteEntry): boolean {
  const { remote, ours } = entry
  if (remote === undefined || ours === undefined) return false
  if (matchesLastSync(remote, ours)) return true
  const sentTo = sentAddressOf(entry)
  const isBeside =
    other !== entry &&
    other?.slug === entry.slug &&
    sentTo !== undefined &&
    sentTo === writtenAddressOf(other)
  const beside = isBeside ? ['slug', ...differencesOf(other)] : []
  const isAltered = (each: Difference) =>
    alterations.fields.has(each) ||
    beside.includes(each) ||
    (each === 'slug' && alterations.altersSlug(entry))
  return isUnlikeItsMarker(entry) && differencesOf(entry).every(isAltered)
}

/** Whether all that the target has altered is what no one changes in a copy. */
export function keepsTitle(entry: RemoteEntry): boolean {
  return !differencesOf(entry).includes('title')
}

function isUnedited({ remote, ours }: RemoteEntry): boolean {
  return remote !== undefined && ours !== undefined && !hasDrifted(ours, remote)
}

type WantedVersions = ReadonlyMap<
  string,
  { readonly slug: string; readonly language: string | null; readonly fingerprint?: string | undefined }
>

/**
 * Parts copies made by hand from articles of this project, marker and all, with which their makers may do as they like. The only
 * article of a document in its language is none, whatever the target has made of it, unless it stands at another slug
 * than what it was made from, and state knows that under an id that is gone. Of several, all but the one with the best
 * claim are copies, unless state knows them or they are what we sent, as this target stores it. Where no document wants it
 * any more, what was never edited and has another slug or title than was sent is a copy, too; but the only article of a
 * file that was sent where a document wants to be is that file's, moved.
 *
 * @param goneIds of `entries` that are not on the target any more
 */
export function setCopiesAside(
  entries: readonly RemoteEntry[],
  goneIds: ReadonlySet<string>,
  wanted: WantedVersions,
): { readonly kept: readonly RemoteEntry[]; readonly copies: readonly RemoteEntry[] } {
  // What was not read is known to state; with thousands of these, they are not compared with each other.
  const read = new Set(entries.flatMap((entry) => (entry.remote === undefined ? [] : [ownerOf(entry)])))
  if (read.size === 0) return { kept: entries, copies: [] }
  const isThere = ({ id }: RemoteEntry) => !goneIds.has(id)
  const rivals = entries.filter((entry) => read.has(ownerOf(entry)))
  const alterations = learnAlterations(rivals.filter(isThere), () =>
    Array.from(wanted.values(), ({ slug }) => slug),
  )
  const mayMove = rivals.some((entry) => hasAlteredSlug(entry, wanted))
  // Hashes of all slugs, which few plans need.
  let addresses: ReadonlySet<string> | undefined
  let holders: ReadonlyMap<string, number> | undefined
  const isOnlyOneSent = (entry: RemoteEntry) => {
    const sentTo = sentAddressOf(entry)
    addresses ??= new Set([...wanted.values()].map(addressOf))
    if (sentTo === undefined || !addresses.has(sentTo)) return false
    holders ??= countHolders(entries)
    return holders.get(sentTo) === 1
  }
  const copies = [...groupBy(rivals, ownerOf).values()].flatMap((group) => {
    const there = group.filter(isThere)
    const gone = group.filter((entry) => !isThere(entry))
    if (!wanted.has(group[0]?.ours?.key ?? '')) {
      const isMoved = there.length === 1 && gone.length === 0 && there.some(isOnlyOneSent)
      return isMoved ? [] : there.filter((entry) => isCopyOfUnwanted(entry, alterations, mayMove))
    }
    return findCopies(sortByClaim(there, wanted, alterations), gone, alterations)
  })
  const aside = new Set(copies)
  return { kept: copies.length === 0 ? entries : entries.filter((entry) => !aside.has(entry)), copies }
}

function countHolders(entries: readonly RemoteEntry[]): ReadonlyMap<string, number> {
  const holders = new Map<string, number>()
  for (const entry of entries)
    for (const address of new Set([addressOf(entry), sentAddressOf(entry)]))
      if (address !== undefined) holders.set(address, (holders.get(address) ?? 0) + 1)
  return holders
}

/** @param sorted articles of one document, the one with the best claim first @param gone those that state alone knows */
function findCopies(
  sorted: readonly RemoteEntry[],
  gone: readonly RemoteEntry[],
  alterations: Alterations,
): RemoteEntry[] {
  const [first, ...others] = sorted
  const isMadeFromGone =
    first !== undefined &&
    differencesOf(first).includes('slug') &&
    gone.some(({ ours }) => ours?.fingerprint === first.ours?.fingerprint)
  return (isMadeFromGone ? sorted : others).filter((entry) => isCopy(entry, alterations, first))
}

function hasAlteredSlug(entry: RemoteEntry, wanted: WantedVersions): boolean {
  const { slug } = wanted.get(entry.ours?.key ?? '') ?? {}
  if (slug === undefined || entry.remote === undefined || entry.slug.startsWith(`${slug}-`)) return false
  return sentAddressOf(entry) === addressOf({ slug, language: entry.language }) && entry.slug !== slug
}

/** @param mayMove whether the target stores slugs in another form */
function isCopyOfUnwanted(entry: RemoteEntry, alterations: Alterations, mayMove: boolean): boolean {
  const differences = differencesOf(entry)
  const hasOtherTitle = differences.includes('title') && !alterations.fields.has('title')
  const isElsewhere = hasOtherTitle || (differences.includes('slug') && !mayMove)
  return isElsewhere && isUnlikeItsMarker(entry) && isCopy(entry, alterations)
}

/** Document key and language: a translation that was copied on the target carries the marker of its original. */
export function ownerOf({
  ours,
  language,
}: {
  readonly ours: Pick<Ownership, 'key'> | undefined
  readonly language: string | null
}): string {
  return `${ours?.key ?? ''} ${language ?? ''}`
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

function sortByClaim(
  entries: readonly RemoteEntry[],
  wanted: WantedVersions,
  alterations: Alterations,
): RemoteEntry[] {
  const claims = new Map(entries.map((entry) => [entry, claimOf(entry, wanted, alterations)]))
  return entries.toSorted((one, other) => {
    const claim = claims.get(other) ?? []
    const differences = (claims.get(one) ?? []).map((value, index) => value - (claim[index] ?? 0))
    return differences.find((difference) => difference !== 0) ?? 0
  })
}

/** The smaller, the better; the first difference decides. */
function claimOf(entry: RemoteEntry, wanted: WantedVersions, alterations: Alterations): readonly number[] {
  const { ours, isKnown, isRecorded, remote } = entry
  const differences = differencesOf(entry)
  const document = wanted.get(ours?.key ?? '')
  const isEdited = ours !== undefined && isSignedAsEdited(ours)
  const isElsewhere = isEdited ? entry.slug !== document?.slug : differences.includes('slug')
  return [
    // On most services a copy has to have another slug.
    isElsewhere ? 1 : 0,
    // What someone had edited was restored where another machine had sent the document.
    isEdited ? 1 : 0,
    isKnown === true ? 0 : 1,
    isRecorded === true ? 0 : 1,
    ours?.fingerprint === document?.fingerprint ? 0 : 1,
    differences.filter((each) => !alterations.fields.has(each)).length,
    // A copy is younger than what it was made from.
    remote?.createdMs ?? 0,
  ]
}
