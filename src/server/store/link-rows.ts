// The links of articles. Links that share a target reference one row. It is deleted with the last of them, unless a
// link checker has scheduled it: then it remains until it is due, so that a link that is added again keeps its result.
import { type Expression, sql, type SqlBool } from 'kysely'
import { isOneOf, rowsOf, textsOf } from './json-lists.ts'
import { defineQuery, type Session, type SqlDialect } from './query.ts'
import type { ContentLink } from './store.ts'

/** Maximum number of links, or of targets, in one statement, while other requests wait. */
const LINKS_AT_ONCE = 1000

export interface OwningArticle {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** The ids of link targets, by target. */
export type TargetIds = ReadonlyMap<string, number>

/**
 * Adds links to articles of a site.
 *
 * @param targetIds of all their targets, from `addTargets`
 */
export async function addLinks(
  session: Session,
  siteId: string,
  added: readonly (OwningArticle & { readonly links: readonly ContentLink[] })[],
  targetIds: TargetIds | Promise<TargetIds>,
): Promise<void> {
  const ids = await targetIds
  const rows = added.flatMap(({ articleId, now, links }) =>
    links.map(({ url, target }) => [
      session.newId(),
      articleId,
      ids.get(target.toWellFormed()) ?? null,
      url.toWellFormed(),
      now,
    ]),
  )
  await Promise.all(
    slices(rows).map((part) => session.send(linkQueries.add, { siteId, links: JSON.stringify(part) })),
  )
}

/** Returns the ids of the targets that have rows. */
export async function findTargets(
  session: Session,
  siteId: string,
  targets: readonly string[],
): Promise<TargetIds> {
  const found = await Promise.all(
    slices(distinct(targets)).map(async (part) => {
      const row = await session.first(linkQueries.targets, { siteId, targets: JSON.stringify(part) })
      const ids = row?.ids?.split(',') ?? []
      return part.flatMap((target, index) => (ids[index] ? [[target, Number(ids[index])] as const] : []))
    }),
  )
  return new Map(found.flat())
}

/**
 * Returns the ids of targets, and adds missing rows. Links without a target have ''.
 *
 * @param known from `findTargets` in the same transaction
 */
export async function addTargets(
  session: Session,
  siteId: string,
  targets: readonly string[],
  known?: TargetIds,
): Promise<TargetIds> {
  const ids = known ?? (await findTargets(session, siteId, targets))
  const missing = distinct(targets).filter((target) => !ids.has(target))
  if (missing.length === 0) return ids
  for (const part of slices(missing))
    await session.send(linkQueries.addTargets, { siteId, targets: JSON.stringify(part) })
  return new Map([...ids, ...(await findTargets(session, siteId, missing))])
}

function distinct(targets: readonly string[]): string[] {
  // Half of a surrogate pair would become invalid UTF-8.
  return [...new Set(targets.map((target) => target.toWellFormed()))].filter((target) => target !== '')
}

function slices<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (let start = 0; start < items.length; start += LINKS_AT_ONCE)
    parts.push(items.slice(start, start + LINKS_AT_ONCE))
  return parts
}

/** Replaces the links of an article. Rows of unchanged links are kept. */
export async function replaceLinks(
  session: Session,
  owner: OwningArticle,
  wanted: readonly ContentLink[],
): Promise<void> {
  const { siteId, articleId } = owner
  const links = await session.all(linkQueries.ofArticle, { articleId })
  const targets = new Map(wanted.map(({ url, target }) => [url, target]))
  const present = new Set(links.map(({ url }) => url))
  const changed = links.filter(({ url, target }) => targets.get(url) !== (target ?? ''))
  const added = wanted.filter(({ url }) => !present.has(url))
  const retargeted = changed.flatMap(({ number, url }) => {
    const target = targets.get(url)
    return target === undefined ? [] : [{ number, target: target.toWellFormed() }]
  })
  const ids = await addTargets(
    session,
    siteId,
    [...added, ...retargeted].map(({ target }) => target),
  )
  const removed = changed.filter(({ url }) => !targets.has(url)).map(({ number }) => number)
  for (const part of slices(removed)) await session.run(linkQueries.remove, { numbers: JSON.stringify(part) })
  for (const { number, target } of retargeted)
    await session.run(linkQueries.retarget, { number, targetId: ids.get(target) ?? null })
  await addLinks(session, siteId, [{ ...owner, links: added }], ids)
  await removeUnusedTargets(
    session,
    changed.map(({ target_id }) => target_id),
  )
}

