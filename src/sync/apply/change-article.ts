// Reads and judges an article right before a write changes or deletes it, and changes it in place. A new version that
// replaces it is sent by send-article.ts.
import type { LenientReadArticle } from '../../api/contract/lenient.ts'
import type { ArticleDelete, ArticleWrite, ChangeOperation } from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { type Refusal, decideChange, decideDelete } from '../plan/decide-change.ts'
import {
  type ResolvedArticle,
  withOriginal,
  buildPayload,
  fieldsToSend,
  extensionsToSend,
  reviewDateToSend,
  toRequest,
} from '../plan/resolved-article.ts'
import {
  type RemoteEntry,
  entryOfRemote,
  isRecognised,
  withExactDate,
  type Ownership,
  matchesLastSync,
  hashSentFields,
} from '../plan/remote-entry.ts'
import type { ApplyContext } from './apply-context.ts'
import { toRemoteArticle, readRemoteArticle } from '../remote/to-remote.ts'
import type { ArticleRequest } from '../../api/contract/request.ts'
import { ifKbError } from '../../core/errors/kb-error.ts'
import { UNKNOWN_VERSION } from '../../core/model/article-version.ts'
import { hashFields } from '../../core/model/article-fields.ts'
import { appendMarker, readMarker, removeMarkers } from '../../core/model/marker.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { digest, digestParts } from '../../core/digest.ts'
import {
  type NewVersion,
  type VerifiedOutcome,
  recordOfSent,
  updateArticle,
  explainOutcome,
} from './journaled-writes.ts'
import { temporarySlug } from '../plan/slug-forms.ts'

/** The article to send. A translation refers to its original by the id that it has now. */
export function wantedOf({ source }: ArticleWrite, { wanted, ledger }: ApplyContext): ResolvedArticle {
  const found = wanted.get(source)
  if (found === undefined) throw new Error(`the plan names ${source}, which is not among the documents`)
  const { translationOf, article } = found
  const original = article.original === undefined ? undefined : ledger.sent.get(article.original)
  return translationOf === undefined || original === undefined ? found : withOriginal(found, original.id)
}

/** The version on the target, as read right before the write. */
interface OldArticle {
  readonly read: LenientReadArticle
  /** The version that was read; undefined unless the target refuses to write another one. */
  readonly ifMatch?: string | undefined
  readonly entry: RemoteEntry
}

/** A change that may be made, decided from what was just read. */
export interface JudgedChange extends OldArticle {
  readonly operation: ChangeOperation
  readonly wanted: ResolvedArticle
  readonly how: 'update' | 'replace'
}

type Judged<Subject> = { readonly kind: 'ready'; readonly judged: Subject } | Unready

type Unready = { readonly kind: 'gone' } | { readonly kind: 'conflict'; readonly reason: string }

/**
 * Decides about an article, then writes it. If it was changed on the target in between, decides and writes once more.
 *
 * @param old the version that was judged already, if any
 * @returns the result of the write, or why there was none
 */
export async function writeJudged<Old, Result extends { readonly kind: string } | undefined>(
  judge: () => Promise<Judged<Old>>,
  write: (old: Old) => Promise<Result>,
  old?: Old,
): Promise<Result | Unready> {
  const first = old === undefined ? await judge() : ({ kind: 'ready', judged: old } as const)
  if (first.kind !== 'ready') return first
  const result = await write(first.judged)
  if (result?.kind !== 'changed') return result
  const second = await judge()
  return second.kind === 'ready' ? write(second.judged) : second
}

/** Reads an article right before it is changed, and makes a backup of anything that we did not write. */
export async function prepareChange(
  operation: ChangeOperation,
  context: ApplyContext,
): Promise<Judged<JudgedChange>> {
  const old = await readOld(operation, context)
  if (old === undefined || wasNeverOurs(operation, old.entry, context)) return { kind: 'gone' }
  // The run may have learnt since the plan that the target keeps markers.
  const { keepsComments } = context.ledger
  const wanted = wantedOf(operation, context)
  const decision = decideChange(old.entry, wanted, { ...context, keepsComments })
  if (decision.kind === 'foreign' || decision.kind === 'conflict') return conflictOf(decision)
  if (isOtherVersion(old.entry, context)) return CHANGED_SINCE
  if (needsBackup(old.entry)) await keep(operation, old, context)
  return { kind: 'ready', judged: { ...old, operation, wanted, how: decision.kind } }
}

