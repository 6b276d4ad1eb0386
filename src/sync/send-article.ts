import type { WriteOutcome } from '../client/write-outcome.ts'
import type { LenientReadArticle } from '../contract/lenient.ts'
import { hashFields } from '../model/article-fields.ts'
import type { Operation } from '../model/plan.ts'
import { slugKey } from '../model/slug-key.ts'
import { hasDrifted } from '../plan/detect-drift.ts'
import {
  buildPayload,
  fieldsToSend,
  type LanguageMembers,
  languageToSend,
  reviewDateToSend,
  toRequest,
  type WantedArticle,
} from '../plan/payload.ts'
import { entryOfRemote, type RemoteEntry } from '../plan/remote-entry.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { toRemoteArticle } from './to-remote.ts'

/** How far one write of an article got; the ids of what was created are found for many at once. */
export type SendResult =
  /** `replaces` is the old article that must go once the new one is found. */
  | { readonly kind: 'sent'; readonly sent: SentArticle; readonly replaces: string | undefined }
  /** In place: the id is known and stays. */
  | { readonly kind: 'updated'; readonly sent: SentArticle }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'conflict'; readonly reason: string }
  /** A translation whose original is not there. */
  | { readonly kind: 'waiting'; readonly reason: string }

/** Sends a new article. */
export async function sendNew(wanted: WantedArticle, context: ApplyContext): Promise<SendResult> {
  const { outcome, sent } = await put(wanted, undefined, context)
  if (outcome.kind === 'done') return { kind: 'sent', sent, replaces: undefined }
  // The lists do not show every article: one without review date and links is seen only when it stands in the way.
  if (outcome.kind === 'refused' && outcome.status === 409)
    return { kind: 'conflict', reason: outcome.message }
  return { kind: 'failed', reason: explainOutcome(outcome) }
}

/**
 * Sends the new version of an article of ours. Where the target takes two articles with one slug, the old one stays
 * until the new one is found; elsewhere the old one must go first, and comes back if the new one is refused.
 */
export async function sendReplacement(
  operation: Operation,
  wanted: WantedArticle,
  context: ApplyContext,
): Promise<SendResult> {
  const ready = await prepareReplacement(operation, context)
  if (ready.kind === 'gone') return sendNew(wanted, context)
  if (ready.kind === 'conflict') return ready
  const keepsSlug = slugKey(ready.old.entry) === slugKey(wanted.article)
  // An original has one translation into a language: the old one goes first there, too.
  const isUnique = context.ledger.duplicateSlugs === 'refused' || wanted.originalId !== undefined
  if (keepsSlug && isUnique) {
    return replaceInPlace(operation, wanted, ready.old, context)
  }
  const { outcome, sent } = await put(wanted, ready.old.entry, context)
  if (outcome.kind === 'done') return { kind: 'sent', sent, replaces: operation.id }
  if (keepsSlug && refusesDuplicates(outcome)) {
    context.ledger.duplicateSlugs = 'refused'
    return replaceInPlace(operation, wanted, ready.old, context)
  }
  return { kind: 'failed', reason: explainOutcome(outcome) }
}

type Prepared =
  | { readonly kind: 'ready'; readonly old: OldArticle }
  | { readonly kind: 'gone' }
  | { readonly kind: 'conflict'; readonly reason: string }

/** Reads the old version once more, right before it is touched, and keeps what was not written by us. */
export async function prepareReplacement(operation: Operation, context: ApplyContext): Promise<Prepared> {
  const old = await readOld(operation, context)
  if (old === undefined) return { kind: 'gone' }
  const reason = findConflict(operation, old.entry, context)
  if (reason !== undefined) return { kind: 'conflict', reason }
  if (needsBackup(operation, old.entry)) await context.backUp(operation.id, old.read)
  return { kind: 'ready', old }
}

/** Deletes the old version, then sends the new one. */
export async function replaceInPlace(
  operation: Operation,
  wanted: WantedArticle,
  old: OldArticle,
  context: ApplyContext,
): Promise<SendResult> {
  return (await removeOld(operation, context)) ?? sendOrRestore(wanted, old, context)
}

/** Deletes the old version of an article; undefined once it is gone. */
export async function removeOld({ id }: Operation, context: ApplyContext): Promise<SendResult | undefined> {
  const outcome = await context.client.deleteArticle(id)
  if (outcome.kind !== 'done')
    return { kind: 'failed', reason: `the old version was not removed: ${explainOutcome(outcome)}` }
  context.ledger.deletedIds.add(id)
  return undefined
}

