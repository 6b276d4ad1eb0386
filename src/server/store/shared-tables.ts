// The tables of both databases: as columns if each database adds its own indexes, otherwise as a whole. They are part
// of released migrations, so they never change either. Words in capitals are replaced for each database.

type Spelling = Readonly<Record<'TEXT' | 'REAL' | 'BIG' | 'BLOB' | 'KEYED', string>>

const OF_SITE = 'site_id TEXT not null references sites (id) on delete cascade'
const OF_ARTICLE = 'article_id TEXT not null references articles (id) on delete cascade'

const languageIn = (table: string) => `
    language TEXT not null,
    language_parent TEXT references ${table} (id) on delete set null,`

const DATES = `
    created_by TEXT references users (id) on delete set null,
    created_date TEXT not null,
    last_edited_date TEXT not null`

const redirects = (kind: 'article' | 'category' | 'tag', table: string) => `
  create table ${kind}_redirects (
    ${OF_SITE},
    slug TEXT not null,
    language TEXT not null,
    ${kind}_id TEXT not null references ${table} (id) on delete cascade,
    declared integer not null,
    created_date TEXT not null,
    hits BIG not null default 0,
    last_hit_date TEXT,
    primary key (site_id, slug, language)
  ) KEYED;
  create index ${kind}_redirects_${kind} on ${kind}_redirects (${kind}_id);`

const COLUMNS = {
  wordBlocks: `
    ${OF_SITE},
    language TEXT not null,
    status TEXT not null,
    block BIG not null,
    unique (site_id, language, status, block)`,
  users: `
    id TEXT primary key,
    ${OF_SITE},
    username TEXT not null,
    first_name TEXT not null,
    last_name TEXT not null,
    email_address TEXT not null`,
  apiKeys: `
    hash TEXT primary key,
    ${OF_SITE},
    user_id TEXT references users (id) on delete set null,
    label TEXT not null,
    read_only integer not null,
    created_date TEXT not null,
    revoked_at TEXT`,
  revokedKeys: `hash TEXT primary key, revoked_at TEXT not null`,
  languages: `
    ${OF_SITE},
    code TEXT not null,
    position integer not null,
    primary key (site_id, code)`,
  categories: `
    id TEXT primary key,
    ${OF_SITE},
    name TEXT not null,
    slug TEXT not null,
    order_by REAL not null default 0,
    parent_id TEXT references categories (id) on delete set null,
    description TEXT not null,
    long_description TEXT not null,
    thumbnail_url TEXT not null default '',
    icon_url TEXT not null default '',${languageIn('categories')}${DATES}`,
  tags: `
    id TEXT primary key,
    ${OF_SITE},
    name TEXT not null,
    slug TEXT not null,
    description TEXT not null,
    long_description TEXT not null,${languageIn('tags')}${DATES}`,
  articles: `
    id TEXT primary key,
    ${OF_SITE},
    name TEXT not null,
    slug TEXT not null,
    excerpt TEXT not null,
    order_by REAL not null,
    status TEXT not null check (status in ('draft', 'published')),
    hide_from_search integer not null,
    seo_banner_url TEXT not null,
    review_date TEXT,${languageIn('articles')}
    article_parent TEXT references articles (id) on delete set null,${DATES},
    content TEXT not null`,
  articleCategories: `
    id TEXT primary key,
    site_id TEXT not null,
    ${OF_ARTICLE},
    category_id TEXT not null references categories (id) on delete cascade,
    added_date TEXT not null`,
  articleTags: `
    id TEXT primary key,
    site_id TEXT not null,
    ${OF_ARTICLE},
    tag_id TEXT not null references tags (id) on delete cascade`,
  articleWords: `
    ${OF_ARTICLE.replace('not null', 'not null unique')},
    site_id TEXT not null,
    language TEXT not null,
    status TEXT not null`,
}