/** Reads an article right before it is deleted, and always makes a backup. */
export async function prepareDelete(
  operation: ArticleDelete,
  context: ApplyContext,
): Promise<Judged<OldArticle>> {
  const old = await readOld(operation, context)
  if (old === undefined) return { kind: 'gone' }
  const decision = decideDelete(old.entry, operation.action, context)
  if (decision.kind !== 'delete') return conflictOf(decision)
  if (isOtherVersion(old.entry, context)) return CHANGED_SINCE
  await keep(operation, old, context)
  return { kind: 'ready', judged: old }
}

const CHANGED_SINCE = {
  kind: 'conflict',
  reason: 'another run has changed it on the target since; create the plan again',
} as const

/** True if a run that executes a saved plan finds another version than the plan was compared with. */
function isOtherVersion({ id, remote }: RemoteEntry, { isBound, entries, ledger }: ApplyContext): boolean {
  const known = entries.get(id)?.remote
  if (!isBound || known === undefined || ledger.moved.has(id)) return false
  return known.htmlHash !== remote?.htmlHash || known.fieldsHash !== remote.fieldsHash
}

function conflictOf(refusal: Refusal): Unready {
  return refusal.kind === 'conflict'
    ? refusal
    : { kind: 'conflict', reason: 'it is no longer managed by this project' }
}

/** True if the target listed another article, at another slug, under the title that we sent. */
function wasNeverOurs(
  operation: ChangeOperation,
  { ours, ...entry }: RemoteEntry,
  { entries }: ApplyContext,
): boolean {
  const isUnproven = entries.get(operation.id)?.ours?.isUnproven === true
  return isUnproven && ours === undefined && slugKey(entry) !== slugKey(operation)
}

async function readOld(
  { id }: ChangeOperation | ArticleDelete,
  { client, defaultLanguage, project, entries, ledger, offers }: ApplyContext,
): Promise<OldArticle | undefined> {
  const found = await client.readArticle(id)
  if (found === undefined) return undefined
  const { etag, ...read } = found
  // If the target has removed the marker, the plan knows the article.
  const known = ledger.moved.get(id) ?? entries.get(id)
  const remote = toRemoteArticle(read, defaultLanguage, known?.remote ?? known?.ours)
  const ours = withExactDate(known?.ours, remote, offers)
  return { read, ifMatch: offers.etag ? etag : undefined, entry: entryOfRemote(remote, project, ours) }
}

/** Makes one backup per version, even if the article is checked twice. */
async function keep(
  { id }: ChangeOperation | ArticleDelete,
  { read, entry }: OldArticle,
  context: ApplyContext,
): Promise<void> {
  const { backups, keptEditions } = context.ledger
  const edition = `${id} ${entry.remote?.editedMs}`
  if (keptEditions.has(edition)) return
  backups.set(id, await context.backUp(id, read))
  keptEditions.add(edition)
}

/** Dates may be too coarse to tell an edit from our own write, so anything that differs from what we sent is saved. */
function needsBackup({ ours, remote }: RemoteEntry): boolean {
  const isOfOthers = ours === undefined || isRecognised(ours)
  return isOfOthers || (remote !== undefined && !matchesLastSync(remote, ours))
}

/** Updates an article in place, and records that; returns undefined if it is done. */
export function sendUpdate(change: JudgedChange, context: ApplyContext) {
  const judge = () => prepareChange(change.operation, context)
  return writeJudged(judge, (judged) => sendInPlace(judged, context), change)
}

async function sendInPlace(change: JudgedChange, context: ApplyContext) {
  const { operation, wanted, entry } = change
  const { article } = wanted
  const { today, project, ledger } = context
  const fields = fieldsToSend(wanted, reviewDateToSend(article, entry, today))
  const extensions = extensionsToSend(wanted, entry, context)
  const fieldsHash = hashSentFields(fields, article.review)
  const body = buildPayload(wanted, fields, context.readHtml(article), { project, fieldsHash }, extensions)
  const sent = { wanted, fieldsHash, htmlHash: digest(body.content), sentMs: context.nowMs() }
  const outcome = await post({ record: recordOfSent(sent, operation.id), body }, change, context)
  if (outcome.kind !== 'done') return failedUpdate(outcome)
  const proof = { isUnproven: false, isAccepted: true }
  ledger.sent.set(article.source, { id: operation.id, editedMs: outcome.editedMs, ...sent, ...proof })
  return undefined
}

/**
 * Moves an article to a temporary slug, without its original, so that others can use both. Its marker matches no
 * document, so this run or the next one sends it again. Undefined if it blocks nothing.
 */
