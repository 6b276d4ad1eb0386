// Several jobs send one content without talking to each other: each plans everything, and carries out its own part.
import type { Shard } from '../../core/config/shard.ts'
import { digest } from '../../core/digest.ts'
import { groupBy } from '../../core/group-by.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { type ArticleWrite, isArticleWrite, type Operation } from '../../core/model/plan.ts'
import { createNeedsAmong } from '../plan/order-writes.ts'
import type { PlannedRun } from './planned-run.ts'

/** True for the sources of the articles in a shard. A translation is in the shard of its original. */
export function createIsInShard(
  articles: readonly LocalArticle[],
  shard: Shard,
): (source: string) => boolean {
  const identityOf = createIdentityOf(articles)
  return (source) => isOf(shard, identityOf(source))
}

function createIdentityOf(articles: readonly LocalArticle[]): (source: string) => string {
  const originals = new Map(
    articles.flatMap(({ source, original }) => (original ? [[source, original]] : [])),
  )
  return (source) => originals.get(source) ?? source
}

/** Depends on nothing but the identity, so that all jobs agree. */
function isOf({ number, count }: Shard, identity: string): boolean {
  return Number.parseInt(digest(identity).slice(0, 8), 16) % count === number - 1
}

/**
 * The part of a plan that one job carries out. Every operation is in exactly one part; categories and tags are in the
 * first one, and what an interrupted run left is in that of the job which has its journal. Pure.
 *
 * @param articles all documents
 */
export function takeShard(planned: PlannedRun, articles: readonly LocalArticle[], shard: Shard): PlannedRun {
  const { plan, unchanged } = planned
  const identityOf = createIdentityOf(articles)
  const leaders = findLeaders(planned, identityOf)
  const ofOrphan = createOrphanIdentity(planned, articles, identityOf)
  const isInShard = (source: string) => isOf(shard, identityOf(source))
  const isOwn = (operation: Operation) => {
    if (operation.kind !== 'article') return shard.number === 1
    if (operation.action === 'restore') return true
    const { source, id = '' } = operation
    return isOf(shard, leaders.get(operation) ?? (source === undefined ? ofOrphan(id) : identityOf(source)))
  }
  return {
    ...planned,
    unchanged: unchanged.filter(isInShard),
    plan: {
      ...plan,
      operations: plan.operations.filter(isOwn),
      unchanged: { ...plan.unchanged, articles: unchanged.filter(isInShard).length },
      orphans: plan.orphans.filter(({ id }) => isOf(shard, ofOrphan(id))),
    },
  }
}

/**
 * Writes that need a slug of each other stay together, in the shard of the one that is sent last: while the others are
 * sent, a job that begins then still finds the same one. Of several, and of a circle, it is the first by name.
 *
 * @returns the identity that decides, for each write that is not alone
 */
function findLeaders(
  { plan, wanted, entries }: PlannedRun,
  identityOf: (source: string) => string,
): ReadonlyMap<Operation, string> {
  const writes = plan.operations.filter(isArticleWrite)
  // Not what the target is known to allow, which one job may know and another not.
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const needsOf = createNeedsAmong({ wanted, entries: byId, allowsDuplicateSlugs: false })(writes)
  const needs = writes.flatMap((write) => needsOf(write).map((need) => [write, need.for] as const))
  if (needs.length === 0) return new Map()
  const awaited = new Set(needs.map(([, other]) => other))
  const neighbours = groupBy(
    needs.flatMap(([write, other]) => [[write, other] as const, [other, write] as const]),
    ([write]) => write,
  )
  const leaders = new Map<ArticleWrite, string>()
  for (const start of neighbours.keys()) {
    if (leaders.has(start)) continue
    // A set that grows while it is iterated.
    const group = new Set([start])
    for (const write of group) for (const [, other] of neighbours.get(write) ?? []) group.add(other)
    const last = [...group].filter((write) => !awaited.has(write))
    const [leader = ''] = (last.length === 0 ? [...group] : last)
      .map(({ source }) => identityOf(source))
      .toSorted()
    for (const write of group) leaders.set(write, leader)
  }
  return leaders
}

/**
 * The identity of an article without a file: that of the file which has its document key, since it becomes a duplicate of
 * that file's article once another one is sent for it. A translation has that of its original, because a new translation
 * may wait for its deletion. All others have their document key.
 */
function createOrphanIdentity(
  { entries, matches: { entryOf } }: PlannedRun,
  articles: readonly LocalArticle[],
  identityOf: (source: string) => string,
): (id: string) => string {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const byKey = new Map(articles.map(({ key, source }) => [key, source]))
  const matched = new Map([...entryOf].map(([source, { id }]) => [id, source]))
  return (id) => {
    const entry = byId.get(id)
    const original = byId.get(entry?.languageParent ?? '')
    const source = byKey.get(entry?.ours?.key ?? '') ?? matched.get(original?.id ?? '')
    return source === undefined ? ((original ?? entry)?.ours?.key ?? id) : identityOf(source)
  }
}