const TABLES = {
  /** Slugs that redirect to an article: those that it had while it was published, and those that its file declares. */
  articleRedirects: redirects('article', 'articles'),
  /** Articles whose words are not in the index, or out of date there. */
  unindexedArticles: `
    create table unindexed_articles (
      article_id TEXT primary key references articles (id) on delete cascade,
      site_id TEXT not null
    ) KEYED;
    create index unindexed_articles_site on unindexed_articles (site_id, article_id);
    insert into unindexed_articles select id, site_id from articles;`,
  /** Files of articles, in chunks, and their uses. */
  files: `
    create table files (
      id TEXT primary key,
      ${OF_SITE},
      name TEXT not null,
      size BIG not null,
      width integer,
      height integer,
      created_date TEXT not null,
      used_date TEXT not null,
      is_stored integer not null
    ) KEYED;
    create unique index files_name on files (name, site_id) where is_stored = 1;
    create index files_site on files (site_id, size);
    create index files_used on files (used_date);

    create table file_chunks (
      file_id TEXT not null references files (id) on delete cascade,
      position integer not null,
      data BLOB not null
    );
    create unique index file_chunks_position on file_chunks (file_id, position);

    create table file_uses (
      ${OF_SITE},
      name TEXT not null,
      article_id TEXT references articles (id) on delete cascade,
      category_id TEXT references categories (id) on delete cascade,
      tag_id TEXT references tags (id) on delete cascade
    );
    create index file_uses_name on file_uses (site_id, name);
    create index file_uses_article on file_uses (article_id) where article_id is not null;
    create index file_uses_category on file_uses (category_id) where category_id is not null;
    create index file_uses_tag on file_uses (tag_id) where tag_id is not null;`,
  /**
   * The revision of the last change of each article, and of deletions. Triggers record every change, regardless of the
   * statement, foreign key or version of the program that makes it; on SQLite, a create once it is marked as unindexed.
   */
  articleChanges: `
    create table article_changes (
      article_id TEXT primary key,
      ${OF_SITE},
      revision BIG not null,
      deleted_date TEXT
    ) KEYED;
    create unique index article_changes_page on article_changes (site_id, revision, article_id);
    create index article_changes_deleted on article_changes (site_id, deleted_date)
      where deleted_date is not null;`,
  /** The files of articles, for edit links. */
  articleSources: `
    create table article_sources (
      article_id TEXT primary key references articles (id) on delete cascade,
      path TEXT not null
    ) KEYED;`,
  /** The hosts that a link checker requests, or that are paused, until a date. */
  linkHosts: `
    create table link_hosts (
      ${OF_SITE},
      host TEXT not null,
      free_from TEXT not null,
      primary key (site_id, host)
    ) KEYED;`,
  /** Sessions of people who have signed in, and numbers of attempts in a window. */
  sessions: `
    create table sessions (
      hash TEXT primary key,
      ${OF_SITE},
      name TEXT not null,
      ends_date TEXT not null
    ) KEYED;
    create index sessions_ends on sessions (ends_date);
    create index sessions_site on sessions (site_id);

    create table quotas (
      key TEXT primary key,
      taken BIG not null,
      ends_date TEXT not null
    ) KEYED;
    create index quotas_ends on quotas (ends_date);`,
  /** What a key of the extension `idempotency` has created: the digest of the request, and the article. */
  idempotencyKeys: `
    create table idempotency_keys (
      ${OF_SITE},
      user_id TEXT not null,
      key TEXT not null,
      digest TEXT not null,
      ${OF_ARTICLE},
      created_date TEXT not null,
      primary key (site_id, user_id, key)
    ) KEYED;
    create index idempotency_keys_article on idempotency_keys (article_id);
    create index idempotency_keys_date on idempotency_keys (site_id, created_date);`,
  /**
   * The articles of a block that have a word, and its weight in them: see posting-store.ts. Without `is_posted`, the
   * words of an article are not included yet; removed words are still to be deleted.
   */
  wordPostings: `
    alter table article_words add column is_posted integer not null default 0;
    create index article_words_unposted on article_words (site_id) where is_posted = 0;
    create table word_postings (
      block_id BIG not null references word_blocks (id) on delete cascade,
      stem TEXT not null,
      postings TEXT not null,
      primary key (block_id, stem)
    ) KEYED;
    create table word_stems (stem TEXT primary key) KEYED;
    create table removed_words (
      number BIG primary key,
      ${OF_SITE},
      language TEXT not null,
      status TEXT not null,
      entries TEXT not null
    ) KEYED;
    create index removed_words_site on removed_words (site_id, language);`,
  /** Slugs that redirect to a category or a tag, like those of articles. */
  taxonRedirects: redirects('category', 'categories') + redirects('tag', 'tags'),
  /** The revision up to which the links of a site are derived. */
  linkedRevision: `
    alter table sites add column linked_revision BIG not null default 0;`,
}

/** @param spelling the names of a database's types, and the end of its tables of keys */
export function sharedTables(spelling: Spelling) {
  const spell = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
    Object.fromEntries(
      Object.entries<string>(texts).map(([name, ddl]) => [
        name,
        ddl.replaceAll(/\b(?:TEXT|REAL|BIG|BLOB|KEYED)\b/g, (word) => spelling[word as keyof Spelling]),
      ]),
    ) as Record<Name, string>
  return { columns: spell(COLUMNS), ...spell(TABLES) }
}
