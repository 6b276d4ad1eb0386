// The store as the service uses it, without SQL and without names of the API. Times are ISO 8601 in UTC, a missing text
// is '', and `undefined` means that the site has no such item.
export interface ApiKeyRecord {
  readonly siteId: string
  readonly userId: string | null
  readonly readOnly: boolean
}

export interface StoredKey extends ApiKeyRecord {
  /** Null for a key that does not expire. */
  readonly expiresAt: string | null
}

/** Personal data. Leaves the server only in the `users_…` objects of the API. */
export interface Creator {
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email_address: string
}

export interface StoredArticle {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly excerpt: string
  readonly content: string
  readonly order: number
  readonly status: 'draft' | 'published'
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  readonly reviewDate: string
  readonly language: string | null
  readonly languageParent: string | null
  readonly articleParent: string
  readonly createdDate: string
  readonly editedDate: string
  /** Id of the draft of a published article, or ''. */
  readonly draftId: string
  readonly categories: readonly ItemRelation[]
  readonly tags: readonly ItemRelation[]
}

/** One category or tag of an article. */
export interface ItemRelation {
  readonly id: string
  readonly itemId: string
  readonly itemName: string
}

/** The written fields of an article. In a create, undefined means the default; in an update, no change. */
export interface ArticleInput {
  readonly title: string
  readonly slug: string
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[] | undefined
  readonly excerpt: string
  readonly order: number
  readonly status: 'draft' | 'published'
  readonly content: string
  readonly hideFromSearch: boolean | undefined
  readonly seoBannerUrl: string | undefined
  /** null if there is none. */
  readonly reviewDate: string | null | undefined
  /** Language code. */
  readonly language: string | undefined
  /** Id of the original; null if there is none. */
  readonly languageParent: string | null | undefined
  /** Other slugs that lead to it, in its language. */
  readonly aliases?: readonly string[] | undefined
  /** Of a create that may be repeated: its key, unique to the writing user, and the digest of the request. */
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined
  /** The writing user; a create stores it as the creator. */
  readonly writtenBy: string | null
  /** The current time. */
  readonly now: string
}

/** The reason why an article cannot be written. */
export type ArticleRefusal =
  | { readonly kind: 'slug-taken'; readonly by: string }
  | { readonly kind: 'unknown-item'; readonly list: 'categories' | 'tags'; readonly index: number }
  | UnknownLanguage
  | { readonly kind: 'unknown-language-parent' }
  /** Its language parent is itself a translation. */
  | { readonly kind: 'parent-is-translation'; readonly originalId: string }
  /** Its language parent is a draft of a published article. */
  | { readonly kind: 'parent-is-draft'; readonly publishedId: string }
  | { readonly kind: 'own-language-parent' }
  /** It has translations, so it cannot become a translation. */
  | { readonly kind: 'has-translations' }
  | { readonly kind: 'language-of-original' }
  | { readonly kind: 'translation-exists'; readonly language: string; readonly by: string }

export type CreateOutcome =
  | { readonly kind: 'created'; readonly id: string }
  /** The key has created this article before. */
  | { readonly kind: 'repeated'; readonly id: string }
  /** The key has created another article. */
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'limit-reached'; readonly limit: number }
  | ArticleRefusal

export type UpdateArticleOutcome =
  | { readonly kind: 'updated' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unexpected' }
  | ArticleRefusal

export type DeleteArticleOutcome =
  | { readonly kind: 'deleted'; readonly name: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unexpected' }

/**
 * Tests the present article, with an empty content, in the transaction of a write. If it is not the expected version,
 * nothing is written, and the outcome is `unexpected`.
 */
export type IsExpected = (present: StoredArticle) => boolean

export interface UnknownLanguage {
  readonly kind: 'unknown-language'
  /** Enabled codes. */
  readonly languages: readonly string[]
}

/** The result of a read; `isCopy` if the item does not exist in the requested language and this is its original. */
export type ReadOutcome<Record> =
  | { readonly kind: 'found'; readonly record: Record; readonly isCopy: boolean }
  | { readonly kind: 'unknown' }
  | UnknownLanguage

export interface CategoryRecord {
  readonly id: string
  readonly name: string
  readonly order: number
  readonly parentName: string
  readonly translations: readonly string[]
  /** The article that was added to the category last. */
  readonly latest: { readonly id: string; readonly addedDate: string } | undefined
  readonly creator: Creator
}

/** The changes of a category or tag; undefined means no change. */
export interface TaxonChange {
  readonly name: string
  readonly slug: string
  readonly description: string | undefined
  readonly longDescription: string | undefined
  readonly language: string
  readonly editedBy: string | null
  /** The current time. */
  readonly now: string
}

export interface CategoryChange extends TaxonChange {
  readonly priority: number
  /** null removes the parent. */
  readonly parentId: string | null | undefined
  readonly thumbnailUrl: string | undefined
  readonly iconUrl: string | undefined
}

export type UpdateOutcome =
  | { readonly kind: 'updated' }
  | { readonly kind: 'unknown' }
  | UnknownLanguage
  | { readonly kind: 'unknown-parent' }
  | { readonly kind: 'own-ancestor' }
  | { readonly kind: 'slug-taken'; readonly by: string }

export interface TagRecord {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
  readonly language: string | null
  readonly languageParent: string | null
}

export interface ReviewDateRecord extends Pick<
  StoredArticle,
  'id' | 'name' | 'status' | 'reviewDate' | 'language'
> {
  readonly creator: Creator
}

export interface StoredLinkRecord {
  /** Its position in lists. */
  readonly number: number
  readonly id: string
  readonly articleId: string
  readonly articleName: string
  readonly url: string
  readonly createdDate: string
  /** True until a check fails twice in a row. */
  readonly working: boolean
}

/** A page of a list: the entries after this key, '' for the start. */
export interface Page {
  readonly after: string
  readonly limit: number
}

/** A page of a list sorted by date, then id: the entries after this one. */
export interface DatedPage {
  readonly after: { readonly date: string; readonly id: string }
  readonly limit: number
}

/** The last change of an article, without its content. */
export type NotedChange =
  | { readonly kind: 'deleted'; readonly id: string; readonly revision: number }
  | {
      readonly kind: 'changed'
      readonly id: string
      readonly revision: number
      /** With an empty content. */
      readonly article: StoredArticle
      /** SHA-256 of its content, in hex. */
      readonly contentDigest: string
      /** The last HTML comment in its content, or ''. */
      readonly contentComment: string
    }

/** A page of changes, in the order of their revisions, then ids. */
export interface ChangePage {
  readonly after: { readonly revision: number; readonly id: string }
  /** Deletions up to this revision are omitted. */
  readonly deletedAfter: number
  readonly limit: number
}
