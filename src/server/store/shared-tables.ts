/** How a database spells types, and what its tables of keys end with. */
interface ColumnTypes {
  readonly text: string
  readonly real: string
  readonly big: string
  readonly blob: string
  readonly keyed: '' | 'without rowid'
}

/**
 * The tables that both databases have: columns of those that each of them indexes in its own way, and others as a whole.
 * They are part of released migrations, so they never change either.
 */
export function sharedTables({ text, real, big, blob, keyed }: ColumnTypes) {
  const ofSite = `site_id ${text} not null references sites (id) on delete cascade`
  const ofArticle = `article_id ${text} not null references articles (id) on delete cascade`
  const item = (table: string) => `
    language ${text} not null,
    language_parent ${text} references ${table} (id) on delete set null,`
  const dates = `
    created_by ${text} references users (id) on delete set null,
    created_date ${text} not null,
    last_edited_date ${text} not null`
  const redirects = (kind: 'article' | 'category' | 'tag', table: string) => `
    create table ${kind}_redirects (
      ${ofSite},
      slug ${text} not null,
      language ${text} not null,
      ${kind}_id ${text} not null references ${table} (id) on delete cascade,
      declared integer not null,
      created_date ${text} not null,
      hits ${big} not null default 0,
      last_hit_date ${text},
      primary key (site_id, slug, language)
    ) ${keyed};
    create index ${kind}_redirects_${kind} on ${kind}_redirects (${kind}_id);`
  return {
    columns: {
      users: `
        id ${text} primary key,
        ${ofSite},
        username ${text} not null,
        first_name ${text} not null,
        last_name ${text} not null,
        email_address ${text} not null`,
      apiKeys: `
        hash ${text} primary key,
        ${ofSite},
        user_id ${text} references users (id) on delete set null,
        label ${text} not null,
        read_only integer not null,
        created_date ${text} not null,
        revoked_at ${text}`,
      revokedKeys: `hash ${text} primary key, revoked_at ${text} not null`,
      languages: `
        ${ofSite},
        code ${text} not null,
        position integer not null,
        primary key (site_id, code)`,
      categories: `
        id ${text} primary key,
        ${ofSite},
        name ${text} not null,
        slug ${text} not null,
        order_by ${real} not null default 0,
        parent_id ${text} references categories (id) on delete set null,
        description ${text} not null,
        long_description ${text} not null,
        thumbnail_url ${text} not null default '',
        icon_url ${text} not null default '',${item('categories')}${dates}`,
      tags: `
        id ${text} primary key,
        ${ofSite},
        name ${text} not null,
        slug ${text} not null,
        description ${text} not null,
        long_description ${text} not null,${item('tags')}${dates}`,
      articles: `
        id ${text} primary key,
        ${ofSite},
        name ${text} not null,
        slug ${text} not null,
        excerpt ${text} not null,
        order_by ${real} not null,
        status ${text} not null check (status in ('draft', 'published')),
        hide_from_search integer not null,
        seo_banner_url ${text} not null,
        review_date ${text},${item('articles')}
        article_parent ${text} references articles (id) on delete set null,${dates},
        content ${text} not null`,
      articleCategories: `
        id ${text} primary key,
        site_id ${text} not null,
        ${ofArticle},
        category_id ${text} not null references categories (id) on delete cascade,
        added_date ${text} not null`,
      articleTags: `
        id ${text} primary key,
        site_id ${text} not null,
        ${ofArticle},
        tag_id ${text} not null references tags (id) on delete cascade`,
      articleWords: `
        ${ofArticle.replace('not null', 'not null unique')},
        site_id ${text} not null,
        language ${text} not null,
        status ${text} not null`,
    },
    /** Slugs that lead to an article: those that it had while it was published, and those that its file declares. */
    articleRedirects: redirects('article', 'articles'),
    /** The articles whose words are not in the index, or no longer those of the article. */
    unindexedArticles: `
      create table unindexed_articles (
        article_id ${text} primary key references articles (id) on delete cascade,
        site_id ${text} not null
      ) ${keyed};
      create index unindexed_articles_site on unindexed_articles (site_id, article_id);
      insert into unindexed_articles select id, site_id from articles;`,
    /** Files of articles, in chunks, and what uses them. */
    files: `
      create table files (
        id ${text} primary key,
        ${ofSite},
        name ${text} not null,
        size ${big} not null,
        width integer,
        height integer,
        created_date ${text} not null,
        used_date ${text} not null,
        is_stored integer not null
      ) ${keyed};
      create unique index files_name on files (name, site_id) where is_stored = 1;
      create index files_site on files (site_id, size);
      create index files_used on files (used_date);

      create table file_chunks (
        file_id ${text} not null references files (id) on delete cascade,
        position integer not null,
        data ${blob} not null
      );
      create unique index file_chunks_position on file_chunks (file_id, position);

      create table file_uses (
        ${ofSite},
        name ${text} not null,
        article_id ${text} references articles (id) on delete cascade,
        category_id ${text} references categories (id) on delete cascade,
        tag_id ${text} references tags (id) on delete cascade
      );
      create index file_uses_name on file_uses (site_id, name);
      create index file_uses_article on file_uses (article_id) where article_id is not null;
      create index file_uses_category on file_uses (category_id) where category_id is not null;
      create index file_uses_tag on file_uses (tag_id) where tag_id is not null;`,
    /**
     * The revision that last changed each article, and those that were deleted. Triggers note every change, whichever
     * statement, foreign key or version of the program makes it.
     */
    articleChanges: `
      create table article_changes (
        article_id ${text} primary key,
        ${ofSite},
        revision ${big} not null,
        deleted_date ${text}
      ) ${keyed};
      create unique index article_changes_page on article_changes (site_id, revision, article_id);
      create index article_changes_deleted on article_changes (site_id, deleted_date)
        where deleted_date is not null;`,
    /** The files of articles, for a link to edit them. */
    articleSources: `
      create table article_sources (
        article_id ${text} primary key references articles (id) on delete cascade,
        path ${text} not null
      ) ${keyed};`,
    /** The hosts that a link checker requests, or leaves in peace, until a date. */
    linkHosts: `
      create table link_hosts (
        ${ofSite},
        host ${text} not null,
        free_from ${text} not null,
        primary key (site_id, host)
      ) ${keyed};`,
    /** Sessions of people who have signed in, and how often something was tried in a window that ends. */
    sessions: `
      create table sessions (
        hash ${text} primary key,
        ${ofSite},
        name ${text} not null,
        ends_date ${text} not null
      ) ${keyed};
      create index sessions_ends on sessions (ends_date);
      create index sessions_site on sessions (site_id);

      create table quotas (
        key ${text} primary key,
        taken ${big} not null,
        ends_date ${text} not null
      ) ${keyed};
      create index quotas_ends on quotas (ends_date);`,
    /** What a key of the extension "idempotency" has created: the digest of the request, and the article. */
    idempotencyKeys: `
      create table idempotency_keys (
        ${ofSite},
        user_id ${text} not null,
        key ${text} not null,
        digest ${text} not null,
        ${ofArticle},
        created_date ${text} not null,
        primary key (site_id, user_id, key)
      ) ${keyed};
      create index idempotency_keys_article on idempotency_keys (article_id);
      create index idempotency_keys_date on idempotency_keys (site_id, created_date);`,
    /** Slugs that lead to a category or a tag, as those that lead to an article. */
    taxonRedirects: redirects('category', 'categories') + redirects('tag', 'tags'),
  }
}
