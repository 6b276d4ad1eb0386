// The store as administration uses it, in its own connection, so that requests never wait for it. Errors are KbError
// ITEM_UNKNOWN, ITEM_EXISTS or ITEM_IN_USE.
import type { Creator, Page } from '../store.ts'

export interface SiteOverview {
  readonly id: string
  readonly name: string
  /** The site that the server makes on start. */
  readonly isDefault: boolean
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
  /** null: the limit of the configuration holds. */
  readonly articleLimit: number | null
  readonly articles: number
  readonly users: number
  /** Keys that were not revoked. */
  readonly keys: number
  readonly createdDate: string
}

export interface UserRecord extends Creator {
  readonly id: string
  /** Keys that were not revoked. */
  readonly keys: number
}

export interface KeyRecord {
  /** The first digits of the hash; names the key, and does not open anything. */
  readonly id: string
  readonly label: string
  /** null when the user was removed. */
  readonly username: string | null
  readonly readOnly: boolean
  readonly createdDate: string
  /** null where it was not revoked. */
  readonly revokedAt: string | null
  /** The moment from which on it opens nothing; null for never. */
  readonly expiresAt: string | null
}

export interface LanguageRecord {
  readonly code: string
  readonly isDefault: boolean
  readonly articles: number
  readonly categories: number
  readonly tags: number
}

export interface CheckedLinkRecord {
  readonly id: string
  readonly url: string
  readonly articleId: string
  readonly articleName: string
  readonly articleSlug: string
  /** true until a check fails twice in a row. */
  readonly working: boolean
  /** Whether there is anything to check: nothing can be said of other links, and they work. */
  readonly isCheckable: boolean
  /** Failed checks in a row. */
  readonly failures: number
  /** HTTP status of the last check; null where no answer came, or none was asked for. */
  readonly status: number | null
  /** Why the last check failed or could not be made, or ''. */
  readonly reason: string
  /** null before the first check. */
  readonly checkedDate: string | null
}

interface TaxonText {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Language code, also of the default language. */
  readonly language: string
}

export interface TaxonOverview extends TaxonText {
  readonly description: string
  /** Articles that carry it or one of its translations. */
  readonly articles: number
  readonly translations: readonly TaxonText[]
}

export interface CategoryOverview extends TaxonOverview {
  readonly parentId: string | null
  readonly priority: number
}

export interface NewTaxon {
  readonly name: string
  readonly slug: string
  readonly description: string
  /** The present. */
  readonly now: string
}

export interface NewCategory extends NewTaxon {
  readonly parentId: string | null
  readonly priority: number
}

/** What is undefined keeps its value. */
export interface TaxonEdit {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly description?: string | undefined
  /** The present. */
  readonly now: string
}

export interface CategoryEdit extends TaxonEdit {
  /** null takes the parent away. */
  readonly parentId?: string | null | undefined
  readonly priority?: number | undefined
}

export interface SiteAdmin {
  list(): Promise<readonly SiteOverview[]>
  find(name: string): Promise<SiteOverview>
  add(site: {
    readonly name: string
    readonly languages: readonly string[]
    readonly articleLimit: number | null
    readonly now: string
  }): Promise<SiteOverview>
  rename(name: string, newName: string): Promise<void>
  /** Removes a site with all that is in it. */
  remove(name: string): Promise<void>
  setLimit(siteId: string, articleLimit: number | null): Promise<void>
}

export interface UserAdmin {
  list(siteId: string): Promise<readonly UserRecord[]>
  find(siteId: string, username: string): Promise<UserRecord>
  add(siteId: string, user: Creator): Promise<UserRecord>
  /** Members that are undefined keep their value. */
  update(siteId: string, username: string, change: UserEdit): Promise<UserRecord>
  /** Revokes the user's keys, too. What the user has created stays. */
  remove(siteId: string, username: string, now: string): Promise<void>
}

type UserEdit = { readonly [Member in keyof Creator]?: string | undefined }

export interface KeyAdmin {
  list(siteId: string): Promise<readonly KeyRecord[]>
  find(siteId: string, id: string): Promise<KeyRecord>
  add(key: {
    readonly hash: string
    readonly siteId: string
    readonly userId: string
    readonly label: string
    readonly readOnly: boolean
    /** null, or left out, for never. */
    readonly expiresAt?: string | null
    readonly now: string
  }): Promise<void>
  /** Holds from the next request on. Revoking a revoked key changes nothing. */
  revoke(siteId: string, id: string, now: string): Promise<void>
}

export interface LanguageAdmin {
  list(siteId: string): Promise<readonly LanguageRecord[]>
  add(siteId: string, code: string): Promise<void>
  remove(siteId: string, code: string): Promise<void>
}

interface TaxonAdmin<Overview, New, Edit> {
  list(siteId: string): Promise<readonly Overview[]>
  add(siteId: string, item: New): Promise<string>
  update(siteId: string, id: string, change: Edit): Promise<void>
  /** Takes it, with its translations, from all articles. */
  remove(siteId: string, id: string): Promise<void>
}

export type CategoryAdmin = TaxonAdmin<CategoryOverview, NewCategory, CategoryEdit>
export type TagAdmin = TaxonAdmin<TaxonOverview, NewTaxon, TaxonEdit>

export interface LinkAdmin {
  /** The links of a site after that of the page, in the order of their ids; `broken`: those that do not work. */
  list(siteId: string, page: Page, which: 'all' | 'broken'): Promise<readonly CheckedLinkRecord[]>
}

export interface AdminStore {
  readonly sites: SiteAdmin
  readonly users: UserAdmin
  readonly keys: KeyAdmin
  readonly languages: LanguageAdmin
  readonly categories: CategoryAdmin
  readonly tags: TagAdmin
  readonly links: LinkAdmin
  close(): Promise<void>
}
