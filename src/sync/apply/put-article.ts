import type { WriteOutcome } from '../../client/write-outcome.ts'
import type { ArticleRecord, RemovedArticle } from '../../model/target-state.ts'
import { hashSentFields } from '../../plan/as-sent.ts'
import {
  buildPayload,
  fieldsToSend,
  type LanguageMembers,
  languageToSend,
  reviewDateToSend,
  toRequest,
  type WantedArticle,
} from '../../plan/payload.ts'
import type { RemoteEntry } from '../../plan/remote-entry.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { createArticle, noteCreate } from './journaled-writes.ts'
import type { OldArticle } from './prepare-change.ts'
import { recordOfSent } from './sent-record.ts'

/** An article that is noted down and may be sent. */
export interface PreparedPut {
  readonly sent: SentArticle
  readonly send: (options?: { readonly finishes?: boolean }) => Promise<WriteOutcome>
  /** Notes down that it was not sent after all. */
  readonly cancel: () => void
}

/**
 * Makes the body of a create and notes it down.
 *
 * @param old the version that it replaces: its review date may stay
 * @throws KbError WORKSPACE_UNWRITABLE
 */
export function preparePut(
  wanted: WantedArticle,
  old: RemoteEntry | undefined,
  context: ApplyContext,
): PreparedPut {
  const { project, readHtml, today, offers, defaultLanguage, nowMs } = context
  const { article } = wanted
  const fields = fieldsToSend(wanted, reviewDateToSend(article, old, today))
  const sent = { wanted, fieldsHash: hashSentFields(fields, article.review), sentMs: nowMs() }
  const note = noteCreate(recordOfSent(sent, ''), context)
  return {
    sent,
    send: (options) => {
      const language = offers.languages ? languageToSend(wanted, undefined, defaultLanguage) : {}
      const body = buildPayload(wanted, fields, readHtml(article), project, language)
      return createArticle(body, note, context, options)
    },
    cancel: () => note('refused'),
  }
}

/** All that puts an article back which has to make room for its new version. */
export function toRemoved(wanted: WantedArticle, { read, entry }: OldArticle): RemovedArticle | undefined {
  if (entry.remote === undefined) return undefined
  const { key, source } = wanted.article
  const { language, languageParent, id, remote, ours } = entry
  const content = read.data.content ?? ''
  return { id, key, source, fields: remote.fields, content, language, languageParent, ours }
}

/** Puts an article back just as it was; says what became of that. */
export async function putBack(removed: RemovedArticle, context: ApplyContext): Promise<WriteOutcome> {
  const { fields, content } = removed
  const record = recordOfRemoved(removed, context)
  const note = noteCreate(record, context)
  const body = toRequest(fields, content, context.offers.languages ? languageOf(removed) : {})
  const outcome = await createArticle(body, note, context, { finishes: true })
  if (outcome.kind !== 'refused') context.ledger.putBack.push(record)
  if (outcome.kind === 'done') context.ledger.removed.delete(removed.key)
  return outcome
}

function languageOf({ language, languageParent }: RemovedArticle): LanguageMembers {
  return {
    ...(language !== null && { lang: language }),
    ...(languageParent !== undefined && { languageParent }),
  }
}

function recordOfRemoved(removed: RemovedArticle, { nowMs }: ApplyContext): ArticleRecord {
  const { key, source, fields, language, languageParent, ours } = removed
  return {
    key,
    source,
    slug: fields.slug,
    language,
    title: fields.title,
    id: '',
    sentMs: nowMs(),
    fingerprint: ours?.fingerprint ?? '',
    sourceHash: ours?.sourceHash ?? '',
    fieldsHash: ours?.fieldsHash ?? '',
    projectionHash: ours?.projectionHash ?? '',
    languageParent,
  }
}
