// The writes to articles: noted down before they are sent, and looked for where their answer is lost.
import type { WriteOutcome } from '../../client/write-outcome.ts'
import type { ArticleRequest } from '../../contract/request.ts'
import { KbError } from '../../errors/kb-error.ts'
import type { ArticleRecord, RemovedArticle } from '../../model/target-state.ts'
import type { Journal } from '../../state/journal.ts'
import type { ApplyContext } from './apply-context.ts'

type NoteOutcome = ReturnType<Journal['begin']>

/** Notes down that an article is about to be created. */
export function noteCreate(record: ArticleRecord, { journal }: ApplyContext): NoteOutcome {
  return journal.begin({ kind: 'create', record })
}

/**
 * Creates an article. Whether one whose answer is lost was created, the lists will tell.
 *
 * @param note from `noteCreate`
 */
export async function createArticle(
  body: ArticleRequest,
  note: NoteOutcome,
  { client }: ApplyContext,
  options: { readonly finishes?: boolean } = {},
): Promise<WriteOutcome> {
  return noted(note, await unlessUnsent(note, () => client.createArticle(body, options)))
}

/** Changes an article in place. */
export async function updateArticle(
  record: ArticleRecord,
  body: ArticleRequest,
  { client, journal }: ApplyContext,
): Promise<WriteOutcome> {
  const note = journal.begin({ kind: 'update', record })
  return noted(note, await unlessUnsent(note, () => client.updateArticle(record.id, body)))
}

/**
 * Deletes an article. Where the target does not say that it did, it is looked whether the article is gone.
 *
 * @param removed what puts it back, where its new version is still to come
 */
export async function deleteArticle(
  id: string,
  { client, journal, ledger }: ApplyContext,
  removed?: RemovedArticle,
): Promise<WriteOutcome> {
  const note = journal.begin({ kind: 'delete', id, removed })
  const outcome = await unlessUnsent(note, () => client.deleteArticle(id))
  const isGone = outcome.kind === 'done' || (await isMissing(id, client))
  if (!isGone) return noted(note, outcome)
  note('done')
  ledger.deletedIds.add(id)
  if (removed !== undefined) ledger.removed.set(removed.key, removed)
  return { kind: 'done', message: '' }
}

/** The client throws where it is certain that nothing was sent. */
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

async function isMissing(id: string, client: ApplyContext['client']): Promise<boolean> {
  try {
    return (await client.readArticle(id)) === undefined
  } catch (error) {
    if (error instanceof KbError) return false
    throw error
  }
}
