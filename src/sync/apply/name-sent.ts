import type { ListedArticle, RemoteArticle } from '../../model/remote-article.ts'
import { slugKey } from '../../model/slug-key.ts'
import { isAsSent, isAsSentButForSlug } from '../../plan/as-sent.ts'
import { groupBy } from '../../util/group-by.ts'
import { settleAll } from '../../util/settle-all.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { listDated } from '../remote/list-articles.ts'
import { readRemoteArticle } from '../remote/read-remote-article.ts'

const FIRST_WAIT_MS = 100

/** Where an article that was sent stands. */
export interface NamedArticle {
  readonly id: string
  /** The article as it was read; undefined where its title alone told which one it is. */
  readonly remote: RemoteArticle | undefined
}

interface Naming {
  readonly context: ApplyContext
  readonly named: Map<SentArticle, NamedArticle>
  /** By id: what was read on the way. */
  readonly others: Map<string, RemoteArticle>
  readonly needsProof: (sent: SentArticle) => boolean
  /** Keys of the slugs that were sent. */
  readonly slugs: ReadonlySet<string>
}

/**
 * Finds the ids of articles that were just sent, with one list request for all of them. Where a title fits several new
 * articles, or none, or where `needsProof` asks for it, or the target may strip markers, each is read and its marker (or all of it) decides. A list that
 * lags is asked again until `settleMs` is over; what it still does not show stays without id.
 */
export async function nameSent(
  sent: readonly SentArticle[],
  context: ApplyContext,
  needsProof: (sent: SentArticle) => boolean = () => false,
): Promise<ReadonlyMap<SentArticle, NamedArticle>> {
  const slugs = new Set(sent.map(({ wanted }) => slugKey(wanted.article)))
  const naming: Naming = { context, named: new Map(), others: new Map(), needsProof, slugs }
  let waitMs = FIRST_WAIT_MS
  for (let waitedMs = 0; ; waitedMs += waitMs, waitMs *= 2) {
    const open = sent.filter((each) => !naming.named.has(each))
    if (open.length === 0) break
    if (waitedMs > 0) await context.sleep(waitMs)
    await assign(open, await listNew(context), naming)
    if (waitedMs + waitMs > context.settleMs) break
  }
  return naming.named
}

async function listNew({ client, defaultLanguage, ledger }: ApplyContext): Promise<ListedArticle[]> {
  const listed = await listDated(client, { defaultLanguage })
  return listed.filter(({ id }) => !ledger.knownIds.has(id))
}

async function assign(
  open: readonly SentArticle[],
  listed: readonly ListedArticle[],
  naming: Naming,
): Promise<void> {
  const sentByTitle = groupBy(open, ({ wanted }) => wanted.article.title)
  const listedByTitle = groupBy(listed, ({ title }) => title ?? '')
  const { ledger } = naming.context
  const groups = [...sentByTitle].map(([title, group]) => [group, listedByTitle.get(title) ?? []] as const)
  // Whether markers are kept is learned from the first one.
  while (ledger.keepsComments === undefined && groups.length > 0)
    await assignGroup(...(groups.shift() ?? [[], []]), naming)
  await settleAll(groups.map(([group, candidates]) => assignGroup(group, candidates, naming)))
  // A service may list no titles, or change them: what is new and fits nothing is read.
  const unnamed = open.filter((each) => !naming.named.has(each))
  const unclaimed = listed.filter(({ id }) => !ledger.knownIds.has(id))
  if (unnamed.length > 0) await assignByReading(unnamed, unclaimed, naming)
}

/** @param group what was sent under one title @param candidates what is listed under it */
async function assignGroup(
  group: readonly SentArticle[],
  candidates: readonly ListedArticle[],
  naming: Naming,
): Promise<void> {
  const [only, ...others] = group
  const [candidate] = candidates
  const isPlain = others.length === 0 && candidates.length === 1
  const isEnough =
    naming.context.ledger.keepsComments === true && only !== undefined && !naming.needsProof(only)
  if (isPlain && isEnough && candidate !== undefined)
    name(only, { id: candidate.id, remote: undefined }, naming)
  else await assignByReading(group, candidates, naming)
}

async function assignByReading(
  group: readonly SentArticle[],
  candidates: readonly ListedArticle[],
  naming: Naming,
): Promise<void> {
  const { context, named } = naming
  const displaced: RemoteArticle[] = []
  const read = await settleAll(candidates.map(({ id }) => readOnce(id, naming)))
  for (const remote of read) {
    if (remote === undefined) continue
    const { id } = remote
    const open = group.filter((each) => !named.has(each))
    const match = open.find((sent) => isThatArticle(remote, sent, context))
    if (match !== undefined) name(match, { id, remote }, naming)
    else if (remote.marker === undefined) displaced.push(remote)
  }
  for (const remote of displaced) {
    const open = group.filter((each) => !named.has(each))
    const match = open.find((sent) => isDisplaced(remote, sent, naming))
    if (match !== undefined) name(match, { id: remote.id, remote }, naming)
  }
}

/** What was read while the lists were asked before is not read again. */
async function readOnce(
  id: string,
  { context: { client, defaultLanguage }, others }: Naming,
): Promise<RemoteArticle | undefined> {
  const remote = others.get(id) ?? (await readRemoteArticle(client, id, defaultLanguage))
  if (remote !== undefined) others.set(id, remote)
  return remote
}

/** By its marker; without one, where it is to the letter what was sent. */
function isThatArticle(
  remote: RemoteArticle,
  { wanted: { article, fingerprint }, fieldsHash }: SentArticle,
  { project }: ApplyContext,
): boolean {
  const { marker } = remote
  if (marker !== undefined) {
    const isOurs = marker.project === project && marker.documentKey === article.key
    return isOurs && marker.fingerprint === fingerprint
  }
  const hashes = { fieldsHash, projectionHash: article.projectionHash }
  return remote.language === article.language && isAsSent(remote, hashes)
}

/** Whether the target gave it another slug, which is none that this run has sent. */
function isDisplaced(
  remote: RemoteArticle,
  { wanted: { article }, fieldsHash }: SentArticle,
  { slugs }: Naming,
): boolean {
  const { language, fields } = remote
  if (language !== article.language || slugs.has(slugKey({ slug: fields.slug, language }))) return false
  return isAsSentButForSlug(remote, { fieldsHash, projectionHash: article.projectionHash })
}

function name(sent: SentArticle, article: NamedArticle, { named, context: { ledger } }: Naming): void {
  if (article.remote !== undefined) ledger.keepsComments = article.remote.marker !== undefined
  named.set(sent, article)
  ledger.knownIds.add(article.id)
}
