import type Libsql from 'libsql'
import { PROGRESS_TABLE } from '../copy/copy-database.ts'
import { sharedTables } from '../shared-tables.ts'
import { foreignDatabase, newerDatabase, unfinishedCopy } from '../database-errors.ts'

const { columns, ...tables } = sharedTables({
  TEXT: 'text',
  REAL: 'real',
  BIG: 'integer',
  BLOB: 'blob',
  KEYED: 'without rowid',
})

/**
 * The migrations of the SQLite store. The database's `user_version` is the number of migrations that were run. A
 * released migration never changes: a change of the schema is a new one. Unlike on PostgreSQL, it may break older
 * programs, which do not open the file: SQLite cannot change many details of a table without replacing it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table meta (id integer primary key check (id = 1), revision integer not null);
  insert into meta (id, revision) values (1, 0);

  create table sites (
    id text primary key,
    name text not null unique,
    article_limit integer,
    article_count integer not null default 0,
    created_date text not null
  ) without rowid;

  create table users (${columns.users},
    unique (site_id, username)
  ) without rowid;

  create table api_keys (${columns.apiKeys}) without rowid;

  create table languages (${columns.languages}) without rowid;

  create table categories (${columns.categories});
  create unique index categories_slug on categories (site_id, language, slug);
  create index categories_parent on categories (parent_id) where parent_id is not null;
  create index categories_translation on categories (language_parent, language) where language_parent is not null;

  create table tags (${columns.tags});
  create unique index tags_slug on tags (site_id, language, slug);
  create index tags_translation on tags (language_parent, language) where language_parent is not null;

  create table articles (${columns.articles});
  create unique index articles_slug on articles (site_id, language, slug, status);
  create index articles_review on articles (site_id, id) where review_date is not null;
  create index articles_parent on articles (article_parent) where article_parent is not null;
  create index articles_translation on articles (language_parent) where language_parent is not null;

  create table article_categories (${columns.articleCategories}) without rowid;
  create unique index article_categories_article on article_categories (article_id, category_id);
  create index article_categories_category on article_categories (category_id);

  create table article_tags (${columns.articleTags}) without rowid;
  create unique index article_tags_article on article_tags (article_id, tag_id);
  create index article_tags_tag on article_tags (tag_id);

  create table links (
    id text primary key,
    site_id text not null,
    article_id text not null references articles (id) on delete cascade,
    url text not null,
    created_date text not null,
    working integer not null,
    checked_date text,
    failures integer not null
  ) without rowid;
  create index links_article on links (article_id);
  `,
  `
  -- What is checked of a link: its address without fragment, or the article it points at (see link-target.ts). The link
  -- checker works it out for links that have none yet.
  alter table links add column target text not null default '';
  alter table links drop column working;
  alter table links drop column checked_date;
  alter table links drop column failures;
  create index links_site on links (site_id, id);
  create index links_target on links (target);

  -- One row for every target that was checked; one that has none yet counts as working.
  create table link_checks (
    target text primary key,
    working integer not null,
    failures integer not null,
    status integer,
    reason text not null,
    checked_date text,
    next_check_date text not null
  ) without rowid;
  create index link_checks_due on link_checks (next_check_date);

  drop index articles_review;
  create index articles_review on articles (site_id, review_date, id) where review_date is not null;
  drop index articles_translation;
  create unique index articles_translation on articles (language_parent, language, status)
    where language_parent is not null;

  -- Removing a user looks for what the user has created.
  create index articles_creator on articles (created_by) where created_by is not null;
  create index categories_creator on categories (created_by) where created_by is not null;
  create index tags_creator on tags (created_by) where created_by is not null;

  -- Every key that was ever revoked, also where its row is gone with a site or a restore: none becomes valid again.
  create table revoked_keys (${columns.revokedKeys}) without rowid;
  insert into revoked_keys select hash, revoked_at from api_keys where revoked_at is not null;
  `,
  `
  -- What readers browse: lists in their order, counts, and what a search index compares, without reading the articles
  -- themselves, which are large.
  create index articles_list on articles
    (site_id, language, order_by, name, id, status, hide_from_search, last_edited_date);

  create index link_checks_broken on link_checks (target) where working = 0;
  create index link_checks_unchecked on link_checks (target) where checked_date is null;
  `,
  `
  -- What is known of a target belongs to one site: none learns from, or waits for, the checks of another.
  alter table link_checks rename to shared_link_checks;
  create table link_checks (
    site_id text not null references sites (id) on delete cascade,
    target text not null,
    working integer not null,
    failures integer not null,
    status integer,
    reason text not null,
    checked_date text,
    next_check_date text not null,
    primary key (site_id, target)
  ) without rowid;
  insert into link_checks
    select link.site_id, known.target, known.working, known.failures, known.status, known.reason,
        known.checked_date, known.next_check_date
      from (select distinct site_id, target from links) as link
      join shared_link_checks as known on known.target = link.target;
  drop table shared_link_checks;
  create index link_checks_due on link_checks (site_id, next_check_date, target);
  create index link_checks_next on link_checks (next_check_date);
  create unique index link_checks_broken on link_checks (site_id, working, target);
  create index link_checks_unchecked on link_checks (site_id, checked_date, target) where checked_date is null;
  drop index links_target;
  create index links_target on links (site_id, target);
  `,
  `
  -- The moment from which on a key opens nothing any more; null for never.
  alter table api_keys add column expires_at text;
  `,
  `
  -- What is counted of all articles of a site, without reading the articles themselves, which are large.
  create index articles_reviewed on articles (site_id, review_date, name, id);
  create index articles_edited on articles (site_id, last_edited_date);
  `,
  `
  -- Most links share their target with others, so that it is stored once, with its checks. A number identifies a link in
  -- indexes, which is shorter than its id.
  create table link_targets (
    id integer primary key,
    site_id text not null references sites (id) on delete cascade,
    target text not null,
    working integer not null default 1,
    failures integer not null default 0,
    status integer,
    reason text not null default '',
    checked_date text,
    next_check_date text,
    unique (site_id, target)
  );
  insert into link_targets
      (site_id, target, working, failures, status, reason, checked_date, next_check_date)
    select site_id, target, working, failures, status, reason, checked_date, next_check_date from link_checks;
  insert or ignore into link_targets (site_id, target) select site_id, target from links where target <> '';
  drop table link_checks;

  alter table links rename to old_links;
  create table links (
    number integer primary key,
    id text not null,
    site_id text not null,
    article_id text not null references articles (id) on delete cascade,
    target_id integer references link_targets (id),
    url text not null,
    created_date text not null
  );
  insert into links (id, site_id, article_id, target_id, url, created_date)
    select link.id, link.site_id, link.article_id, known.id, link.url, link.created_date
      from old_links as link
      left join link_targets as known on known.site_id = link.site_id and known.target = link.target
      order by link.id;
  drop table old_links;

  create index links_site on links (site_id);
  create index links_article on links (article_id);
  create index links_target on links (target_id) where target_id is not null;
  create index link_targets_due on link_targets (site_id, next_check_date, target)
    where next_check_date is not null;
  create index link_targets_next on link_targets (next_check_date);
  create index link_targets_unchecked on link_targets (site_id, checked_date, next_check_date)
    where checked_date is null and next_check_date is not null;
  -- Unique like that of all targets, so that it is preferred.
  create unique index link_targets_broken on link_targets (site_id, target) where working = 0;
  `,
  tables.articleRedirects,
  `
  ${tables.unindexedArticles}

  -- The words that the search finds, with the site, language and status of their article as one more word.
  create table article_words (
    number integer primary key,${columns.articleWords},
    entries text not null
  );
  create virtual table article_index using fts5 (
    entries, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '=-'"
  );
  create trigger article_words_added after insert on article_words begin
    insert into article_index (rowid, entries)
      values (new.number, '=' || new.site_id || '=' || new.language || '=' || new.status || ' ' || new.entries);
  end;
  create trigger article_words_removed after delete on article_words begin
    delete from article_index where rowid = old.number;
  end;
  `,
  tables.files,
  `
  -- What readers of a list compare instead of the content; valid while the article has this date of its last edit.
  alter table articles add column content_digest text;
  alter table articles add column content_comment text;
  alter table articles add column digest_date text;

  ${tables.articleChanges}
  insert into article_changes (article_id, site_id, revision)
    select articles.id, articles.site_id, meta.revision from articles, meta;
  -- Deletions up to this revision are no longer known.
  alter table meta add column changes_since integer not null default 0;

  create trigger articles_created after insert on articles begin
    insert into article_changes (article_id, site_id, revision)
      select articles.id, articles.site_id, meta.revision + 1 from articles, meta
      where articles.id in (new.id, new.article_parent)
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = null;
  end;
  create trigger articles_updated after update on articles begin
    insert into article_changes (article_id, site_id, revision)
      select articles.id, articles.site_id, meta.revision + 1 from articles, meta
      where articles.id in (new.id, new.article_parent, old.article_parent)
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = null;
  end;
  create trigger articles_deleted after delete on articles
    when exists (select 1 from sites where id = old.site_id) begin
    insert into article_changes (article_id, site_id, revision, deleted_date)
      select old.id, old.site_id, revision + 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from meta where true
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = excluded.deleted_date;
    update article_changes set revision = (select revision + 1 from meta)
      where article_id = old.article_parent and deleted_date is null;
    -- Deletions are known for 90 days.
    update meta set changes_since = max(changes_since, coalesce((select max(revision) from article_changes
      where site_id = old.site_id and deleted_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days')), 0));
    delete from article_changes
      where site_id = old.site_id and deleted_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days');
  end;
  create trigger article_categories_deleted after delete on article_categories begin
    update article_changes set revision = (select revision + 1 from meta)
      where article_id = old.article_id and deleted_date is null;
  end;
  create trigger article_tags_deleted after delete on article_tags begin
    update article_changes set revision = (select revision + 1 from meta)
      where article_id = old.article_id and deleted_date is null;
  end;
  `,
  tables.articleSources,
  tables.linkHosts,
  tables.sessions,
  tables.idempotencyKeys,
  `
  -- With "+", the index of all revisions is not searched for the largest one, which reads all articles.
  drop trigger articles_deleted;
  create trigger articles_deleted after delete on articles
    when exists (select 1 from sites where id = old.site_id) begin
    insert into article_changes (article_id, site_id, revision, deleted_date)
      select old.id, old.site_id, revision + 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from meta where true
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = excluded.deleted_date;
    update article_changes set revision = (select revision + 1 from meta)
      where article_id = old.article_parent and deleted_date is null;
    -- Deletions are known for 90 days.
    update meta set changes_since = max(changes_since, coalesce((select max(+revision) from article_changes
      where site_id = old.site_id and deleted_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days')), 0));
    delete from article_changes
      where site_id = old.site_id and deleted_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days');
  end;
  `,
  tables.taxonRedirects,
  `
  drop trigger article_words_added;
  drop trigger article_words_removed;
  drop table article_index;
  create table word_blocks (
    id integer primary key,
    ${columns.wordBlocks}
  );
  ${tables.wordPostings}
  create trigger article_words_removed after delete on article_words when old.is_posted = 1 begin
    insert into removed_words select old.number, id, old.language, old.status, old.entries
      from sites where id = old.site_id;
  end;
  `,
  `
  ${tables.linkedRevision}
  update sites set linked_revision = (select revision from meta);
  `,
  `
  -- One index for all queries on review dates. New entries are next to each other where most articles have one date.
  drop index articles_review;
  drop index articles_reviewed;
  create index articles_reviewed on articles (site_id, review_date, id);

  -- A create is recorded when its article is marked as unindexed. With a trigger on articles, SQLite copies all rows of
  -- an insert, with their contents, to a temporary table first, which takes longer than the trigger itself.
  drop trigger articles_created;
  create trigger articles_created after insert on unindexed_articles begin
    insert or replace into article_changes (article_id, site_id, revision)
      select new.article_id, new.site_id, revision + 1 from meta;
    update article_changes set revision = (select revision + 1 from meta)
      where article_id = (select article_parent from articles where id = new.article_id) and deleted_date is null;
  end;
  `,
]

/**
 * Migrates the schema to the latest version. Several processes may do so at once: migrations run under the write lock,
 * and the second process has nothing left to do.
 *
 * @param purpose decides whether the database may contain an unfinished copy
 * @throws KbError DATABASE_NEWER if the schema is newer than this program; DATABASE_UNUSABLE if it is the database of
 *   another program, or an unfinished copy
 */
