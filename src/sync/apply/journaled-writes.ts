// Writes of articles: recorded in the journal before they are sent, and verified if their response is lost.
import { randomUUID } from 'node:crypto'
import type { NewArticleOptions, WriteCondition } from '../../api/client/create-client.ts'
import type { WriteOutcome } from '../../api/client/write-outcome.ts'
import type { ArticleRequest } from '../../api/contract/request.ts'
import { KbError, ifKbError } from '../../core/errors/kb-error.ts'
import type { ArticleRecord, AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'
import type { Journal } from '../state/journal.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { digestParts, digest } from '../../core/digest.ts'
import {
  type ResolvedArticle,
  fieldsToSend,
  reviewDateToSend,
  extensionsToSend,
  buildPayload,
} from '../plan/resolved-article.ts'
import { type RemoteEntry, hashSentFields } from '../plan/remote-entry.ts'
import { addDays } from '../../core/calendar-date.ts'

type NoteOutcome = ReturnType<Journal['begin']>

/**
 * The result of a write. `ignored`: the target reported success, but nothing has changed; `changed`: it refused,
 * because the article has changed since the version that the write named.
 */
export type VerifiedOutcome = WriteOutcome | { readonly kind: 'ignored' } | typeof CHANGED

const CHANGED = { kind: 'changed' } as const

/** Describes the result of a write as a reason. */
export function explainOutcome(outcome: Exclude<VerifiedOutcome, { kind: 'done' }>): string {
  switch (outcome.kind) {
    case 'ignored':
      return 'the target confirmed the write, but nothing has changed'
    case 'changed':
      return 'it was changed on the target at the same time; run again'
    case 'refused':
      return `the target refused it: ${outcome.message}`
    case 'lost':
      return `the response was lost (${outcome.reason}); the next run checks whether it was done`
  }
}

type SendOptions = Pick<NewArticleOptions, 'finishes'>

/** Records that an article is about to be created. */
export function noteCreate(record: AwaitedArticle, { journal }: ApplyContext): NoteOutcome {
  return journal.begin({ kind: 'create', record })
}

/**
 * Creates an article. If the response is lost, it is sent again to a target that recognises its key. Otherwise, the
 * lists show later whether it was created.
 *
 * @param create `note`: from `noteCreate`
 */
export async function createJournaled(
  create: SendOptions & { readonly toBody: () => ArticleRequest; readonly note: NoteOutcome },
  { client, queue, offers }: ApplyContext,
): Promise<WriteOutcome> {
  const { toBody, note, finishes = false } = create
  const idempotencyKey = offers.idempotency ? randomUUID() : undefined
  const send = () =>
    queue === undefined || finishes
      ? client.createArticle(toBody(), { finishes, idempotencyKey })
      : queue.send({ id: undefined, idempotencyKey, toBody })
  return noted(note, await unlessUnsent(note, send))
}

/** The id that a target states for a new article, if it announces the extension `ids`. */
export function statedIdOf(outcome: WriteOutcome, { offers }: ApplyContext): string | undefined {
  return outcome.kind === 'done' && offers.ids ? outcome.id : undefined
}

export type NewVersion = { readonly record: ArticleRecord; readonly body: ArticleRequest }

/** Updates an article in place. */
export async function updateArticle(
  { record, body }: NewVersion,
  { ifMatch }: WriteCondition,
  { client, queue, journal }: ApplyContext,
): Promise<WriteOutcome | typeof CHANGED> {
  const note = journal.begin({ kind: 'update', record })
  const { id } = record
  const send = () =>
    queue?.send({ id, ifMatch, toBody: () => body }) ?? client.updateArticle(id, body, { ifMatch })
  const outcome = noted(note, await unlessUnsent(note, send))
  return namesOtherVersion(outcome, ifMatch) ? CHANGED : outcome
}

/**
 * Deletes an article and verifies it, because a target may report success and do nothing. The check is skipped if the
 * run writes a single article, the target has deleted articles before, and its response says that the article was
 * deleted ("Delete an article" in the specification).
 *
 * @param options `removed`: data to restore it, if its new version is sent afterwards; `ifMatch`: see `OldArticle`
 */
export async function deleteArticle(
  id: string,
  { client, journal, ledger, entries, isSingle }: ApplyContext,
  { removed, ifMatch }: { readonly removed?: RemovedArticle | undefined } & WriteCondition = {},
): Promise<VerifiedOutcome> {
  const note = journal.begin({ kind: 'delete', id, removed })
  const outcome = await unlessUnsent(note, () => client.deleteArticle(id, { ifMatch }))
  if (namesOtherVersion(outcome, ifMatch)) {
    note('refused')
    return CHANGED
  }
  const isStated = outcome.kind === 'done' && statesDeletion(outcome.message, entries.get(id)?.title)
  const isTrusted = isStated && isSingle && ledger.deletesAsStated === true
  const presence = isTrusted ? 'gone' : await checkPresence(id, client)
  if (isStated && presence !== 'unknown') ledger.deletesAsStated = presence === 'gone'
  if (outcome.kind === 'done' && presence === 'there') {
    note('refused')
    return { kind: 'ignored' }
  }
  if (outcome.kind !== 'done' && presence !== 'gone') return noted(note, outcome)
  note('done')
  ledger.deletedIds.add(id)
  if (removed !== undefined) ledger.removed.set(removed.key, removed)
  return { kind: 'done', message: '' }
}

function namesOtherVersion(outcome: WriteOutcome, ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && outcome.kind === 'refused' && outcome.status === 412
}

/** The client throws only if nothing was written. */
async function unlessUnsent(note: NoteOutcome, send: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof KbError) note('refused')
    throw error
  }
}

