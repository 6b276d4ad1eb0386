import limitConcurrency from 'p-limit'
import { formatCategoryPath } from '../../core/category-path.ts'
import type { PageCategory, PageLink, Viewer } from '../../web/pages/page-source.ts'
import type { ReadCategory, Visibility } from '../store/reader-data.ts'
import type { Store } from '../store/open-store.ts'

/** The data that all pages of a site need: languages and categories. Read once after each change. */
export interface SiteCatalog {
  /** Enabled codes, the default one first. */
  readonly languages: () => Promise<readonly string[]>
  /** Converts a language code to its form in the tables. `toCode` does the reverse. */
  readonly toStored: (code: string) => Promise<string>
  readonly toCode: (stored: string) => Promise<string>
  readonly listCategories: (viewer: Viewer, language: string) => Promise<readonly PageCategory[]>
  /** From the root down; empty if the category does not exist. */
  readonly pathTo: (categoryId: string, language: string) => Promise<readonly PageLink[]>
  /** Paths of names in the default language, `Guides/Accounts`, by id of a category or of a translation. */
  readonly namedPaths: () => Promise<ReadonlyMap<string, string>>
  /** Caches the result of a computation over all articles. One runs at a time, shared by all callers. */
  readonly rememberLong: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>
}

export const VISIBILITY_OF: Readonly<Record<Viewer, Visibility>> = { reader: 'published', author: 'all' }

export function createSiteCatalog(store: Store, siteId: string): SiteCatalog {
  const remember = createMarkedMemory(store, siteId)
  const runShared = createSharedQueue()
  const languages = () => remember('languages', async () => (await store.siteSettings(siteId)).languages)
  const readCategories = () => remember('categories', () => store.listReaderCategories(siteId))

  const namedIn = (language: string) =>
    remember(`names ${language}`, async () =>
      nameCategories(await readCategories(), await toStored(language)),
    )

  async function toStored(code: string): Promise<string> {
    return code === (await languages())[0] ? '' : code
  }

  async function countedFor(viewer: Viewer, language: string): Promise<readonly PageCategory[]> {
    const scope = { siteId, visibility: VISIBILITY_OF[viewer] }
    const stored = await toStored(language)
    const counts = await store.countReaderArticles(scope, stored)
    const recount = new Set<string>()
    for (const { id, languageParent } of await readCategories()) {
      if (languageParent !== null && counts.has(id)) recount.add(languageParent)
    }
    const countOf = (id: string) =>
      // An article may be in a category and in a translation of it.
      recount.has(id) ? store.countInCategory(scope, stored, id) : (counts.get(id) ?? 0)
    const named = [...(await namedIn(language)).values()]
    return Promise.all(named.map(async (category) => ({ ...category, articles: await countOf(category.id) })))
  }

  async function pathTo(categoryId: string, language: string): Promise<readonly PageLink[]> {
    const named = await namedIn(language)
    const path: PageLink[] = []
    for (let at = named.get(categoryId); at !== undefined; at = named.get(at.parentId ?? ''))
      path.unshift({ name: at.name, slug: at.slug })
    return path
  }

  async function readPaths(): Promise<ReadonlyMap<string, string>> {
    const [language = ''] = await languages()
    const paths = new Map<string, string>()
    for (const { id, languageParent } of await readCategories()) {
      const path = await pathTo(languageParent ?? id, language)
      paths.set(id, formatCategoryPath(path.map(({ name }) => name)))
    }
    return paths
  }

  return {
    languages,
    toStored,
    toCode: async (stored) => (stored === '' ? ((await languages())[0] ?? '') : stored),
    listCategories: (viewer, language) =>
      remember(`counts ${viewer} ${language}`, () => countedFor(viewer, language)),
    pathTo,
    namedPaths: () => remember('paths', readPaths),
    rememberLong: (key, make) => remember(key, () => runShared(key, make)),
  }
}

/** Returns the originals by id, in display order, with their translated texts, if any. */
function nameCategories(rows: readonly ReadCategory[], language: string) {
  const translations = new Map(
    rows.filter((row) => row.language === language).map((row) => [row.languageParent, row]),
  )
  const named = rows
    .filter((row) => row.languageParent === null)
    .map((row) => ({
      ...(translations.get(row.id) ?? row),
      id: row.id,
      parentId: row.parentId,
      order: row.order,
      icon: row.icon,
      thumbnail: row.thumbnail,
    }))
    .toSorted((a, b) => a.order - b.order || compare(a.name, b.name) || compare(a.id, b.id))
  return new Map(
    named.map(({ id, parentId, name, slug, description, icon, thumbnail }) => [
      id,
      { id, parentId: parentId ?? undefined, name, slug, description, icon, thumbnail },
    ]),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Caches results until any process changes something. */
function createMarkedMemory(store: Pick<Store, 'changeMark' | 'revision'>, siteId: string) {
  let kept = new Map<string, Promise<unknown>>()
  let heldMark: number | undefined
  let heldRevision: number | undefined

  async function attune(): Promise<void> {
    const mark = store.changeMark()
    if (mark === heldMark) return
    const revision = await store.revision(siteId)
    // Results of link checks also change the mark, but nothing that is cached here.
    if (revision !== heldRevision) kept = new Map()
    heldMark = mark
    heldRevision = revision
  }

  /** Returns the cached value of `key`, or the result of `make`. Concurrent calls share one. */
  return async function remember<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    await attune()
    const memory = kept
    const present = memory.get(key) as Promise<Value> | undefined
    if (present !== undefined) return present
    const made = make()
    memory.set(key, made)
    made.catch(() => memory.delete(key))
    return made
  }
}

/** Runs computations one after another. Calls share one that has not begun, since it will read the latest data. */
function createSharedQueue() {
  const limit = limitConcurrency(1)
  const waiting = new Map<string, Promise<unknown>>()
  return function runShared<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const present = waiting.get(key) as Promise<Value> | undefined
    if (present !== undefined) return present
    const made = limit(() => {
      waiting.delete(key)
      return make()
    })
    waiting.set(key, made)
    return made
  }
}
