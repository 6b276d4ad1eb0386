import { ifKbError } from '../../core/errors/kb-error.ts'
import type { ListedArticle, RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { isSignedAsEdited, matchesLastSync, matchesLastSyncButSlug } from '../plan/remote-entry.ts'
import { groupBy } from '../../core/group-by.ts'
import { settleAll, settleEach } from '../../core/settle-all.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { FIRST_LIST_WAIT_MS, listDated, listLinked } from '../remote/list-articles.ts'
import { readRemoteArticle } from '../remote/to-remote.ts'

/** The properties that identify a sent article. */
export interface SoughtArticle extends Pick<SentArticle, 'fieldsHash' | 'statedId'> {
  /** True if it was restored with someone's edit: another machine may have sent the same version as well. */
  readonly isEdited?: boolean
  readonly wanted: Pick<SentArticle['wanted'], 'fingerprint'> & {
    readonly article: Pick<
      SentArticle['wanted']['article'],
      'key' | 'title' | 'slug' | 'language' | 'projectionHash'
    >
  }
}

/** The id of a sent article, and how it was found. */
export interface FoundArticle {
  readonly id: string
  /** The article, if it was read. */
  readonly remote: RemoteArticle | undefined
  /** True if only the title identified it. */
  readonly isUnproven: boolean
}

interface Naming<Sought extends SoughtArticle = SoughtArticle> {
  readonly context: ApplyContext
  readonly named: Map<Sought, FoundArticle>
  /** Other articles that were read in the search, by id. */
  readonly others: Map<string, RemoteArticle>
  readonly mustBeRead: (sent: Sought) => boolean
  /** Keys of the sent slugs. */
  readonly slugs: ReadonlySet<string>
}

/**
 * Finds the ids of articles that were just sent, with one list request for all of them. An id that the target states
 * counts if it is new and listed under the title that was sent. If a title without such an id matches several new
 * articles or none, if `mustBeRead` asks for it, or if the target may remove markers, each candidate is read, and its
 * marker or whole content decides. The list is requested again until `settleMs` is over, then the list of links once.
 * Then articles in neither list are read by their stated ids; without one, they stay without id.
 */
export async function resolveCreatedIds<Sought extends SoughtArticle>(
  sent: readonly Sought[],
  context: ApplyContext,
  mustBeRead: (sent: Sought) => boolean = () => false,
): Promise<ReadonlyMap<Sought, FoundArticle>> {
  const slugs = new Set(sent.map(({ wanted }) => slugKey(wanted.article)))
  const naming: Naming<Sought> = { context, named: new Map(), others: new Map(), mustBeRead, slugs }
  let waitMs = FIRST_LIST_WAIT_MS
  const findOpen = () => sent.filter((each) => !naming.named.has(each))
  if (context.storesAsSent) nameStated(sent, naming)
  // Reading one article costs less than a list of all.
  if (sent.length === 1) await readStated(findOpen(), naming)
  for (let waitedMs = 0; findOpen().length > 0; waitedMs += waitMs, waitMs *= 2) {
    if (waitedMs > 0) await context.sleep(waitMs)
    await assign(findOpen(), newAmong(await listDated(context.client, context), context), naming)
    if (waitedMs + waitMs > context.settleMs) break
  }
  const unseen = findOpen()
  if (unseen.length > 0) {
    const linked = await listLinked(context.client).catch(ifKbError([]))
    await assign(unseen, newAmong(linked, context), naming)
  }
  await readStated(findOpen(), naming)
  return naming.named
}

/** Accepts the stated ids of a target that stores exactly what is sent: its response is the proof. */
function nameStated<Sought extends SoughtArticle>(sent: readonly Sought[], naming: Naming<Sought>): void {
  for (const each of sent) {
    const id = newStatedId(each, naming)
    if (id !== undefined && !naming.mustBeRead(each))
      name(each, { id, remote: undefined, isUnproven: false }, naming)
  }
}

async function readStated<Sought extends SoughtArticle>(open: readonly Sought[], naming: Naming<Sought>) {
  await settleEach(open, naming.context.concurrency, async (each) => {
    const id = newStatedId(each, naming)
    if (id !== undefined) await assignByReading([each], [{ id }], naming)
  })
}

/** Undefined if the id existed before the run, or belongs to another article of the run. */
function newStatedId({ statedId }: SoughtArticle, { context: { ledger } }: Pick<Naming, 'context'>) {
  return statedId === undefined || ledger.knownIds.has(statedId) ? undefined : statedId
}

function newAmong(listed: readonly ListedArticle[], { ledger }: ApplyContext): ListedArticle[] {
  return listed.filter(({ id }) => !ledger.knownIds.has(id))
}

async function assign<Sought extends SoughtArticle>(
  open: readonly Sought[],
  listed: readonly ListedArticle[],
  naming: Naming<Sought>,
): Promise<void> {
  const sentByTitle = groupBy(open, ({ wanted }) => wanted.article.title)
  const listedByTitle = groupBy(listed, ({ title }) => title ?? '')
  const { ledger } = naming.context
  const groups = [...sentByTitle].map(([title, group]) => [group, listedByTitle.get(title) ?? []] as const)
  // The first article shows if markers are kept.
  while (ledger.keepsComments === undefined && groups.length > 0)
    await assignGroup(...(groups.shift() ?? [[], []]), naming)
  await settleAll(groups.map(([group, candidates]) => assignGroup(group, candidates, naming)))
  // A service may list no titles, or change them, so new articles that match nothing are read.
  const unnamed = open.filter((each) => !naming.named.has(each))
  const unclaimed = listed.filter(({ id }) => !ledger.knownIds.has(id))
  if (unnamed.length > 0) await assignByReading(unnamed, unclaimed, naming)
}

/**
 * @param group articles sent under one title
 * @param candidates articles listed under it
 */
async function assignGroup<Sought extends SoughtArticle>(
  group: readonly Sought[],
  candidates: readonly ListedArticle[],
  naming: Naming<Sought>,
): Promise<void> {
  const { context, named, mustBeRead } = naming
  const { ledger } = context
  await assignStated(group, candidates, naming)
  const open = group.filter((each) => !named.has(each))
  const [only, ...others] = open
  const [candidate, ...rest] = candidates.filter(({ id }) => !ledger.knownIds.has(id))
  if (only === undefined || candidate === undefined) return
  const isPlain = others.length === 0 && rest.length === 0
  const isEnough = ledger.keepsComments === true && !mustBeRead(only)
  if (isPlain && isEnough) name(only, { id: candidate.id, remote: undefined, isUnproven: true }, naming)
  else await assignByReading(open, [candidate, ...rest], naming)
}

/** Assigns the articles that the target lists by the ids that it stated. */
async function assignStated<Sought extends SoughtArticle>(
  group: readonly Sought[],
  candidates: readonly ListedArticle[],
  naming: Naming<Sought>,
): Promise<void> {
  const listed = new Set(candidates.map(({ id }) => id))
  for (const each of group) {
    const id = newStatedId(each, naming)
    if (id === undefined || !listed.has(id)) continue
    const isEnough = naming.context.ledger.keepsComments !== undefined && !naming.mustBeRead(each)
    if (isEnough) name(each, { id, remote: undefined, isUnproven: false }, naming)
    else await assignByReading([each], [{ id }], naming)
  }
}

async function assignByReading<Sought extends SoughtArticle>(
  group: readonly Sought[],
  candidates: readonly Pick<ListedArticle, 'id'>[],
  naming: Naming<Sought>,
): Promise<void> {
  const { context, named } = naming
  const displaced: RemoteArticle[] = []
  const read = await settleAll(candidates.map(({ id }) => readOnce(id, naming)))
  for (const remote of read) {
    if (remote === undefined) continue
    const { id } = remote
    const open = group.filter((each) => !named.has(each))
    const match = open.find((sent) => isThatArticle(remote, sent, context))
    if (match !== undefined) name(match, { id, remote, isUnproven: false }, naming)
    else if (remote.marker === undefined) displaced.push(remote)
  }
  for (const remote of displaced) {
    const open = group.filter((each) => !named.has(each))
    const match = open.find((sent) => isDisplaced(remote, sent, naming))
    if (match !== undefined) name(match, { id: remote.id, remote, isUnproven: false }, naming)
  }
}

async function readOnce(
  id: string,
  { context: { client, defaultLanguage }, others }: Pick<Naming, 'context' | 'others'>,
): Promise<RemoteArticle | undefined> {
  const remote = others.get(id) ?? (await readRemoteArticle(client, id, defaultLanguage))
  if (remote !== undefined) others.set(id, remote)
  return remote
}

/** True if the marker matches; without a marker, if the article equals exactly what was sent. */
function isThatArticle(
  remote: RemoteArticle,
  { wanted: { article, fingerprint }, fieldsHash, isEdited = false }: SoughtArticle,
  { project }: ApplyContext,
): boolean {
  const { marker } = remote
  if (marker !== undefined) {
    const isOurs = marker.project === project && marker.documentKey === article.key
    return isOurs && marker.fingerprint === fingerprint && isSignedAsEdited(marker) === isEdited
  }
  const hashes = { fieldsHash, projectionHash: article.projectionHash }
  return remote.language === article.language && matchesLastSync(remote, hashes)
}

function isDisplaced(
  remote: RemoteArticle,
  { wanted: { article }, fieldsHash }: SoughtArticle,
  { slugs }: Pick<Naming, 'slugs'>,
): boolean {
  const { language, fields } = remote
  if (language !== article.language || slugs.has(slugKey({ slug: fields.slug, language }))) return false
  return matchesLastSyncButSlug(remote, { fieldsHash, projectionHash: article.projectionHash })
}

function name<Sought extends SoughtArticle>(
  sent: Sought,
  article: FoundArticle,
  { named, context: { ledger } }: Naming<Sought>,
): void {
  if (article.remote !== undefined) ledger.keepsComments = article.remote.marker !== undefined
  named.set(sent, article)
  ledger.knownIds.add(article.id)
}
