// The links of articles. Links that share a target refer to one row. It is deleted with the last of them, unless a link
// checker has scheduled it: then it remains until it is due, so that a link that comes back keeps its result.
import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'
import { defineQuery, type Session, type SqlDialect } from './query.ts'
import type { ContentLink } from './store.ts'
import type { Tables } from './tables.ts'

/** Maximum number of links in one statement, during which other requests wait. */
const LINKS_AT_ONCE = 1000

export interface LinkOwner {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** New links of an article. */
export interface AddedLinks extends LinkOwner {
  readonly links: readonly ContentLink[]
}

/** Adds links to articles of a site. */
export async function addLinks(
  session: Session,
  siteId: string,
  added: readonly AddedLinks[],
): Promise<void> {
  const rows = added.flatMap(({ articleId, now, links }) =>
    links.map(({ url, target }) => ({ ...newRow(target, url), id: session.newId(), articleId, now })),
  )
  for (let start = 0; start < rows.length; start += LINKS_AT_ONCE) {
    const values = { siteId, links: JSON.stringify(rows.slice(start, start + LINKS_AT_ONCE)) }
    await Promise.all([session.run(linkQueries.addTargets, values), session.run(linkQueries.add, values)])
  }
}

/** Replaces the links of an article; the rows of those that stay are kept. */
export async function replaceLinks(
  session: Session,
  owner: LinkOwner,
  wanted: readonly ContentLink[],
): Promise<void> {
  const links = await session.all(linkQueries.ofArticle, { articleId: owner.articleId })
  const targets = new Map(wanted.map(({ url, target }) => [url, target]))
  const present = new Set(links.map(({ url }) => url))
  const changed = links.filter(({ url, target }) => targets.get(url) !== (target ?? ''))
  for (const { number, url } of changed) {
    const target = targets.get(url)
    if (target === undefined) await session.run(linkQueries.remove, { number })
    else {
      await addTarget(session, owner.siteId, target)
      await session.run(linkQueries.retarget, { number, siteId: owner.siteId, target })
    }
  }
  const added = wanted.filter(({ url }) => !present.has(url))
  await addLinks(session, owner.siteId, [{ ...owner, links: added }])
  const left = changed.map(({ target_id }) => target_id)
  await removeUnusedTargets(session, left)
}

/** Adds the row of a target if it is missing. */
export async function addTarget(session: Session, siteId: string, target: string): Promise<void> {
  await session.run(linkQueries.addTargets, { siteId, links: JSON.stringify([newRow(target)]) })
}

/** Ids of the targets of an article that are not scheduled. */
export async function unscheduledTargets(session: Session, articleId: string): Promise<readonly number[]> {
  return (await session.all(linkQueries.unscheduledTargets, { articleId })).map(({ id }) => id)
}

/** Deletes those of these targets that have neither links nor a scheduled check. */
export async function removeUnusedTargets(session: Session, ids: readonly (number | null)[]): Promise<void> {
  for (const id of new Set(ids)) {
    if (id !== null) await session.run(linkQueries.removeUnusedTarget, { id })
  }
}

/** The id of a target of a site; null for ''. */
export function targetIdOf(db: Kysely<Tables>, siteId: string, target: SqlText, dialect: SqlDialect) {
  return db
    .selectFrom('link_targets')
    .select('link_targets.id')
    .where('link_targets.site_id', '=', siteId)
    .where(isTarget(target, dialect))
}

type SqlText = string | Expression<string>

/** Whether a row of `link_targets` is of this target. */
export function isTarget(target: SqlText, { textKey }: Pick<SqlDialect, 'textKey'>) {
  const key = sql.raw(textKey ?? '')
  return sql<SqlBool>`${key}(${sql.ref('link_targets.target')}) = ${key}(${target})`
}

// New links are one argument, a JSON array, and so one statement. Half of a surrogate pair would become invalid UTF-8.
function newRow(target: string, url = '') {
  return { url: url.toWellFormed(), target: target.toWellFormed() }
}

function rowsOf(json: string, { jsonElements }: SqlDialect) {
  return sql<{ value: string }>`${sql.raw(jsonElements)}(${json})`.as<'row'>('row')
}

function member(name: 'id' | 'articleId' | 'now' | 'url' | 'target') {
  return sql<string>`${sql.ref('row.value')} ->> ${sql.lit(name)}`
}

const linkQueries = {
  ofArticle: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('links')
      .leftJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select(['links.number', 'links.url', 'links.target_id', 'link_targets.target'])
      .where('links.article_id', '=', is.articleId),
  ),
  add: defineQuery((db, is: { siteId: string; links: string }, dialect) =>
    db
      .insertInto('links')
      .columns(['id', 'site_id', 'article_id', 'target_id', 'url', 'created_date'])
      .expression(
        db
          .selectFrom(rowsOf(is.links, dialect))
          .select((eb) => [
            member('id').as('id'),
            eb.val(is.siteId).as('site_id'),
            member('articleId').as('article_id'),
            targetIdOf(db, is.siteId, member('target'), dialect).as('target_id'),
            member('url').as('url'),
            member('now').as('created_date'),
          ]),
      ),
  ),
  remove: defineQuery((db, is: { number: number }) => db.deleteFrom('links').where('number', '=', is.number)),
  retarget: defineQuery((db, is: { number: number; siteId: string; target: string }, dialect) =>
    db
      .updateTable('links')
      .set({ target_id: targetIdOf(db, is.siteId, is.target, dialect) })
      .where('number', '=', is.number),
  ),
  addTargets: defineQuery((db, is: { siteId: string; links: string }, dialect) =>
    db
      .insertInto('link_targets')
      .columns(['site_id', 'target'])
      .expression(
        db
          .selectFrom(rowsOf(is.links, dialect))
          .select((eb) => [eb.val(is.siteId).as('site_id'), member('target').as('target')])
          .where(member('target'), '<>', ''),
      )
      .onConflict((conflict) => conflict.doNothing()),
  ),
  unscheduledTargets: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('links')
      .innerJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select('link_targets.id')
      .where('links.article_id', '=', is.articleId)
      .where('link_targets.next_check_date', 'is', null),
  ),
  removeUnusedTarget: defineQuery((db, is: { id: number }) =>
    db
      .deleteFrom('link_targets')
      .where('id', '=', is.id)
      .where('next_check_date', 'is', null)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('links').select('links.number').where('links.target_id', '=', is.id))),
      ),
  ),
}
