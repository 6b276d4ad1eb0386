import type { AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'
import { ifKbError } from '../../core/errors/kb-error.ts'
import { UNKNOWN_VERSION } from '../../core/model/article-version.ts'
import { hashFields } from '../../core/model/article-fields.ts'
import { appendMarker, readMarker, removeMarkers } from '../../core/model/marker.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { formOf, temporarySlug } from '../plan/slug-forms.ts'
import { EDITED_HASHES, hasDrifted, isSignedAsEdited, wasSentTo } from '../plan/remote-entry.ts'
import { type ExtensionMembers, toRequest } from '../plan/resolved-article.ts'
import { digestParts } from '../../core/digest.ts'
import { settleAll } from '../../core/settle-all.ts'
import type { ApplyContext } from './apply-context.ts'
import { listDated } from '../remote/list-articles.ts'
import { isSlugTaken } from '../../api/client/write-outcome.ts'
import { type VerifiedOutcome, createJournaled, noteCreate, statedIdOf } from './journaled-writes.ts'
import { type SoughtArticle, resolveCreatedIds } from './resolve-created-ids.ts'
import type { JudgedChange } from './change-article.ts'
import { projectionOf, readRemoteArticle } from '../remote/to-remote.ts'

/** Everything needed to restore an article that is deleted for its new version. */
export function toRemoved(old: Pick<JudgedChange, 'wanted' | 'read' | 'entry'>): RemovedArticle | undefined {
  const { wanted, read, entry } = old
  if (entry.remote === undefined) return undefined
  const { key, source } = wanted.article
  const { language, languageParent, id, remote } = entry
  const content = read.data.content ?? ''
  const isEdited = entry.ours !== undefined && hasDrifted(entry.ours, remote)
  // A target that alters slugs would alter its own form again, so the sent slug is restored. A slug that a person has
  // chosen stays.
  const isSentSlug =
    wasSentTo(entry, { slug: wanted.article.slug, language }) &&
    (!isEdited || formOf(wanted.article.slug, entry.slug) !== undefined)
  const slug = isSentSlug ? wanted.article.slug : entry.slug
  const base = { id, key, source, fields: { ...remote.fields, slug }, language, languageParent }
  if (entry.ours === undefined || !isEdited) return { ...base, content, ours: entry.ours }
  // A restored article looks new, so only its marker can show that someone had edited it.
  const { fingerprint, sourceHash } = entry.ours
  const ours = { fingerprint, sourceHash, ...EDITED_HASHES }
  const { marker } = remote
  const isMarked = marker !== undefined
  const html = removeMarkers(content)
  return { ...base, content: isMarked ? appendMarker(html, { ...marker, ...EDITED_HASHES }) : content, ours }
}

/**
 * Restores an article as it was, or at another slug if its own is taken. Restores nothing if another machine has sent
 * the document in the meantime.
 */
export async function restoreArticle(removed: RemovedArticle, context: ApplyContext): Promise<Restored> {
  const outcome = await restoreVersion(removed, context)
  if (outcome.kind !== 'refused') return outcome
  if (await hasSuccessor(removed, context)) {
    context.ledger.removed.delete(removed.key)
    return { kind: 'done', found: undefined }
  }
  if (isSlugTaken(outcome) && !isPassedOn(removed, context)) context.ledger.freesSlugs = false
  // Its marker matches no document, so a later run moves it to its slug.
  const aside = atTemporarySlug(removed)
  const restored = await restoreVersion(aside, context)
  return restored.kind === 'done' ? { ...restored, newSlug: aside.fields.slug } : restored
}

/** True if another document wants the slug, and so may have it by now. */
function isPassedOn({ key, fields, language }: RemovedArticle, { wanted }: ApplyContext): boolean {
  const address = slugKey({ slug: fields.slug, language })
  return [...wanted.values()].some(({ article }) => article.key !== key && slugKey(article) === address)
}

/** The result of restoring an article. */
type Restored =
  | Exclude<VerifiedOutcome, { kind: 'done' }>
  /** `found`: the article, if the lists show it; `newSlug`: its slug, if it is not the old one. */
  | { readonly kind: 'done'; readonly found: RemoteArticle | undefined; readonly newSlug?: string }

async function hasSuccessor(
  { key, language, fields }: RemovedArticle,
  { client, defaultLanguage, project, ledger }: ApplyContext,
): Promise<boolean> {
  const listed = await listDated(client, { defaultLanguage })
  const unknown = listed.filter(({ id }) => !ledger.knownIds.has(id))
  const read = await settleAll(unknown.map(({ id }) => readRemoteArticle(client, id, defaultLanguage)))
  return read.some((remote) => {
    if (remote === undefined) return false
    const { marker } = remote
    if (marker !== undefined) return marker.project === project && marker.documentKey === key
    return (
      remote.language === language &&
      remote.fields.slug === fields.slug &&
      remote.fields.title === fields.title
    )
  })
}

/**
 * Restores an article at its own slug, and verifies it. If no list showed the article before, it cannot be verified,
 * and the target's response counts.
 */
export async function restoreVersion(removed: RemovedArticle, context: ApplyContext): Promise<Restored> {
  const { fields, content, id } = removed
  const { ledger, offers, unlistedIds } = context
  const record = recordOfRemoved(removed, context)
  const note = noteCreate(record, context)
  const body = toRequest(fields, content, offers.languages ? languageOf(removed) : {})
  const outcome = await createJournaled({ toBody: () => body, note, finishes: true }, context)
  if (outcome.kind === 'refused') return outcome
  const statedId = statedIdOf(outcome, context)
  const sighting = unlistedIds.has(id) ? 'unknown' : await findRestored(removed, statedId, context)
  const isSeen = typeof sighting === 'object'
  const { sentMs: _, ...version } = record
  if (isSeen) ledger.restored.push({ ...version, id: sighting.id })
  else ledger.awaitedRestores.push(record)
  if (!isSeen && outcome.kind === 'lost') return outcome
  if (sighting === 'missing') return { kind: 'ignored' }
  ledger.removed.delete(removed.key)
  return { kind: 'done', found: isSeen ? sighting : undefined }
}

/** Finds a restored article like any sent article: by its marker, or by its whole content. */
async function findRestored(
  { fields, content, language, key }: RemovedArticle,
  statedId: string | undefined,
  context: ApplyContext,
): Promise<RemoteArticle | 'missing' | 'unknown'> {
  const marker = readMarker(content)
  const article = {
    key: marker?.documentKey ?? key,
    title: fields.title,
    slug: fields.slug,
    language,
    projectionHash: projectionOf(content),
  }
  const sought: SoughtArticle = {
    wanted: { article, fingerprint: marker?.fingerprint ?? UNKNOWN_VERSION.fingerprint },
    fieldsHash: hashFields(fields),
    isEdited: marker !== undefined && isSignedAsEdited(marker),
    statedId,
  }
  // An adopted article of another project carries that project's marker.
  const project = marker?.project ?? context.project
  const naming = resolveCreatedIds([sought], { ...context, project }, () => true)
  return naming.then((named) => named.get(sought)?.remote ?? 'missing').catch(ifKbError('unknown'))
}

/** Returns the article at a temporary slug, without its original. */
function atTemporarySlug(removed: RemovedArticle): RemovedArticle {
  const { id, ours, content } = removed
  const fields = { ...removed.fields, slug: temporarySlug(removed.fields.slug, id) }
  const aside = { ...removed, fields, languageParent: undefined }
  if (ours === undefined) return aside
  const isEdited = isSignedAsEdited(ours)
  const signed = {
    ...ours,
    fingerprint: digestParts(['aside', ours.fingerprint]),
    fieldsHash: isEdited ? ours.fieldsHash : hashFields(fields),
  }
  const marker = readMarker(content)
  if (marker === undefined) return { ...aside, ours: signed }
  const { fingerprint, fieldsHash } = signed
  return {
    ...aside,
    ours: signed,
    content: appendMarker(removeMarkers(content), { ...marker, fingerprint, fieldsHash }),
  }
}

function languageOf({ language, languageParent }: RemovedArticle): ExtensionMembers {
  return {
    ...(language !== null && { lang: language }),
    ...(languageParent !== undefined && { languageParent }),
  }
}

function recordOfRemoved(removed: RemovedArticle, { nowMs }: ApplyContext): AwaitedArticle {
  const { key, source, fields, content, language, languageParent, ours } = removed
  return {
    key,
    source,
    slug: fields.slug,
    language,
    title: fields.title,
    languageParent,
    sentMs: nowMs(),
    ...UNKNOWN_VERSION,
    fieldsHash: hashFields(fields),
    projectionHash: projectionOf(content),
    ...ours,
  }
}