/** Sends the new version of an article whose old one is gone, and puts the old one back if it is refused. */
export async function sendOrRestore(
  wanted: WantedArticle,
  old: OldArticle,
  context: ApplyContext,
): Promise<SendResult> {
  const { outcome, sent } = await put(wanted, old.entry, context, true)
  if (outcome.kind === 'done') return { kind: 'sent', sent, replaces: undefined }
  const fields = old.entry.remote?.fields
  if (outcome.kind === 'lost' || fields === undefined)
    return { kind: 'failed', reason: explainOutcome(outcome) }
  const language = context.offers.languages ? languageOf(old.entry) : {}
  const before = toRequest(fields, old.read.data.content ?? '', language)
  const restored = await context.client.createArticle(before, { finishes: true })
  const fate =
    restored.kind === 'done'
      ? 'the old version was put back'
      : 'the old version could not be put back; the next run sends the article again'
  return { kind: 'failed', reason: `${explainOutcome(outcome)}; ${fate}` }
}

function languageOf({ language, languageParent }: RemoteEntry): LanguageMembers {
  return {
    ...(language !== null && { lang: language }),
    ...(languageParent !== undefined && { languageParent }),
  }
}

/** The version on the target, as read right before the write. */
export interface OldArticle {
  readonly read: LenientReadArticle
  readonly entry: RemoteEntry
}

async function readOld(
  { id }: Operation,
  { client, defaultLanguage, project, entries, ledger }: ApplyContext,
): Promise<OldArticle | undefined> {
  const read = await client.readArticle(id)
  if (read === undefined) return undefined
  // What the target stripped of its marker is known from the plan.
  const known = (ledger.moved.get(id) ?? entries.get(id))?.ours
  return { read, entry: entryOfRemote(toRemoteArticle(read, defaultLanguage), project, known) }
}

/** The same questions as in the plan, asked again right before the write. */
function findConflict(
  operation: Operation,
  { ours, remote }: RemoteEntry,
  context: ApplyContext,
): string | undefined {
  if (ours === undefined) {
    return context.adopt.has(operation.slug) ? undefined : 'it is not ours any more'
  }
  if (remote?.draftId !== undefined) return 'a draft of it is open on the target'
  const drifted = remote !== undefined && hasDrifted(ours, remote)
  return drifted && !context.overwriteDrift ? 'it was edited on the target' : undefined
}

function needsBackup(operation: Operation, { ours, remote }: RemoteEntry): boolean {
  return (
    ours === undefined || operation.action === 'delete' || (remote !== undefined && hasDrifted(ours, remote))
  )
}

async function put(
  wanted: WantedArticle,
  old: RemoteEntry | undefined,
  { client, project, readHtml, today, offers, defaultLanguage }: ApplyContext,
  finishes = false,
): Promise<{ outcome: WriteOutcome; sent: SentArticle }> {
  const fields = fieldsToSend(wanted, reviewDateToSend(wanted.article, old, today))
  const language = offers.languages ? languageToSend(wanted, undefined, defaultLanguage) : {}
  const payload = buildPayload(wanted, fields, readHtml(wanted.article), project, language)
  const outcome = await client.createArticle(payload, { finishes })
  return { outcome, sent: { wanted, fieldsHash: hashFields(fields) } }
}

/** Whether a refusal is about the slug: 409 says so, others only in words. */
function refusesDuplicates(outcome: WriteOutcome): boolean {
  return (
    outcome.kind === 'refused' &&
    (outcome.status === 409 || /slug|duplicate|already exists|unique/i.test(outcome.message))
  )
}

/** A write's end as a reason. */
export function explainOutcome(outcome: WriteOutcome): string {
  switch (outcome.kind) {
    case 'done':
      return outcome.message
    case 'refused':
      return `the target refused it: ${outcome.message}`
    case 'lost':
      return `the answer was lost (${outcome.reason}); the next run sees whether it was done`
  }
}

/** Deletes an article of ours that no file wants, after one more look at it; undefined once it is gone. */
export async function deleteOrphan(
  operation: Operation,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const ready = await prepareReplacement(operation, context)
  if (ready.kind === 'gone') return undefined
  return ready.kind === 'conflict' ? ready : removeOld(operation, context)
}