function noted(note: NoteOutcome, outcome: WriteOutcome): WriteOutcome {
  if (outcome.kind !== 'lost') note(outcome.kind)
  return outcome
}

function statesDeletion(message: string, title = ''): boolean {
  return /\b(deleted|removed)\b/i.test(message) || (title !== '' && message.includes(title))
}

function checkPresence(id: string, client: ApplyContext['client']): Promise<'there' | 'gone' | 'unknown'> {
  const read = client.readArticle(id)
  return read.then((found) => (found === undefined ? 'gone' : 'there')).catch(ifKbError('unknown'))
}

/** The record of a sent article. `isUnproven`: only its title identified it. */
export function recordOfSent(
  sent: SentArticle,
  id: string,
  { isUnproven }: { readonly isUnproven: boolean } = { isUnproven: false },
): ArticleRecord {
  return { id, ...versionOfSent(sent), editedMs: sent.editedMs, ...(isUnproven && { isUnproven }) }
}

/** The same for an article that the target has not listed yet. */
export function awaitedOfSent(sent: SentArticle, isAccepted = false): AwaitedArticle {
  return { sentMs: sent.sentMs, ...versionOfSent(sent), ...(isAccepted && { isAccepted }) }
}

function versionOfSent({ wanted, fieldsHash, htmlHash }: SentArticle) {
  const { key, source, slug, language, title, sourceHash, projectionHash } = wanted.article
  const { fingerprint, translationOf } = wanted
  return {
    key,
    source,
    slug,
    language,
    title,
    fingerprint,
    sourceHash,
    fieldsHash,
    projectionHash,
    htmlHash,
    languageParent: translationOf?.id,
  }
}

/** An article that is recorded in the journal and may be sent. */
export type PreparedPut = ReturnType<typeof preparePut>

/**
 * Makes the body of a create and records it in the journal.
 *
 * @param old the version that it replaces, whose review date may stay
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export function preparePut(wanted: ResolvedArticle, old: RemoteEntry | undefined, context: ApplyContext) {
  const { project, readHtml, today, reviewSpreadDays, nowMs } = context
  const { article } = wanted
  const from = old === undefined ? addDays(today, spreadOf(article.key, reviewSpreadDays)) : today
  const fields = fieldsToSend(wanted, reviewDateToSend(article, old, from))
  const fieldsHash = hashSentFields(fields, article.review)
  const sent: SentArticle & { htmlHash?: string } = { wanted, fieldsHash, sentMs: nowMs() }
  const note = noteCreate(awaitedOfSent(sent), context)
  return {
    sent,
    send: (options: SendOptions = {}) => {
      const extensions = extensionsToSend(wanted, undefined, context)
      const toBody = () => {
        const body = buildPayload(wanted, fields, readHtml(article), { project, fieldsHash }, extensions)
        sent.htmlHash = digest(body.content)
        return body
      }
      return createJournaled({ toBody, note, ...options }, context)
    },
    /** Records that the article was not sent after all. */
    cancel: () => note('refused'),
  }
}

/** Delay in days of a document's default review date, from 0 to `days`; always the same for a document. */
function spreadOf(key: string, days: number): number {
  return Number.parseInt(digestParts([key]).slice(0, 8), 16) % (days + 1)
}
