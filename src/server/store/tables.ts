import type { Generated } from 'kysely'

// The tables for kysely. Booleans are 0 and 1 and times are ISO 8601 text, so that both dialects store the same values.
// The language of an item in the default language is '', since unique indexes ignore nulls.

/** Tables with the current activity of servers. They are neither restored nor among the `COPIED_TABLES`. */
export const CURRENT_TABLES: readonly (keyof Tables)[] = ['sessions', 'quotas', 'link_hosts']

export interface Tables {
  /** Only in SQLite. */
  meta: { id: number; revision: number; changes_since: Generated<number> }
  sites: {
    id: string
    name: string
    article_limit: number | null
    article_count: number
    /** Only in PostgreSQL; SQLite has one for all sites. */
    revision: Generated<number>
    /** Only in PostgreSQL, too: deletions up to this revision are no longer known. */
    changes_since: Generated<number>
    /** In PostgreSQL only: the names of the last transactions, see `SiteWrites`. */
    recent_writes: Generated<string>
    /** The links of articles that changed later are not derived yet, see link-store.ts. */
    linked_revision: Generated<number>
    created_date: string
  }
  users: {
    id: string
    site_id: string
    username: string
    first_name: string
    last_name: string
    email_address: string
  }
  api_keys: {
    hash: string
    site_id: string
    user_id: string | null
    label: string
    read_only: number
    created_date: string
    revoked_at: string | null
    expires_at: string | null
  }
  /** Remains after the key's row is deleted. */
  revoked_keys: { hash: string; revoked_at: string }
  languages: { site_id: string; code: string; position: number }
  categories: TaxonTable & {
    order_by: number
    parent_id: string | null
    thumbnail_url: string
    icon_url: string
  }
  tags: TaxonTable
  articles: ItemTable & {
    excerpt: string
    content: string
    order_by: number
    status: 'draft' | 'published'
    hide_from_search: number
    seo_banner_url: string
    review_date: string | null
    article_parent: string | null
    content_digest: string | null
    content_comment: string | null
    /** Date of the edit for which digest and comment were computed. After another edit, they are out of date. */
    digest_date: string | null
  }
  article_categories: {
    id: string
    site_id: string
    article_id: string
    category_id: string
    added_date: string
  }
  article_tags: { id: string; site_id: string; article_id: string; tag_id: string }
  article_redirects: RedirectTable & { article_id: string }
  category_redirects: RedirectTable & { category_id: string }
  tag_redirects: RedirectTable & { tag_id: string }
  article_sources: { article_id: string; path: string }
  /** Articles created with idempotency keys; `user_id` is '' for a key of the server that is not stored. */
  idempotency_keys: {
    site_id: string
    user_id: string
    key: string
    digest: string
    article_id: string
    created_date: string
  }
  /** Written only by triggers. */
  article_changes: {
    article_id: string
    site_id: string
    revision: number
    /** null unless the article was deleted. */
    deleted_date: string | null
  }
  /** Sessions of people who have signed in on the pages. `hash` is that of the token in the browser. */
  sessions: { hash: string; site_id: string; name: string; ends_date: string }
  /** Numbers of attempts in a window; see shared-limit.ts. */
  quotas: { key: string; taken: number; ends_date: string }
  links: {
    /** The order of creation, which lists and indexes use; only the API shows the id. */
    number: Generated<number>
    id: string
    site_id: string
    article_id: string
    /** null if there is nothing to check. */
    target_id: number | null
    url: string
    created_date: string
  }
  unindexed_articles: { article_id: string; site_id: string }
  article_words: {
    number: Generated<number>
    article_id: string
    site_id: string
    language: string
    status: string
    /** The words of an article as the search stores them; a tsvector in PostgreSQL. */
    entries: string
    /** 1 if they are in `word_postings`. */
    is_posted: Generated<number>
  }
  word_blocks: { id: Generated<number>; site_id: string; language: string; status: string; block: number }
  word_postings: { block_id: number; stem: string; postings: string }
  /** All stems that any article has, or had. */
  word_stems: { stem: string }
  removed_words: { number: number; site_id: string; language: string; status: string; entries: string }
  /** A target that links of a site share, and the result of its last check. */
  link_targets: {
    id: Generated<number>
    site_id: string
    target: string
    working: Generated<number>
    /** Number of failed checks in a row. */
    failures: Generated<number>
    /** HTTP status of the last check; null without a response. */
    status: number | null
    /** The reason why the last check failed, or ''. */
    reason: Generated<string>
    checked_date: string | null
    /** null until a link checker schedules it. */
    next_check_date: string | null
  }
  /** The hosts that a link checker requests, or that are paused, until `free_from`. */
  link_hosts: { site_id: string; host: string; free_from: string }
  /** A file that articles may use. Its bytes are in chunks, so that no statement reads or writes all of them. */
  files: {
    id: string
    site_id: string
    /** The SHA-256 of the bytes that were sent, and the type. */
    name: string
    size: number
    width: number | null
    height: number | null
    created_date: string
    /** The last time when it was uploaded, announced, or no longer used by an article. */
    used_date: string
    /** 0 during upload and removal. */
    is_stored: number
  }
  file_chunks: { file_id: string; position: number; data: Uint8Array }
  /** A use of a file, which need not exist. One of the three ids is set. */
  file_uses: {
    site_id: string
    name: string
    article_id: string | null
    category_id: string | null
    tag_id: string | null
  }
}

interface ItemTable {
  id: string
  site_id: string
  name: string
  slug: string
  language: string
  language_parent: string | null
  created_by: string | null
  created_date: string
  last_edited_date: string
}

interface TaxonTable extends ItemTable {
  description: string
  long_description: string
}

/** A slug that redirects to an article, a category or a tag, unless an item that readers see has it. */
interface RedirectTable {
  site_id: string
  slug: string
  language: string
  /** 1 if the article's file declares it, 0 if the item had it earlier. */
  declared: number
  created_date: string
  hits: Generated<number>
  last_hit_date: string | null
}
