// The store as the service uses it, without SQL and without names of the API. Times are ISO 8601 in UTC, a missing text
// is '', and `undefined` means that the site has no such item.
import type { LinkCheckStore } from './link-check-data.ts'
import type { ReaderStore } from './reader-data.ts'
import type { Seed, SeededIds } from './seed-data.ts'

export interface ApiKeyRecord {
  readonly siteId: string
  readonly userId: string | null
  readonly readOnly: boolean
}

/** Personal data: leaves the server only inside the `users_…` objects of the interface. */
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
  /** Id of the draft beside a published article, or ''. */
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

/** A link or image in an article's HTML. */
export interface ContentLink {
  readonly url: string
  /** What is checked for it; '' where nothing can be. */
  readonly target: string
}

/** What is written of an article. In a create, what is undefined gets its default; in an update, it keeps its value. */
export interface ArticleDraft {
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
  /** null for none. */
  readonly reviewDate: string | null | undefined
  /** Language code. */
  readonly language: string | undefined
  /** Id of the original; null for none. */
  readonly languageParent: string | null | undefined
  readonly links: readonly ContentLink[]
  /** Who writes; kept as the creator by a create. */
  readonly writtenBy: string | null
  /** The present. */
  readonly now: string
}

/** Why the words of an article do not fit the knowledge base. */
export type ArticleRefusal =
  | { readonly kind: 'slug-taken'; readonly by: string }
  | { readonly kind: 'unknown-item'; readonly list: 'categories' | 'tags'; readonly index: number }
  | UnknownLanguage
  | { readonly kind: 'unknown-language-parent' }
  /** Its language parent is itself a translation. */
  | { readonly kind: 'parent-is-translation'; readonly originalId: string }
  /** Its language parent is a draft beside a published article. */
  | { readonly kind: 'parent-is-draft'; readonly publishedId: string }
  | { readonly kind: 'own-language-parent' }
  /** It is the original of other articles, so it cannot become a translation. */
  | { readonly kind: 'has-translations' }
  | { readonly kind: 'language-of-original' }
  | { readonly kind: 'translation-exists'; readonly language: string; readonly by: string }

export type CreateOutcome =
  | { readonly kind: 'created'; readonly id: string }
  | { readonly kind: 'limit-reached'; readonly limit: number }
  | ArticleRefusal

export type UpdateArticleOutcome =
  | { readonly kind: 'updated' }
  | { readonly kind: 'unknown' }
  | ArticleRefusal

export interface UnknownLanguage {
  readonly kind: 'unknown-language'
  /** Codes of the enabled ones. */
  readonly languages: readonly string[]
}

/** What a read finds; `isCopy` where the item does not exist in the language asked for and its original stands in. */
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
  /** The latest article in the category. */
  readonly latest: { readonly id: string; readonly addedDate: string } | undefined
  readonly creator: Creator
}

/** What an update may change of a category or tag; what is undefined keeps its value. */
export interface TaxonChange {
  readonly name: string
  readonly slug: string
  readonly description: string | undefined
  readonly longDescription: string | undefined
  readonly language: string
  readonly editedBy: string | null
  /** The present. */
  readonly now: string
}

export interface CategoryChange extends TaxonChange {
  readonly priority: number
  /** null takes the parent away. */
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

export interface ReviewDateRecord {
  readonly id: string
  readonly name: string
  readonly status: 'draft' | 'published'
  readonly reviewDate: string
  readonly language: string | null
  readonly creator: Creator
}

export interface StoredLinkRecord {
  readonly id: string
  readonly articleId: string
  readonly articleName: string
  readonly url: string
  readonly createdDate: string
  readonly working: boolean
}

/** A piece of a list: entries that come after the entry with this key, '' for the start. */
export interface Page {
  readonly after: string
  readonly limit: number
}

/** A piece of a list that is sorted by date, then id: entries that come after this one. */
export interface DatedPage {
  readonly after: { readonly date: string; readonly id: string }
  readonly limit: number
}

interface SiteSettings {
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
  readonly articleLimit: number
}

/** All methods may throw what the database throws; refusals that a caller can cause are outcomes. */
export interface Store extends LinkCheckStore, ReaderStore {
  /** The site that keys from outside and unscoped commands work on. */
  readonly defaultSiteId: string
  /** The record of a key that was not revoked and has not expired. */
  findApiKey(hash: string, now: string): Promise<ApiKeyRecord | undefined>
  siteSettings(siteId: string): Promise<SiteSettings>
  /**
   * @param language code of the requested translation; undefined for the article itself
   * @param largeBytes larger content is not read: the outcome is `large`
   */
  readArticle(
    siteId: string,
    id: string,
    language?: string,
    largeBytes?: number,
  ): Promise<ReadOutcome<StoredArticle> | { readonly kind: 'large' }>
  createArticle(siteId: string, article: ArticleDraft): Promise<CreateOutcome>
  /** Changes an article in place: its id, its creation and its translations stay. */
  updateArticle(siteId: string, id: string, article: ArticleDraft): Promise<UpdateArticleOutcome>
  /** The name of the deleted article. */
  deleteArticle(siteId: string, id: string): Promise<string | undefined>
  listCategories(siteId: string, page: Page): Promise<readonly CategoryRecord[]>
  updateCategory(siteId: string, id: string, change: CategoryChange): Promise<UpdateOutcome>
  /** Oldest date first; articles without one are left out. */
  listReviewDates(siteId: string, page: DatedPage): Promise<readonly ReviewDateRecord[]>
  listLinks(siteId: string, page: Page): Promise<readonly StoredLinkRecord[]>
  /** @param language code of the translation that is wanted; undefined for the tag itself */
  readTag(siteId: string, id: string, language?: string): Promise<ReadOutcome<TagRecord>>
  updateTag(siteId: string, id: string, change: TaxonChange): Promise<UpdateOutcome>
  /** Creates the categories and tags that are missing and changes none that exists. */
  seed(siteId: string, seed: Seed, now: string): Promise<SeededIds>
  /** Differs from its last value when anything was committed since, by whichever process; costs next to nothing. */
  changeMark(): number
  /** Writes something that changes nothing. @throws where articles could not be written now */
  assertWritable(): Promise<void>
  /** Rises with every transaction that changed anything, results of link checks aside. */
  revision(): Promise<number>
  /** How often this process has raised the revision: what it rose beyond that was others' doing. */
  ownRevisions(): number
  close(): Promise<void>
}
