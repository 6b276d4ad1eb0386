import type { ArticleRequest } from '../../api/contract/request.ts'
import { ifKbError } from '../../core/errors/kb-error.ts'
import { UNKNOWN_VERSION } from '../../core/model/article-version.ts'
import { hashFields } from '../../core/model/article-fields.ts'
import { appendMarker, readMarker, removeMarkers } from '../../core/model/marker.ts'
import type { ChangeOperation } from '../../core/model/plan.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import {
  type ResolvedArticle,
  buildPayload,
  fieldsToSend,
  extensionsToSend,
  reviewDateToSend,
  toRequest,
} from '../plan/resolved-article.ts'
import type { Ownership } from '../plan/remote-entry.ts'
import { digest, digestParts } from '../../core/digest.ts'
import type { ApplyContext } from './apply-context.ts'
import { type SeenOutcome, recordOfSent, updateArticle } from './journaled-writes.ts'
import { type OldArticle, prepareChange, writeJudged } from './prepare-change.ts'
import { type SendResult, explainOutcome, sendAgain } from './send-article.ts'
import { temporarySlug } from '../plan/slug-forms.ts'
import { readRemoteArticle } from '../remote/to-remote.ts'
import { hashSentFields, matchesLastSync } from '../plan/detect-drift.ts'

/** Updates an article in place. */
export async function sendUpdate(
  operation: ChangeOperation,
  wanted: ResolvedArticle,
  old: OldArticle,
  context: ApplyContext,
): Promise<SendResult> {
  const judge = () => prepareChange(operation, context)
  const result = await writeJudged(judge, (judged) => sendInPlace(operation, wanted, judged, context), old)
  return result.kind === 'gone' ? sendAgain(wanted, context) : result
}

async function sendInPlace(
  operation: ChangeOperation,
  wanted: ResolvedArticle,
  old: OldArticle,
  context: ApplyContext,
): Promise<SendResult> {
  const { article } = wanted
  const { entry } = old
  const { today, project } = context
  const fields = fieldsToSend(wanted, reviewDateToSend(article, entry, today))
  const extensions = extensionsToSend(wanted, entry, context)
  const body = buildPayload(wanted, fields, context.readHtml(article), project, extensions)
  const fieldsHash = hashSentFields(fields, article.review)
  const sent = { wanted, fieldsHash, htmlHash: digest(body.content), sentMs: context.nowMs() }
  const outcome = await post(recordOfSent(sent, operation.id), body, old, context)
  if (outcome.kind !== 'done') return failedUpdate(outcome)
  return { kind: 'updated', id: operation.id, sent: { editedMs: outcome.editedMs, ...sent } }
}

/**
 * Moves an article to a temporary slug, without its original, so that others can use both. Its marker matches no
 * document, so this run or the next one sends it again. Undefined if it blocks nothing.
 */
export async function stepAside(
  operation: ChangeOperation,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const judge = () => prepareChange(operation, context)
  const result = await writeJudged(judge, (old) => moveAside(operation, old, context))
  return result?.kind === 'gone' ? undefined : result
}

async function moveAside(
  operation: ChangeOperation,
  old: OldArticle,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const { entry, read } = old
  const { remote } = entry
  const article = context.wanted.get(operation.source)?.article
  if (remote === undefined || article === undefined) return undefined
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
  const outcome = await post(record, body, old, context)
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
  | Exclude<SeenOutcome, { kind: 'done' }>

/** Sends the new body and verifies it. A lost response leads to a read, never to a second write. */
async function post(
  record: ArticleRecord,
  body: ArticleRequest,
  { entry: { remote: before }, ifMatch }: OldArticle,
  context: ApplyContext,
): Promise<Posted> {
  const outcome = await updateArticle(record, body, ifMatch, context)
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

function failedUpdate(outcome: Exclude<Posted, { kind: 'done' }>): SendResult {
  if (outcome.kind === 'changed') return outcome
  if (outcome.kind === 'unchanged') {
    const reason = `the response was lost (${outcome.reason}) and nothing was changed; the next run sends it again`
    return { kind: 'failed', reason }
  }
  // An article that the lists do not show has the slug.
  if (outcome.kind === 'refused' && outcome.status === 409)
    return { kind: 'conflict', reason: outcome.message }
  return { kind: 'failed', reason: explainOutcome(outcome) }
}
