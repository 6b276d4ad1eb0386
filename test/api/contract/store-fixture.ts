// Shared by the suites of the store: a store with two categories and a tag, and functions for articles.
import { onTestFinished } from 'vitest'
import type { ArticleInput, StoredArticle } from '../../../src/server/store/records.ts'
import type { Store } from '../../../src/server/store/open-store.ts'

interface StoreFactoryOptions {
  readonly languages: readonly string[]
  readonly articleLimit: number
}

export interface StoreHome {
  /** Opens the store; the second time with the data of the first. */
  open(options?: Partial<StoreFactoryOptions>): Promise<Store>
}

export const NOW = '2026-03-01T10:00:00.000Z'
export const LATER = '2026-03-02T10:00:00.000Z'
export const ALL = { after: '', limit: 1000 }
export const ALL_LINKS = { after: 0, limit: 1000 }
export const FROM_START = { after: { date: '', id: '' }, limit: 1000 }

const SEED = {
  categories: [
    { name: 'Accounts', slug: 'accounts', parent: 'guides' },
    { name: 'Guides', slug: 'guides' },
  ],
  tags: [{ name: 'Security', slug: 'security' }],
}

/** A function that opens a seeded store in a separate home, until the end of the test. */
export function openFixture(createHome: () => Promise<StoreHome>) {
  return async (options: Partial<StoreFactoryOptions> = {}) => {
    const home = await createHome()
    const store = await home.open(options)
    onTestFinished(() => store.close())
    const site = store.defaultSiteId
    const seeded = await store.seed(site, SEED, NOW)
    const draft = (changes: Partial<ArticleInput> = {}) => article(seeded, changes)
    const create = (changes: Partial<ArticleInput> = {}) => store.createArticle(site, draft(changes))
    const createdId = async (changes: Partial<ArticleInput> = {}) => {
      const outcome = await create(changes)
      if (outcome.kind !== 'created') throw new Error(outcome.kind)
      return outcome.id
    }
    const update = (id: string, changes: Partial<ArticleInput> = {}) =>
      store.updateArticle(site, id, { ...draft(changes), now: changes.now ?? LATER })
    return { home, store, site, seeded, draft, create, createdId, update }
  }
}

/** Returns the record of an article; undefined if there is none. */
export async function readRecord(
  store: Store,
  site: string,
  id: string,
  language?: string,
): Promise<StoredArticle | undefined> {
  const outcome = await store.readArticle(site, id, language)
  return outcome.kind === 'found' ? outcome.record : undefined
}

/** The content of an article with these links. */
export function linksTo(...urls: readonly string[]): string {
  return urls.map((url) => `<a href="${url}">x</a>`).join('')
}

function article(
  seeded: { categories: Readonly<Record<string, string>> },
  changes: Partial<ArticleInput>,
): ArticleInput {
  return {
    title: 'One',
    slug: 'one',
    categoryIds: [seeded.categories['guides'] ?? ''],
    tagIds: undefined,
    excerpt: '',
    order: 1,
    status: 'published',
    content: '<p>One</p>',
    hideFromSearch: undefined,
    seoBannerUrl: undefined,
    reviewDate: undefined,
    language: undefined,
    languageParent: undefined,
    writtenBy: null,
    now: NOW,
    ...changes,
  }
}
