import type { Kysely } from 'kysely'
import { categoryQueries } from './category-queries.ts'
import type { Seed, SeedCategory, SeededIds, SeedTag } from './seed-data.ts'
import type { Database, Session } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import { type TaxonQueries, taxonQueries } from './taxon-queries.ts'

interface Sowing {
  readonly session: Session
  readonly siteId: string
  readonly now: string
  readonly languages: readonly string[]
  readonly created: { readonly categories: string[]; readonly tags: string[] }
}

/** Creates categories and tags that are missing, and finds those that are there. */
export function createSeedStore(database: Database, db: Kysely<Tables>): Pick<Store, 'seed'> {
  const tagQueries = taxonQueries(db, 'tags')
  const sharedQueries = taxonQueries(db, 'categories')
  const ownQueries = categoryQueries(db)
  const sites = siteQueries(db)

  async function sow(session: Session, siteId: string, seed: Seed, now: string): Promise<SeededIds> {
    const languages = (await session.all(sites.languages, { siteId })).map(({ code }) => code)
    const sowing: Sowing = { session, siteId, now, languages, created: { categories: [], tags: [] } }
    const categories: Record<string, string> = {}
    for (const category of parentsFirst(seed.categories ?? [])) {
      categories[category.slug] = await sowCategory(sowing, category, categories)
    }
    const tags: Record<string, string> = {}
    for (const tag of seed.tags ?? []) {
      const present = await findByText(sowing, tagQueries, tag)
      if (present === undefined) sowing.created.tags.push(tag.slug)
      tags[tag.slug] = present ?? (await insertText(sowing, tagQueries, tag))
      await sowTranslations(sowing, tagQueries, tag, tags[tag.slug] as string)
    }
    return { categories, tags, created: sowing.created }
  }

  async function sowCategory(
    sowing: Sowing,
    category: SeedCategory,
    sown: Readonly<Record<string, string>>,
  ): Promise<string> {
    const parentId = category.parent === undefined ? null : await parentOf(sowing, category.parent, sown)
    const present = await findCategory(sowing, category, parentId)
    const id = present ?? (await insertText(sowing, sharedQueries, category))
    if (present === undefined) {
      sowing.created.categories.push(category.slug)
      await sowing.session.run(ownQueries.place, {
        id,
        order_by: category.priority ?? 0,
        parent_id: parentId,
        thumbnail_url: category.thumbnailUrl ?? '',
        icon_url: category.iconUrl ?? '',
      })
    }
    await sowTranslations(sowing, sharedQueries, category, id)
    return id
  }

  async function parentOf(
    { session, siteId }: Sowing,
    slug: string,
    sown: Readonly<Record<string, string>>,
  ): Promise<string> {
    const id = sown[slug] ?? (await session.first(sharedQueries.bySlug, { siteId, language: '', slug }))?.id
    if (id === undefined) throw new Error(`The seed names a parent category "${slug}" that does not exist`)
    return id
  }

  async function findCategory(
    { session, siteId }: Sowing,
    category: SeedCategory,
    parentId: string | null,
  ): Promise<string | undefined> {
    const bySlug = await session.first(sharedQueries.bySlug, { siteId, language: '', slug: category.slug })
    if (bySlug !== undefined) return bySlug.id
    for (const { id } of await session.all(sharedQueries.byName, { siteId, name: category.name })) {
      const place = await session.first(ownQueries.placeOf, { siteId, id })
      if (place?.parent_id === parentId) return id
    }
    return undefined
  }

  return { seed: (siteId, seed, now) => database.write((session) => sow(session, siteId, seed, now)) }
}

async function findByText({ session, siteId }: Sowing, queries: TaxonQueries, tag: SeedTag) {
  const bySlug = await session.first(queries.bySlug, { siteId, language: '', slug: tag.slug })
  return (bySlug ?? (await session.first(queries.byName, { siteId, name: tag.name })))?.id
}

async function insertText(
  { session, siteId, now }: Sowing,
  queries: TaxonQueries,
  text: SeedTag,
  translation?: { readonly language: string; readonly of: string },
): Promise<string> {
  const id = session.newId()
  await session.run(queries.insert, {
    id,
    site_id: siteId,
    name: text.name,
    slug: text.slug,
    description: text.description ?? '',
    long_description: text.longDescription ?? '',
    language: translation?.language ?? '',
    language_parent: translation?.of ?? null,
    created_by: null,
    created_date: now,
    last_edited_date: now,
  })
  return id
}

/** A translation into a language that is not enabled is left out, as is one whose slug is taken. */
async function sowTranslations(
  sowing: Sowing,
  queries: TaxonQueries,
  text: SeedTag,
  id: string,
): Promise<void> {
  const { session, siteId } = sowing
  for (const [language, translation] of Object.entries(text.translations ?? {})) {
    if (!sowing.languages.slice(1).includes(language)) continue
    const present = await session.first(queries.translation, { originalId: id, language })
    const taken = await session.first(queries.bySlug, { siteId, language, slug: translation.slug })
    if (present === undefined && taken === undefined) {
      await insertText(sowing, queries, translation, { language, of: id })
    }
  }
}

/** The categories in an order in which every parent that the seed holds comes before its children. */
function parentsFirst(categories: readonly SeedCategory[]): SeedCategory[] {
  const bySlug = new Map(categories.map((category) => [category.slug, category]))
  const ordered = new Set<SeedCategory>()
  function visit(category: SeedCategory, path: readonly SeedCategory[]): void {
    if (path.includes(category))
      throw new Error(`The seed makes category "${category.slug}" its own ancestor`)
    const parent = category.parent === undefined ? undefined : bySlug.get(category.parent)
    if (parent !== undefined && !ordered.has(parent)) visit(parent, [...path, category])
    ordered.add(category)
  }
  for (const category of categories) visit(category, [])
  return [...ordered]
}