export function migrate(
  connection: Libsql.Database,
  file: string,
  purpose: 'used' | 'copied' = 'used',
): void {
  if (purpose === 'used') assertNoCopy(connection, file)
  if (versionOf(connection) === MIGRATIONS.length) return
  connection.exec('begin immediate')
  try {
    const version = versionOf(connection)
    if (version > MIGRATIONS.length) throw newerDatabase(file, version, MIGRATIONS.length)
    if (version === 0 && holdsTables(connection)) throw foreignDatabase(file, 'file')
    for (const step of MIGRATIONS.slice(version)) connection.exec(step)
    connection.exec(`pragma user_version = ${MIGRATIONS.length}`)
    connection.exec('commit')
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  }
}

/** @throws KbError DATABASE_UNUSABLE */
export function assertNoCopy(connection: Libsql.Database, file: string): void {
  const found = connection.prepare('select 1 from sqlite_master where name = ?').get(PROGRESS_TABLE)
  if (found !== undefined) throw unfinishedCopy(file)
}

function versionOf(connection: Libsql.Database): number {
  const row = connection.prepare('pragma user_version').get() as { user_version: number }
  return row.user_version
}

function holdsTables(connection: Libsql.Database): boolean {
  return connection.prepare('select 1 from sqlite_master limit 1').get() !== undefined
}
