// Categories and tags as data, since the API cannot create them.
import { categoryQueries, newTaxonRow, taxonQueries, type TaxonTable } from './taxon-queries.ts'
import type { TaxonomyTexts } from '../../core/model/taxonomy.ts'
import { replaceFileUses } from './file-store.ts'
import type { Session } from './query.ts'
import { siteQueries } from './site-queries.ts'

export interface SeedTag extends TaxonomyTexts {
  /** By language code. */
  readonly translations?: Readonly<Record<string, TaxonomyTexts>> | undefined
}

export interface SeedCategory extends SeedTag {
  /** Default 0. */
  readonly priority?: number | undefined
  /** Slug of another category in the seed or the database. */
  readonly parent?: string | undefined
  readonly thumbnailUrl?: string | undefined
  readonly iconUrl?: string | undefined
}

export interface Seed {
  readonly categories?: readonly SeedCategory[] | undefined
  readonly tags?: readonly SeedTag[] | undefined
}

/** Ids of created and existing items, by the slug in the seed. */
export interface SeededIds {
  readonly categories: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
  /** Slugs of created items. */
  readonly created: { readonly categories: readonly string[]; readonly tags: readonly string[] }
}

interface Sowing {
  readonly session: Session
  readonly siteId: string
  readonly now: string
  readonly languages: readonly string[]
  readonly created: { readonly categories: string[]; readonly tags: string[] }
}

/** Creates missing categories and tags, and finds existing ones, within a transaction of its caller. */
export async function insertSeed(
  session: Session,
  siteId: string,
  seed: Seed,
  now: string,
): Promise<SeededIds> {
  const languages = (await session.all(siteQueries.languages, { siteId })).map(({ code }) => code)
  const sowing: Sowing = { session, siteId, now, languages, created: { categories: [], tags: [] } }
  const categories: Record<string, string> = {}
  for (const category of parentsFirst(seed.categories ?? []))
    categories[category.slug] = await sowCategory(sowing, category, categories)
  const tags: Record<string, string> = {}
  for (const tag of seed.tags ?? []) {
    const present = await findTag(sowing, tag)
    if (present === undefined) sowing.created.tags.push(tag.slug)
    tags[tag.slug] = present ?? (await insertText(sowing, 'tags', tag))
    await sowTranslations(sowing, 'tags', tag, tags[tag.slug] as string)
  }
  return { categories, tags, created: sowing.created }
}

async function sowCategory(sowing: Sowing, category: SeedCategory, sown: Readonly<Record<string, string>>) {
  const parentId = category.parent === undefined ? null : await parentOf(sowing, category.parent, sown)
  const present = await findCategory(sowing, category, parentId)
  const id = present ?? (await insertText(sowing, 'categories', category))
  if (present === undefined) {
    sowing.created.categories.push(category.slug)
    await sowing.session.run(categoryQueries.place, {
      id,
      order_by: category.priority ?? 0,
      parent_id: parentId,
      thumbnail_url: category.thumbnailUrl ?? '',
      icon_url: category.iconUrl ?? '',
    })
  }
  await sowTranslations(sowing, 'categories', category, id)
  return id
}

async function parentOf({ session, siteId }: Sowing, slug: string, sown: Readonly<Record<string, string>>) {
  const id =
    sown[slug] ?? (await session.first(taxonQueries.categories.bySlug, { siteId, language: '', slug }))?.id
  if (id === undefined) throw new Error(`The seed names a parent category "${slug}" that does not exist`)
  return id
}

async function findCategory({ session, siteId }: Sowing, category: SeedCategory, parentId: string | null) {
  const bySlug = await session.first(taxonQueries.categories.bySlug, {
    siteId,
    language: '',
    slug: category.slug,
  })
  if (bySlug !== undefined) return bySlug.id
  for (const { id } of await session.all(taxonQueries.categories.byName, { siteId, name: category.name })) {
    const place = await session.first(categoryQueries.placeOf, { siteId, id })
    if (place?.parent_id === parentId) return id
  }
  return undefined
}

async function findTag({ session, siteId }: Sowing, tag: SeedTag) {
  const bySlug = await session.first(taxonQueries.tags.bySlug, { siteId, language: '', slug: tag.slug })
  return (bySlug ?? (await session.first(taxonQueries.tags.byName, { siteId, name: tag.name })))?.id
}

async function insertText(
  { session, siteId, now }: Sowing,
  table: TaxonTable,
  text: SeedTag & Pick<SeedCategory, 'thumbnailUrl' | 'iconUrl'>,
  translation?: { readonly language: string; readonly of: string },
): Promise<string> {
  const id = session.newId()
  const place = translation && { language: translation.language, language_parent: translation.of }
  await session.run(taxonQueries[table].insert, newTaxonRow({ siteId, id }, { ...text, now }, place))
  const kind = table === 'categories' ? 'category' : 'tag'
  const using = [text.longDescription, text.thumbnailUrl, text.iconUrl].join(' ')
  await replaceFileUses(session, { siteId, kind, id, now }, using)
  return id
}

/** Creates translations, except into a language that is not enabled, or with a slug in use. */
async function sowTranslations(sowing: Sowing, table: TaxonTable, text: SeedTag, id: string): Promise<void> {
  const { session, siteId } = sowing
  for (const [language, translation] of Object.entries(text.translations ?? {})) {
    if (!sowing.languages.slice(1).includes(language)) continue
    const present = await session.first(taxonQueries[table].translation, { originalId: id, language })
    const taken = await session.first(taxonQueries[table].bySlug, {
      siteId,
      language,
      slug: translation.slug,
    })
    if (present === undefined && taken === undefined)
      await insertText(sowing, table, translation, { language, of: id })
  }
}

/** Sorts categories so that parents in the seed precede their children. */
function parentsFirst(categories: readonly SeedCategory[]): SeedCategory[] {
  const bySlug = new Map(categories.map((category) => [category.slug, category]))
  const ordered = new Set<SeedCategory>()
  function visit(category: SeedCategory, path: readonly SeedCategory[]): void {
    if (path.includes(category))
      throw new Error(`In the seed, category "${category.slug}" is its own ancestor`)
    const parent = category.parent === undefined ? undefined : bySlug.get(category.parent)
    if (parent !== undefined && !ordered.has(parent)) visit(parent, [...path, category])
    ordered.add(category)
  }
  for (const category of categories) visit(category, [])
  return [...ordered]
}
