import type { ListedArticle } from '../model/remote-article.ts'
import { groupBy } from '../util/group-by.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { listDated, readIdentity } from './read-remote.ts'

const FIRST_WAIT_MS = 100

/**
 * Finds the ids of articles that were just sent, with one list request for all of them. Where a title fits several new
 * articles, or none, each is read and its marker (or slug) decides. A list that lags is asked again until `settleMs`
 * is over; what it still does not show stays without id.
 */
export async function nameSent(
  sent: readonly SentArticle[],
  context: ApplyContext,
): Promise<Map<SentArticle, string>> {
  const ids = new Map<SentArticle, string>()
  let waitMs = FIRST_WAIT_MS
  for (let waitedMs = 0; ; waitedMs += waitMs, waitMs *= 2) {
    const open = sent.filter((each) => !ids.has(each))
    if (open.length === 0) break
    if (waitedMs > 0) await context.sleep(waitMs)
    await assign(open, await listNew(context), ids, context)
    if (waitedMs + waitMs > context.settleMs) break
  }
  return ids
}

async function listNew({ client, defaultLanguage, ledger }: ApplyContext): Promise<ListedArticle[]> {
  const listed = await listDated(client, { defaultLanguage })
  return listed.filter(({ id }) => !ledger.knownIds.has(id))
}

async function assign(
  open: readonly SentArticle[],
  listed: readonly ListedArticle[],
  ids: Map<SentArticle, string>,
  context: ApplyContext,
): Promise<void> {
  const sentByTitle = groupBy(open, ({ wanted }) => wanted.article.title)
  const listedByTitle = groupBy(listed, ({ title }) => title ?? '')
  for (const [title, group] of sentByTitle) {
    const candidates = listedByTitle.get(title) ?? []
    const [first] = group
    const [candidate] = candidates
    if (first !== undefined && candidate !== undefined && group.length === 1 && candidates.length === 1) {
      name(first, candidate.id, ids, context)
    } else {
      await assignByReading(group, candidates, ids, context)
    }
  }
  // A service may list no titles, or change them: what is new and fits nothing is read.
  const unnamed = open.filter((each) => !ids.has(each))
  const unclaimed = listed.filter(({ id }) => !context.ledger.knownIds.has(id))
  if (unnamed.length > 0) await assignByReading(unnamed, unclaimed, ids, context)
}

async function assignByReading(
  group: readonly SentArticle[],
  candidates: readonly ListedArticle[],
  ids: Map<SentArticle, string>,
  context: ApplyContext,
): Promise<void> {
  for (const { id } of candidates) {
    const identity = await readIdentity(context.client, id)
    if (identity === undefined) continue
    const { marker, slug } = identity
    const match = group.find(({ wanted: { article, fingerprint } }) =>
      marker === undefined
        ? slug === article.slug
        : marker.documentKey === article.key && marker.fingerprint === fingerprint,
    )
    if (match !== undefined && !ids.has(match)) name(match, id, ids, context)
  }
}

function name(sent: SentArticle, id: string, ids: Map<SentArticle, string>, { ledger }: ApplyContext): void {
  ids.set(sent, id)
  ledger.knownIds.add(id)
}
