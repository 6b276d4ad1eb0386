import { defineQuery } from './query.ts'

/** Queries on sites, their languages and keys. */
export const siteQueries = {
  siteByName: defineQuery((db, is: { name: string }) =>
    db.selectFrom('sites').select('id').where('name', '=', is.name),
  ),
  insertSite: defineQuery((db, is: { id: string; name: string; now: string }) =>
    db
      .insertInto('sites')
      .values({ id: is.id, name: is.name, article_limit: null, article_count: 0, created_date: is.now }),
  ),
  articles: defineQuery((db, is: { siteId: string }) =>
    db.selectFrom('sites').select(['article_count', 'article_limit']).where('id', '=', is.siteId),
  ),
  countArticles: defineQuery((db, is: { siteId: string; added: number }) =>
    db
      .updateTable('sites')
      .set((eb) => ({ article_count: eb('article_count', '+', is.added) }))
      .where('id', '=', is.siteId),
  ),
  uncountArticle: defineQuery((db, is: { siteId: string }) =>
    db
      .updateTable('sites')
      .set((eb) => ({ article_count: eb('article_count', '-', 1) }))
      .where('id', '=', is.siteId),
  ),
  languages: defineQuery((db, is: { siteId: string }) =>
    db.selectFrom('languages').select('code').where('site_id', '=', is.siteId).orderBy('position'),
  ),
  removeLanguages: defineQuery((db, is: { siteId: string }) =>
    db.deleteFrom('languages').where('site_id', '=', is.siteId),
  ),
  insertLanguage: defineQuery((db, is: { siteId: string; code: string; position: number }) =>
    db.insertInto('languages').values({ site_id: is.siteId, code: is.code, position: is.position }),
  ),
  keyByHash: defineQuery((db, is: { hash: string; now: string }) =>
    db
      .selectFrom('api_keys')
      .select(['site_id', 'user_id', 'read_only', 'expires_at'])
      .where('hash', '=', is.hash)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', is.now)])),
  ),
}
