// What administration does alike with categories and with tags.
import type { Kysely } from 'kysely'
import type { Session } from '../session.ts'
import { siteQueries } from '../site-queries.ts'
import type { UpdateOutcome } from '../store.ts'
import type { Tables } from '../tables.ts'
import { taxonQueries, type TaxonTable } from '../taxon-queries.ts'
import type { NewTaxon, TaxonOverview } from './admin-store.ts'
import { itemExists, itemInUse, noSuchItem } from './refuse.ts'
import { taxonAdminQueries } from './taxon-admin-queries.ts'

export type TaxonNoun = 'category' | 'tag'

type Named = Pick<TaxonOverview, 'name' | 'slug'>

export interface TaxonAdministration {
  /** Originals, each with its translations. */
  list(session: Session, siteId: string): Promise<TaxonOverview[]>
  find(session: Session, siteId: string, id: string): Promise<TaxonOverview>
  insert(session: Session, siteId: string, item: NewTaxon): Promise<string>
  remove(session: Session, siteId: string, id: string): Promise<void>
  /** Throws ITEM_EXISTS where one of `siblings` has the name: articles name categories and tags by it. */
  assertNameFree(name: string, siblings: readonly Named[]): void
  /** Code of the default language. */
  defaultLanguage(session: Session, siteId: string): Promise<string>
}

/** The common part of the administration of `table`. */
export function createTaxonAdministration(db: Kysely<Tables>, table: TaxonTable): TaxonAdministration {
  const queries = { ...taxonQueries(db, table), ...taxonAdminQueries(db, table) }
  const sites = siteQueries(db)
  const noun = table === 'categories' ? 'category' : 'tag'

  async function defaultLanguage(session: Session, siteId: string): Promise<string> {
    return (await session.first(sites.languages, { siteId }))?.code ?? ''
  }

  async function list(session: Session, siteId: string): Promise<TaxonOverview[]> {
    const rows = await session.all(queries.all, { siteId })
    const counted = await session.all(queries.articleCounts, { siteId })
    const counts = new Map(counted.map(({ id, articles }) => [id, Number(articles)]))
    const ownLanguage = await defaultLanguage(session, siteId)
    const texts = rows.map(({ language_parent: original, description, ...row }) => ({
      original,
      description,
      text: { id: row.id, name: row.name, slug: row.slug, language: row.language || ownLanguage },
    }))
    return texts
      .filter(({ original }) => original === null)
      .map(({ text, description }) => ({
        ...text,
        description,
        articles: counts.get(text.id) ?? 0,
        translations: texts.filter(({ original }) => original === text.id).map((each) => each.text),
      }))
  }

  async function find(session: Session, siteId: string, id: string): Promise<TaxonOverview> {
    const items = await list(session, siteId)
    const found = items.find((item) => item.id === id)
    if (found !== undefined) return found
    throw noSuchItem(
      noun,
      id,
      items.map((item) => item.slug),
    )
  }

  function assertNameFree(name: string, siblings: readonly Named[]): void {
    const beside = siblings.find((item) => item.name.normalize('NFC') === name.normalize('NFC'))
    if (beside === undefined) return
    const where = noun === 'category' ? 'at this place' : 'in this site'
    throw itemExists(`There is already a ${noun} "${name}" ${where}, with the slug "${beside.slug}".`)
  }

  async function insert(session: Session, siteId: string, item: NewTaxon): Promise<string> {
    const beside = await session.first(queries.bySlug, { siteId, language: '', slug: item.slug })
    if (beside !== undefined) throw slugTaken(noun, item.slug, beside.name)
    const id = session.newId()
    await session.run(queries.insert, {
      id,
      site_id: siteId,
      name: item.name,
      slug: item.slug,
      description: item.description,
      long_description: '',
      language: '',
      language_parent: null,
      created_by: null,
      created_date: item.now,
      last_edited_date: item.now,
    })
    return id
  }

  async function remove(session: Session, siteId: string, id: string): Promise<void> {
    await find(session, siteId, id)
    // Without this they would stay behind as originals that nobody asked for.
    await session.run(queries.removeTranslations, { id })
    await session.run(queries.remove, { id })
  }

  return { list, find, insert, remove, assertNameFree, defaultLanguage }
}

/** Turns the refusal of an update into an error. */
export function assertUpdated(outcome: UpdateOutcome, noun: TaxonNoun, id: string, slug: string): void {
  if (outcome.kind === 'updated') return
  if (outcome.kind === 'slug-taken') throw slugTaken(noun, slug, outcome.by)
  if (outcome.kind === 'own-ancestor') {
    throw itemInUse(
      'A category can be neither its own parent nor the child of one below it.',
      'Choose another parent.',
    )
  }
  throw noSuchItem(outcome.kind === 'unknown-parent' ? 'parent category' : noun, id, [])
}

function slugTaken(noun: TaxonNoun, slug: string, by: string) {
  return itemExists(`The slug "${slug}" is taken by the ${noun} "${by}".`)
}