export async function stepAside(operation: ChangeOperation, context: ApplyContext) {
  const judge = () => prepareChange(operation, context)
  const result = await writeJudged(judge, (change) => moveAside(change, context))
  return result?.kind === 'gone' ? undefined : result
}

async function moveAside(change: JudgedChange, context: ApplyContext) {
  const { operation, entry, read } = change
  const { article } = change.wanted
  const { remote } = entry
  if (remote === undefined) return undefined
  const slug = temporarySlug(entry.slug, operation.id)
  const fields = { ...remote.fields, slug }
  const past = entry.ours ?? UNKNOWN_VERSION
  const ours: Ownership = {
    key: article.key,
    fingerprint: digestParts(['aside', past.fingerprint]),
    sourceHash: past.sourceHash,
    fieldsHash: hashFields(fields),
    projectionHash: remote.projectionHash,
  }
  const { key: documentKey, ...hashes } = ours
  const html = removeMarkers(read.data.content ?? '')
  const content = appendMarker(html, { project: context.project, documentKey, ...hashes })
  const isTranslation = context.offers.languages && entry.languageParent !== undefined
  const body = toRequest(fields, content, isTranslation ? { languageParent: '' } : {})
  const { source, language, title } = article
  const record = { ...ours, id: operation.id, source, slug, language, title }
  const outcome = await post({ record, body }, change, context)
  if (outcome.kind !== 'done') return failedUpdate(outcome)
  const { editedMs } = outcome
  context.ledger.moved.set(operation.id, {
    ...entry,
    slug,
    languageParent: undefined,
    ours: { ...ours, editedMs },
    remote: undefined,
  })
  return undefined
}

type Posted =
  /**
   * `editedMs` is the time of our edit by the target's clock. If the target stores the article in another form, only
   * this time tells our write from a later edit.
   */
  | { readonly kind: 'done'; readonly editedMs: number | undefined }
  | { readonly kind: 'unchanged'; readonly reason: string }
  | Exclude<VerifiedOutcome, { kind: 'done' }>

/** Sends the new body and verifies it. A lost response leads to a read, never to a second write. */
async function post(version: NewVersion, change: JudgedChange, context: ApplyContext): Promise<Posted> {
  const { record, body } = version
  const before = change.entry.remote
  const outcome = await updateArticle(version, change, context)
  if (outcome.kind === 'refused' || outcome.kind === 'changed') return outcome
  if (outcome.kind === 'done' && context.storesAsSent) return { kind: 'done', editedMs: undefined }
  const { client, defaultLanguage, storesAsSent } = context
  // If the article cannot be read after a write, that does not make the write fail.
  const read = readRemoteArticle(client, record.id, defaultLanguage, record)
  const seen = await read.catch(ifKbError(undefined))
  const editedMs = storesAsSent ? undefined : seen?.editedMs
  if (outcome.kind === 'done')
    return isUntouched(seen, before, body) ? { kind: 'ignored' } : { kind: 'done', editedMs }
  if (seen === undefined) return outcome
  const isNew = before === undefined || !isThere(before, body) || seen.editedMs !== before.editedMs
  if (isThere(seen, body) && isNew) return { kind: 'done', editedMs }
  return { kind: 'unchanged', reason: outcome.reason }
}

/** True if neither the article nor its dates have changed. False if it has neither marker nor dates. */
function isUntouched(
  seen: RemoteArticle | undefined,
  before: RemoteArticle | undefined,
  body: ArticleRequest,
): boolean {
  if (seen === undefined || before === undefined || isThere(seen, body)) return false
  if (seen.marker === undefined && seen.editedMs === undefined) return false
  return (
    seen.htmlHash === before.htmlHash &&
    seen.fieldsHash === before.fieldsHash &&
    seen.editedMs === before.editedMs
  )
}

function isThere(remote: RemoteArticle, { content }: ArticleRequest): boolean {
  const sent = readMarker(content)
  if (remote.marker !== undefined) return remote.marker.fingerprint === sent?.fingerprint
  return sent !== undefined && matchesLastSync(remote, sent)
}

function failedUpdate(outcome: Exclude<Posted, { kind: 'done' }>) {
  if (outcome.kind === 'changed') return outcome
  if (outcome.kind === 'unchanged') {
    const reason = `the response was lost (${outcome.reason}) and nothing was changed; the next run sends it again`
    return { kind: 'failed', reason } as const
  }
  // An article that the lists do not show has the slug.
  if (outcome.kind === 'refused' && outcome.status === 409)
    return { kind: 'conflict', reason: outcome.message } as const
  return { kind: 'failed', reason: explainOutcome(outcome) } as const
}