/** Returns the ids of the targets of an article that are not scheduled. */
export async function unscheduledTargets(session: Session, articleId: string): Promise<readonly number[]> {
  return (await session.all(linkQueries.unscheduledTargets, { articleId })).map(({ id }) => id)
}

/** Deletes the targets among these that have neither links nor a scheduled check. */
export async function removeUnusedTargets(session: Session, ids: readonly (number | null)[]): Promise<void> {
  for (const part of slices([...new Set(ids)].filter((id) => id !== null)))
    await session.run(linkQueries.removeUnusedTargets, { ids: JSON.stringify(part) })
}

type SqlText = string | Expression<string>

/** Tests if a row of `link_targets` is of this target. */
export function isTarget(target: SqlText, { textKey }: Pick<SqlDialect, 'textKey'>) {
  const key = sql.raw(textKey ?? '')
  return sql<SqlBool>`${key}(${sql.ref('link_targets.target')}) = ${key}(${target})`
}

const ADDED = { id: 'text', articleId: 'text', targetId: 'bigint', url: 'text', now: 'text' } as const

const linkQueries = {
  ofArticle: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('links')
      .leftJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select(['links.number', 'links.url', 'links.target_id', 'link_targets.target'])
      .where('links.article_id', '=', is.articleId),
  ),
  /** The ids in the order of `targets`, '' for a missing one: with a row for each, the driver takes twice as long. */
  targets: defineQuery((db, is: { siteId: string; targets: string }, dialect) => {
    const id = db
      .selectFrom('link_targets')
      .select('id')
      .where('site_id', '=', is.siteId)
      .where(isTarget(sql.ref<string>('text.value'), dialect))
    const ids = sql<string | null>`string_agg(coalesce(cast((${id}) as text), ''), ',' order by text.key)`
    return db.selectFrom(textsOf(is.targets, dialect)).select(ids.as('ids'))
  }),
  addTargets: defineQuery((db, is: { siteId: string; targets: string }, dialect) =>
    db
      .insertInto('link_targets')
      .columns(['site_id', 'target'])
      .expression(
        db
          .selectFrom(textsOf(is.targets, dialect))
          .select((eb) => [eb.val(is.siteId).as('site_id'), 'text.value'])
          // SQLite would parse the following ON as part of a join.
          .where(sql.lit(true)),
      )
      .onConflict((conflict) => conflict.doNothing()),
  ),
  add: defineQuery((db, is: { siteId: string; links: string }, dialect) =>
    db
      .insertInto('links')
      .columns(['id', 'site_id', 'article_id', 'target_id', 'url', 'created_date'])
      .expression(
        db
          .selectFrom(rowsOf(is.links, ADDED, dialect))
          .select((eb) => [
            'row.id',
            eb.val(is.siteId).as('site_id'),
            'row.articleId',
            'row.targetId',
            'row.url',
            'row.now',
          ]),
      ),
  ),
  remove: defineQuery((db, is: { numbers: string }, dialect) =>
    db.deleteFrom('links').where(isOneOf('number', is.numbers, dialect, { type: 'bigint' })),
  ),
  retarget: defineQuery((db, is: { number: number; targetId: number | null }) =>
    db.updateTable('links').set({ target_id: is.targetId }).where('number', '=', is.number),
  ),
  unscheduledTargets: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('links')
      .innerJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select('link_targets.id')
      .where('links.article_id', '=', is.articleId)
      .where('link_targets.next_check_date', 'is', null),
  ),
  removeUnusedTargets: defineQuery((db, is: { ids: string }, dialect) =>
    db
      .deleteFrom('link_targets')
      .where(isOneOf('id', is.ids, dialect, { type: 'bigint' }))
      .where('next_check_date', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('links').select('links.number').whereRef('links.target_id', '=', 'link_targets.id'),
          ),
        ),
      ),
  ),
}
