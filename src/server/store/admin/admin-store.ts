// The store for administration. It has its own connection, so that requests never wait for it. Errors are KbError
// ITEM_UNKNOWN, ITEM_EXISTS or ITEM_IN_USE.
import type { LinkPage } from '../link-check-data.ts'
import type { Creator, StoredLinkRecord } from '../store.ts'

export interface SiteOverview {
  readonly id: string
  readonly name: string
  /** The site that the server creates on start. */
  readonly isDefault: boolean
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
  /** null: the limit of the configuration applies. */
  readonly articleLimit: number | null
  readonly articles: number
  readonly users: number
  readonly keys: number
  readonly createdDate: string
}

export interface UserRecord extends Creator {
  readonly id: string
  readonly keys: number
}

export interface KeyRecord {
  /** The first digits of the hash. They identify the key, but give no access. */
  readonly id: string
  readonly label: string
  /** null if the user was removed. */
  readonly username: string | null
  readonly readOnly: boolean
  readonly createdDate: string
  readonly revokedAt: string | null
  /** Expiry time; null for never. */
  readonly expiresAt: string | null
}

export interface LanguageRecord {
  readonly code: string
  readonly isDefault: boolean
  readonly articles: number
  readonly categories: number
  readonly tags: number
}

export interface CheckedLinkRecord extends Omit<StoredLinkRecord, 'createdDate'> {
  readonly articleSlug: string
  /** True if it can be checked. Other links count as working. */
  readonly isCheckable: boolean
  /** Number of failed checks in a row. */
  readonly failures: number
  /** HTTP status of the last check; null without a response or a request. */
  readonly status: number | null
  /** The reason why the last check failed or could not be made, or ''. */
  readonly reason: string
  /** null before the first check. */
  readonly checkedDate: string | null
}

interface TaxonText {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Language code, also for the default language. */
  readonly language: string
}

export interface TaxonOverview extends TaxonText {
  readonly description: string
  /** Number of articles that have it or one of its translations. */
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
  /** The current time. */
  readonly now: string
}

export interface NewCategory extends NewTaxon {
  readonly parentId: string | null
  readonly priority: number
}

/** Undefined members are not changed. */
export interface TaxonEdit {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly description?: string | undefined
  /** The current time. */
  readonly now: string
}

export interface CategoryEdit extends TaxonEdit {
  /** null removes the parent. */
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
  /** Removes a site with its contents. */
  remove(name: string): Promise<void>
  setLimit(siteId: string, articleLimit: number | null): Promise<void>
}

export interface UserAdmin {
  list(siteId: string): Promise<readonly UserRecord[]>
  find(siteId: string, username: string): Promise<UserRecord>
  add(siteId: string, user: Creator): Promise<UserRecord>
  /** Undefined members are not changed. */
  update(siteId: string, username: string, change: UserEdit): Promise<UserRecord>
  /** Revokes the user's keys, too. Items created by the user stay. */
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
    /** null or undefined for never. */
    readonly expiresAt?: string | null
    readonly now: string
  }): Promise<void>
  /** Takes effect with the next request. Revoking a revoked key changes nothing. */
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
  /** Removes it, with its translations, from all articles. */
  remove(siteId: string, id: string): Promise<void>
}

export type CategoryAdmin = TaxonAdmin<CategoryOverview, NewCategory, CategoryEdit>
export type TagAdmin = TaxonAdmin<TaxonOverview, NewTaxon, TaxonEdit>

export interface LinkAdmin {
  /** The links of a site after the page's number, in the order of their numbers; `broken`: only broken ones. */
  list(siteId: string, page: LinkPage, which: 'all' | 'broken'): Promise<readonly CheckedLinkRecord[]>
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
