// The links of articles. Links that share a target reference one row. It is deleted with the last of them, unless a
// link checker has scheduled it: then it remains until it is due, so that a link that is added again keeps its result.
import { type Expression, type Kysely, sql, type SqlBool } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import { isOneOf, rowsOf, textsOf } from './json-lists.ts'
import { defineQuery, type Session, type SqlDialect } from './query.ts'
import type { Tables } from './tables.ts'

/** Maximum number of links, or of targets, in one statement, while other requests wait. */
const LINKS_AT_ONCE = 1000

/** An article with the links in its content, each URL once. */
export interface LinkedArticle {
  readonly id: string
  /** Date of its last edit. */
  readonly date: string
  /** `target` is what is checked; '' if there is none. */
  readonly links: readonly { readonly url: string; readonly target: string }[]
}

/** Replaces the links of articles of a site. Rows of unchanged links are kept, with their ids and dates. */
export async function replaceLinks(
  session: Session,
  siteId: string,
  articles: readonly LinkedArticle[],
): Promise<void> {
  const ids = JSON.stringify(articles.map(({ id }) => id))
  const present = groupBy(await session.all(linkQueries.ofArticles, { ids }), (row) => row.article_id)
  const added: (string | null)[][] = []
  const retargeted: { readonly number: number; readonly target: string }[] = []
  const former: { readonly number: number; readonly target_id: number | null }[] = []
  const removed: number[] = []
  for (const { id, date, links } of articles) {
    const rows = new Map(present.get(id)?.map((row) => [row.url, row]))
    for (const { url, target } of links) {
      const row = rows.get(url)
      rows.delete(url)
      if (row === undefined) added.push([session.newId(), id, target, url, date])
      else if (target !== (row.target ?? '')) {
        retargeted.push({ number: row.number, target })
        former.push(row)
      }
    }
    for (const row of rows.values()) {
      removed.push(row.number)
      former.push(row)
    }
  }
  await addTargets(session, siteId, [
    ...added.map(([, , target]) => target ?? ''),
    ...retargeted.map(({ target }) => target),
  ])
  for (const part of slices(removed))
    await session.send(linkQueries.remove, { numbers: JSON.stringify(part) })
  for (const each of retargeted) await session.send(linkQueries.retarget, { ...each, siteId })
  for (const part of slices(added))
    await session.send(linkQueries.add, { siteId, links: JSON.stringify(part) })
  await removeUnusedTargets(
    session,
    former.map(({ target_id }) => target_id),
  )
}

/** Adds the rows of targets that have none. */
export async function addTargets(
  session: Session,
  siteId: string,
  targets: readonly string[],
): Promise<void> {
  for (const part of slices([...new Set(targets)].filter((target) => target !== '')))
    await session.send(linkQueries.addTargets, { siteId, targets: JSON.stringify(part) })
}

function slices<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (let start = 0; start < items.length; start += LINKS_AT_ONCE)
    parts.push(items.slice(start, start + LINKS_AT_ONCE))
  return parts
}

export async function unscheduledTargets(session: Session, articleId: string): Promise<readonly number[]> {
  return (await session.all(linkQueries.unscheduledTargets, { articleId })).map(({ id }) => id)
}

/** Deletes the targets among these that have neither links nor a scheduled check. */
export async function removeUnusedTargets(session: Session, ids: readonly (number | null)[]): Promise<void> {
  for (const part of slices([...new Set(ids)].filter((id) => id !== null)))
    await session.run(linkQueries.removeUnusedTargets, { ids: JSON.stringify(part) })
}

type SqlText = string | Expression<string>

/** Selects the id of the row of a target; null for ''. */
export function idOfTarget(db: Kysely<Tables>, siteId: string, target: SqlText, dialect: SqlDialect) {
  return db
    .selectFrom('link_targets')
    .select('id')
    .where('site_id', '=', siteId)
    .where(isTarget(target, dialect))
}

/** Tests if a row of `link_targets` is of this target. */
export function isTarget(target: SqlText, { textKey }: Pick<SqlDialect, 'textKey'>) {
  const key = sql.raw(textKey ?? '')
  return sql<SqlBool>`${key}(${sql.ref('link_targets.target')}) = ${key}(${target})`
}

const ADDED = { id: 'text', articleId: 'text', target: 'text', url: 'text', date: 'text' } as const

const linkQueries = {
  ofArticles: defineQuery((db, is: { ids: string }, dialect) =>
    db
      .selectFrom('links')
      .leftJoin('link_targets', 'link_targets.id', 'links.target_id')
      .select(['links.article_id', 'links.number', 'links.url', 'links.target_id', 'link_targets.target'])
      .where(isOneOf('links.article_id', is.ids, dialect)),
  ),
  addTargets: defineQuery((db, is: { siteId: string; targets: string }, dialect) =>
    db
      .insertInto('link_targets')
      .columns(['site_id', 'target'])
      .expression(
        db
          .selectFrom(textsOf(is.targets, dialect))
          .select((eb) => [eb.val(is.siteId).as('site_id'), 'text.value'])
          // Faster than finding the conflicts. PostgreSQL would read all targets for `not exists`, to join them.
          .where(idOfTarget(db, is.siteId, sql.ref<string>('text.value'), dialect), 'is', null),
      ),
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
            idOfTarget(db, is.siteId, sql.ref<string>('row.target'), dialect).as('target_id'),
            'row.url',
            'row.date',
          ]),
      ),
  ),
  remove: defineQuery((db, is: { numbers: string }, dialect) =>
    db.deleteFrom('links').where(isOneOf('number', is.numbers, dialect, { type: 'bigint' })),
  ),
  retarget: defineQuery((db, is: { number: number; siteId: string; target: string }, dialect) =>
    db
      .updateTable('links')
      .set({ target_id: idOfTarget(db, is.siteId, is.target, dialect) })
      .where('number', '=', is.number),
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
