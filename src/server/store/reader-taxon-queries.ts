import type { ExpressionBuilder } from 'kysely'
import { isOneOf } from './json-lists.ts'
import { defineQuery } from './query.ts'
import type { Tables } from './tables.ts'
import type { TaxonTable } from './taxon-queries.ts'

/** Queries on categories and tags for visitors. */
export const readerTaxonQueries = {
  categories: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('categories')
      .select(['id', 'name', 'slug', 'description', 'language', 'language_parent', 'order_by', 'parent_id'])
      .select(['icon_url', 'thumbnail_url'])
      .where('site_id', '=', is.siteId)
      .orderBy('id'),
  ),
  /** That of the translation, if there is one. */
  longDescription: defineQuery((db, is: { siteId: string; id: string; language: string }) =>
    db
      .selectFrom('categories')
      .select('long_description')
      .where('site_id', '=', is.siteId)
      .where((eb) => eb.or([eb('id', '=', is.id), eb.and({ language_parent: is.id, language: is.language })]))
      .orderBy((eb) => eb('id', '=', is.id))
      .limit(1),
  ),
  /** @param ids a JSON array of ids of articles */
  categoryIds: defineQuery((db, is: { ids: string }, dialect) =>
    db
      .selectFrom('article_categories as relation')
      .innerJoin('categories as item', 'item.id', 'relation.category_id')
      .select((eb) => [
        'relation.article_id as articleId',
        eb.fn.coalesce('item.language_parent', 'item.id').as('id'),
      ])
      .where(isOneOf('relation.article_id', is.ids, dialect))
      .orderBy('relation.id'),
  ),
  tags: defineQuery((db, is: { articleId: string; language: string }) =>
    db
      .selectFrom('article_tags as relation')
      .innerJoin('tags as item', 'item.id', 'relation.tag_id')
      .innerJoin('tags as original', (join) =>
        join.on((eb) => eb('original.id', '=', eb.fn.coalesce('item.language_parent', 'item.id'))),
      )
      .leftJoin('tags as translated', (join) =>
        join
          .onRef('translated.language_parent', '=', 'original.id')
          .on((eb) => eb('translated.language', '=', eb.val(is.language))),
      )
      .select((eb) => [
        'original.id',
        eb.fn.coalesce('translated.name', 'original.name').as('name'),
        eb.fn.coalesce('translated.slug', 'original.slug').as('slug'),
      ])
      .where('relation.article_id', '=', is.articleId)
      .orderBy('relation.id'),
  ),
  tagBySlug: defineQuery((db, is: { siteId: string; language: string; slug: string }) =>
    db
      .selectFrom('tags')
      .select((eb) => eb.fn.coalesce('language_parent', 'id').as('id'))
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
      .where('slug', '=', is.slug),
  ),
  /** An original and its translations. */
  family: { category: familyQuery('categories'), tag: familyQuery('tags') },
  /** Finds the originals that have a slug, or had it, by the language of the slug. */
  atSlug: { category: slugQuery('category'), tag: slugQuery('tag') },
  /** Counts the articles directly in it, up to `limit`. */
  size: {
    category: sizeQuery('article_categories', 'category_id'),
    tag: sizeQuery('article_tags', 'tag_id'),
  },
}

function familyQuery(table: TaxonTable) {
  // The types treat both tables as the smaller one.
  const shared = table as 'tags'
  return defineQuery((db, is: { originalId: string }) => {
    const members = (column: 'id' | 'language_parent') =>
      db.selectFrom(shared).select(['name', 'slug', 'language']).where(column, '=', is.originalId)
    return members('id').unionAll(members('language_parent'))
  })
}

function slugQuery(kind: 'category' | 'tag') {
  const shared = (kind === 'category' ? 'categories' : 'tags') as 'tags'
  return defineQuery((db, is: { siteId: string; slug: string }) => {
    const id = (eb: ExpressionBuilder<{ item: Tables['tags'] }, 'item'>) =>
      eb.fn.coalesce('item.language_parent', 'item.id').as('id')
    const having = db
      .selectFrom(`${shared} as item`)
      .select((eb) => [id(eb), 'item.language', eb.val(0).as('isMoved')])
      .where('item.site_id', '=', is.siteId)
      .where('item.slug', '=', is.slug)
    const moved = db
      .selectFrom(`${kind as 'tag'}_redirects as redirect`)
      .innerJoin(`${shared} as item`, 'item.id', `redirect.${kind as 'tag'}_id`)
      .select((eb) => [id(eb), 'redirect.language', eb.val(1).as('isMoved')])
      .where('redirect.site_id', '=', is.siteId)
      .where('redirect.slug', '=', is.slug)
    return having.unionAll(moved)
  })
}

function sizeQuery(table: 'article_categories' | 'article_tags', column: 'category_id' | 'tag_id') {
  return defineQuery((db, is: { taxonId: string; limit: number }) => {
    const relations = db
      .selectFrom(db.dynamic.table(table).as('member'))
      .select('member.id')
      .where(db.dynamic.ref(column), '=', is.taxonId)
      .limit(is.limit)
    return db.selectFrom(relations.as('relation')).select((eb) => eb.fn.countAll<number>().as('articles'))
  })
}
