// What the service of strict-service.ts keeps, and what somebody does to it in the web interface.
import type { ServiceHabits } from './strict-service-quirks.ts'

/** An article as the service keeps it. */
export interface StoredArticle {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly content: string
  readonly excerpt: string
  readonly order: number
  readonly status: 'draft' | 'published'
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[]
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  readonly reviewDate: string
  readonly language: string | null
  /** '' for an original. */
  readonly languageParent: string
  readonly createdMs: number
  readonly editedMs: number
  readonly draftId: string
}

export interface StoredCategory {
  readonly id: string
  readonly name: string
  readonly order: number
  readonly parentId: string
}

export interface StoredTag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
}

/** One change of the articles, in the order in which they happened. */
export interface ServiceEvent {
  readonly did: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly slug: string
}

/** The changes that people make, by slug or by id. */
export interface Hands {
  readonly articles: () => readonly StoredArticle[]
  /** The one article with this slug. */
  readonly articleAt: (slug: string) => StoredArticle
  /** Somebody writes an article in the web interface. */
  readonly add: (article: Partial<StoredArticle>) => StoredArticle
  /** Somebody edits an article in the web interface, an hour later. */
  readonly edit: (slug: string, changes: Partial<StoredArticle>) => void
  readonly editById: (id: string, changes: Partial<StoredArticle>) => void
  /** Somebody deletes articles in the web interface. */
  readonly drop: (...slugs: readonly string[]) => void
  readonly dropById: (id: string) => void
  /** Somebody duplicates an article: with its marker, now, changed as said. */
  readonly duplicate: (id: string, changes?: Partial<StoredArticle>) => StoredArticle
}

export interface ServiceMemory extends Hands {
  readonly byId: Map<string, StoredArticle>
  readonly categories: Map<string, StoredCategory>
  readonly tags: Map<string, StoredTag>
  readonly events: ServiceEvent[]
  /** Milliseconds since 1970, `ms` later than the last time. */
  readonly later: (ms: number) => number
}

const HOUR_MS = 3_600_000

/** Starts with the categories Guides and Guides/Accounts and the tag Safety. */
export function createServiceMemory({ numericIds = false }: ServiceHabits): ServiceMemory {
  const byId = new Map<string, StoredArticle>()
  const categories = new Map<string, StoredCategory>()
  const tags = new Map<string, StoredTag>()
  const events: ServiceEvent[] = []
  let lastId = 0
  let nowMs = Date.parse('2026-03-01T10:00:00Z')
  const newId = () => (numericIds ? String(++lastId) : `id-${++lastId}`)
  const later = (ms: number) => (nowMs += ms)

  const guides = newId()
  const accounts = newId()
  categories.set(guides, { id: guides, name: 'Guides', order: 0, parentId: '' })
  categories.set(accounts, { id: accounts, name: 'Accounts', order: 0, parentId: guides })
  const tagId = newId()
  tags.set(tagId, { id: tagId, name: 'Safety', slug: 'safety', description: '', longDescription: '' })

  function add(article: Partial<StoredArticle>): StoredArticle {
    const id = newId()
    const createdMs = later(10)
    const plain: StoredArticle = {
      id,
      title: 'Untitled',
      slug: id,
      content: '',
      excerpt: '',
      order: 0,
      status: 'draft',
      categoryIds: [guides],
      tagIds: [],
      hideFromSearch: false,
      seoBannerUrl: '',
      reviewDate: '2027-01-01',
      language: null,
      languageParent: '',
      createdMs,
      editedMs: createdMs,
      draftId: '',
    }
    const stored = { ...plain, ...article }
    byId.set(id, stored)
    events.push({ did: 'created', id, slug: stored.slug })
    return stored
  }

  function articleAt(slug: string): StoredArticle {
    const found = [...byId.values()].filter((article) => article.slug === slug)
    const [first] = found
    if (first === undefined || found.length > 1) throw new Error(`${found.length} articles have ${slug}`)
    return first
  }

  function editById(id: string, changes: Partial<StoredArticle>): void {
    const editedMs = later(HOUR_MS)
    byId.set(id, { ...(byId.get(id) as StoredArticle), editedMs, ...changes })
  }

  function dropById(id: string): void {
    events.push({ did: 'deleted', id, slug: byId.get(id)?.slug ?? '' })
    byId.delete(id)
    for (const article of byId.values())
      if (article.languageParent === id) byId.set(article.id, { ...article, languageParent: '' })
  }

  function duplicate(id: string, changes: Partial<StoredArticle> = {}): StoredArticle {
    const { id: _, createdMs: __, editedMs: ___, ...copied } = byId.get(id) as StoredArticle
    later(HOUR_MS)
    return add({ ...copied, draftId: '', ...changes })
  }

  return {
    byId,
    categories,
    tags,
    events,
    later,
    articles: () => [...byId.values()],
    articleAt,
    add,
    edit: (slug, changes) => editById(articleAt(slug).id, changes),
    editById,
    drop: (...slugs) => slugs.forEach((slug) => dropById(articleAt(slug).id)),
    dropById,
    duplicate,
  }
}
