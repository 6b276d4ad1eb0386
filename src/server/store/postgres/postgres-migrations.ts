import { setTimeout } from 'node:timers/promises'
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import { type ClientConfig, DatabaseError, type Pool } from 'pg'
import { KbError } from '../../../core/errors/kb-error.ts'
import { PROGRESS_TABLE } from '../copy/copy-database.ts'
import { foreignDatabase, newerDatabase, unfinishedCopy } from '../database-errors.ts'
import { sharedTables } from '../shared-tables.ts'
import { createPool } from './connection-options.ts'

/** Minimum version of PostgreSQL. Older ones do not support functions with a body in standard SQL. */
const OLDEST_VERSION = 14

/**
 * How long a migration waits for a table, e.g. until a backup has read it: all requests for that table wait behind it,
 * so it tries several times, with pauses.
 */
const TABLE_WAITS = { timeoutMs: 2000, count: 20, pauseMs: 1000 }

/** Sorted and compared by code point, as in SQLite. */
const text = 'text collate "C"'

const { columns, ...tables } = sharedTables({
  TEXT: text,
  REAL: 'double precision',
  BIG: 'bigint',
  BLOB: 'bytea',
  KEYED: '',
})

/**
 * The migrations of the PostgreSQL store, by name; kysely runs them in the order of their names. A released migration
 * never changes: a change of the schema is a new one. Programs that do not know it continue to work, and start: it adds
 * no column that they must fill, and removes no table, column or function that they use.
 *
 * The name of one that breaks older programs says which is the oldest that works with it: only programs with migration
 * 16 or a later one start on a database with `0018-needs-0016`. That is how a column that nothing has read since 16 is
 * removed.
 *
 * They differ from those of SQLite where PostgreSQL does: an index entry has less than 2.7 kB, so that longer texts are
 * unique by their digest, and found by it; the site stores the revision (see site-writes.ts).
 */
export const POSTGRES_MIGRATIONS: Readonly<Record<string, string>> = {
  '0001': `
  create function kb_digest(value text) returns bytea language sql immutable strict parallel safe
    return sha256(convert_to(value, 'UTF8'));

  -- What the readiness probe writes.
  create table writable (checked timestamptz not null);
  insert into writable values (now());

  -- Often updated, so that its pages leave room for new versions of its rows.
  create table sites (
    id ${text} primary key,
    name ${text} not null,
    article_limit bigint,
    article_count bigint not null default 0,
    revision bigint not null default 0,
    created_date ${text} not null
  ) with (fillfactor = 20);
  create unique index sites_name on sites (kb_digest(name));

  create table users (${columns.users});
  create unique index users_name on users (site_id, kb_digest(username));

  create table api_keys (${columns.apiKeys},
    expires_at ${text}
  );
  create index api_keys_site on api_keys (site_id);
  create index api_keys_user on api_keys (user_id) where user_id is not null;

  -- Every key that was ever revoked, also where its row is gone with a site or a restore: none becomes valid again.
  create table revoked_keys (${columns.revokedKeys});

  create table languages (${columns.languages});

  create table categories (${columns.categories});
  create unique index categories_slug on categories (site_id, language, slug);
  create index categories_parent on categories (parent_id) where parent_id is not null;
  create unique index categories_translation on categories (language_parent, language)
    where language_parent is not null;
  create index categories_creator on categories (created_by) where created_by is not null;

  create table tags (${columns.tags});
  create unique index tags_slug on tags (site_id, language, slug);
  create unique index tags_translation on tags (language_parent, language) where language_parent is not null;
  create index tags_creator on tags (created_by) where created_by is not null;

  create table articles (${columns.articles});
  create unique index articles_slug on articles (site_id, language, slug, status);
  create index articles_review on articles (site_id, review_date, id) where review_date is not null;
  create index articles_parent on articles (article_parent) where article_parent is not null;
  create unique index articles_translation on articles (language_parent, language, status)
    where language_parent is not null;
  create index articles_creator on articles (created_by) where created_by is not null;
  -- A name has at most 500 characters, which fits.
  create index articles_list on articles (site_id, language, order_by, name, id)
    include (status, hide_from_search, last_edited_date);
  create index articles_reviewed on articles (site_id, review_date, name, id);
  create index articles_edited on articles (site_id, last_edited_date);

  create table article_categories (${columns.articleCategories});
  create unique index article_categories_article on article_categories (article_id, category_id);
  create index article_categories_category on article_categories (category_id, id);

  create table article_tags (${columns.articleTags});
  create unique index article_tags_article on article_tags (article_id, tag_id);
  create index article_tags_tag on article_tags (tag_id);

  create table link_targets (
    id bigint generated always as identity primary key,
    site_id ${text} not null references sites (id) on delete cascade,
    target ${text} not null,
    working integer not null default 1,
    failures integer not null default 0,
    status integer,
    reason ${text} not null default '',
    checked_date ${text},
    next_check_date ${text}
  );
  create unique index link_targets_target on link_targets (site_id, kb_digest(target));
  create index link_targets_lookup on link_targets using hash (target);
  create index link_targets_due on link_targets (site_id, next_check_date);
  create index link_targets_next on link_targets (next_check_date);
  create index link_targets_broken on link_targets (site_id) where working = 0;

  -- The removal of a site deletes targets before the links to them.
  create table links (
    number bigint generated always as identity primary key,
    id ${text} not null,
    site_id ${text} not null,
    article_id ${text} not null references articles (id) on delete cascade,
    target_id bigint references link_targets (id) deferrable initially deferred,
    url ${text} not null,
    created_date ${text} not null
  );
  create index links_site on links (site_id, number);
  create index links_article on links (article_id);
  create index links_target on links (target_id) where target_id is not null;
  `,
  '0002': tables.articleRedirects,
  '0003': `
  ${tables.unindexedArticles}

  -- The words that the search finds. They are stored apart from their row, so that many rows are read fast.
  create table article_words (
    number bigint generated always as identity primary key,${columns.articleWords},
    entries tsvector not null
  ) with (toast_tuple_target = 128);
  -- Without a list of pending entries, which each search would have to read.
  create index article_words_entries on article_words using gin (entries) with (fastupdate = off);
  `,
  '0004': tables.files,
  '0005': `
  -- What readers of a list compare instead of the content; valid while the article has this date of its last edit.
  alter table articles
    add column content_digest ${text}, add column content_comment ${text}, add column digest_date ${text};

  ${tables.articleChanges}
  insert into article_changes (article_id, site_id, revision)
    select article.id, site.id, site.revision from articles as article join sites as site on site.id = article.site_id;
  -- Deletions up to this revision are no longer known.
  alter table sites add column changes_since bigint not null default 0;

  create function kb_note_article() returns trigger language plpgsql as $$
  begin
    insert into article_changes (article_id, site_id, revision)
      select article.id, site.id, site.revision + 1
      from articles as article join sites as site on site.id = article.site_id
      where article.id in (new.id, new.article_parent, old.article_parent)
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = null;
    return null;
  end $$;
  create trigger articles_written after insert or update on articles
    for each row execute function kb_note_article();

  create function kb_note_deletion() returns trigger language plpgsql as $$
  declare
    format constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
    -- Deletions are known for 90 days.
    oldest constant text := to_char(now() at time zone 'utc' - interval '90 days', format);
  begin
    insert into article_changes (article_id, site_id, revision, deleted_date)
      select old.id, id, revision + 1, to_char(now() at time zone 'utc', format) from sites where id = old.site_id
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = excluded.deleted_date;
    update article_changes as change set revision = site.revision + 1 from sites as site
      where change.article_id = old.article_parent and change.deleted_date is null and site.id = old.site_id;
    if exists (select from article_changes where site_id = old.site_id and deleted_date < oldest) then
      update sites set changes_since = greatest(changes_since,
          (select max(revision) from article_changes where site_id = old.site_id and deleted_date < oldest))
        where id = old.site_id;
      delete from article_changes where site_id = old.site_id and deleted_date < oldest;
    end if;
    return null;
  end $$;
  create trigger articles_deleted after delete on articles
    for each row execute function kb_note_deletion();

  create function kb_note_relation() returns trigger language plpgsql as $$
  begin
    update article_changes as change set revision = site.revision + 1 from sites as site
      where change.article_id = old.article_id and change.deleted_date is null and site.id = old.site_id;
    return null;
  end $$;
  create trigger article_categories_deleted after delete on article_categories
    for each row execute function kb_note_relation();
  create trigger article_tags_deleted after delete on article_tags
    for each row execute function kb_note_relation();
  `,
  '0006': `
  -- Targets are found by the digest that is unique.
  drop index link_targets_lookup;
  `,
  '0007': tables.articleSources,
  '0008': tables.linkHosts,
  '0009': tables.sessions,
  '0010': tables.idempotencyKeys,
  '0011': `
  -- A general plan reads all articles to find old deletions: it does not know how few are older than that date.
  alter function kb_note_deletion() set plan_cache_mode = force_custom_plan;
  `,
  '0012': tables.taxonRedirects,
  '0013': `
  -- Finds the words by their index alone: a plan for the first few rows would read the words of all articles.
  create function kb_find_words(wanted_site text, wanted_language text, wanted tsquery, drafts boolean, most bigint)
    returns setof bigint language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off
  as $$
  begin
    return query select number from article_words
      where site_id = wanted_site and language = wanted_language and entries @@ wanted
        and (drafts or status = 'published')
      limit most;
  end $$;
  `,
  '0014': `
  drop index article_words_entries;
  create table word_blocks (
    id bigint generated always as identity primary key,
    ${columns.wordBlocks}
  );
  ${tables.wordPostings}
  -- Stored as they are: compressing them would take longer than reading them.
  alter table word_postings set (toast_tuple_target = 8160);
  create function kb_note_removed_words() returns trigger language plpgsql as $$
  begin
    insert into removed_words select old.number, id, old.language, old.status, replace(old.entries::text, '''', '')
      from sites where id = old.site_id;
    return null;
  end $$;
  create trigger article_words_removed after delete on article_words
    for each row when (old.is_posted = 1) execute function kb_note_removed_words();
  `,
  '0015': `
  -- The names of the last transactions of a site. They show a process whether a commit without a response took place.
  alter table sites add column recent_writes ${text} not null default '';
  `,
  '0016': `
  ${tables.linkedRevision}
  update sites set linked_revision = revision;
  `,
  '0017': `
  -- One index for all queries on review dates. It is built under the lock that the first statement takes: a lock that
  -- lets transactions read would be upgraded after that, a deadlock with those that have read and now write.
  drop index if exists articles_review, articles_reviewed;
  create index if not exists articles_review_date on articles (site_id, review_date, id);
  `,
  '0018': `
  -- The default compression is half of the work of a create. Not every server has lz4.
  do $$ begin
    if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
      alter table articles alter column content set compression lz4;
    end if;
  end $$;
  `,
  '0019': `
  -- Records the articles of an insert together: one by one, that is a fifth of the work of a create.
  create function kb_note_new_articles() returns trigger language plpgsql as $$
  begin
    insert into article_changes (article_id, site_id, revision)
      select id, site_id, (select revision + 1 from sites where id = added.site_id) from added
      on conflict (article_id) do update set revision = excluded.revision, deleted_date = null;
    return null;
  end $$;
  create trigger articles_added after insert on articles referencing new table as added
    for each statement execute function kb_note_new_articles();
  create trigger articles_draft_added after insert on articles
    for each row when (new.article_parent is not null) execute function kb_note_article();
  create or replace trigger articles_written after update on articles
    for each row execute function kb_note_article();
  `,
}

const MIGRATION_TABLE = 'kb_migrations'

/** Version of the schema that this program creates. */
export const POSTGRES_SCHEMA_VERSION = Object.keys(POSTGRES_MIGRATIONS).length

/**
 * Creates the tables, or migrates them to the latest version. Several processes may do so at once: kysely takes an
 * advisory lock, and the second process has nothing left to do.
 *
 * @param name the database for messages
 * @param purpose decides whether the database may contain an unfinished copy
 * @returns the version of the schema, which a newer program may have migrated
 * @throws KbError DATABASE_NEWER if this program cannot work with a schema that is newer than it; DATABASE_UNUSABLE if
 *   the server is too old, the tables are another program's, or it contains an unfinished copy; DATABASE_BUSY if
 *   another connection uses a table for long
 */
export function migratePostgres(
  options: ClientConfig,
  name: string,
  purpose: 'used' | 'copied' = 'used',
  waits = TABLE_WAITS,
): Promise<number> {
  return onOneConnection({ ...options, lock_timeout: waits.timeoutMs }, async (db) => {
    const version = await knownVersion(db, name, purpose)
    if (version >= POSTGRES_SCHEMA_VERSION) return version
    const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
    const schema = rows[0]?.schema
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations() },
      migrationTableName: MIGRATION_TABLE,
      migrationLockTableName: `${MIGRATION_TABLE}_lock`,
      // Otherwise, kysely mistakes the tables of another schema for its own.
      ...(schema && { migrationTableSchema: schema }),
    })
    let { error } = await migrator.migrateToLatest()
    for (let tries = 1; tries < waits.count && hasCode(error, ...TABLE_IN_USE); tries++) {
      await setTimeout(waits.pauseMs)
      error = (await migrator.migrateToLatest()).error
    }
    if (error === undefined) return POSTGRES_SCHEMA_VERSION
    if (hasCode(error, ...NAME_TAKEN)) throw foreignDatabase(name, 'database')
    if (hasCode(error, ...TABLE_IN_USE)) throw tableInUse(name, error)
    // A newer program may have been faster.
    const migrated = await knownVersion(db, name, purpose)
    if (migrated < POSTGRES_SCHEMA_VERSION) throw error as Error
    return migrated
  })
}

/**
 * Returns the version of the schema; 0 if there are no tables yet.
 *
 * @throws as `migratePostgres`
 */
export function schemaVersionOf(options: ClientConfig, name: string): Promise<number> {
  return onOneConnection({ ...options, lock_timeout: TABLE_WAITS.timeoutMs }, (db) =>
    knownVersion(db, name, 'used'),
  )
}

/** @throws KbError DATABASE_NEWER if a newer program has removed something that this one needs */
export async function assertSupported(pool: Pool, name: string): Promise<void> {
  const { version, needed } = await readVersion(new Kysely({ dialect: new PostgresDialect({ pool }) }))
  if (needed > POSTGRES_SCHEMA_VERSION) throw newerDatabase(name, version, POSTGRES_SCHEMA_VERSION)
}

/** Uses a connection without a time limit, because a migration may take longer than any other statement. */
async function onOneConnection<Value>(options: ClientConfig, work: (db: Kysely<never>) => Promise<Value>) {
  const pool = createPool({ ...options, statement_timeout: 0, query_timeout: 0 }, 1)
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function knownVersion(db: Kysely<never>, name: string, purpose: 'used' | 'copied'): Promise<number> {
  await assertServer(db, name)
  if (purpose === 'used' && (await hasTable(db, PROGRESS_TABLE))) throw unfinishedCopy(name)
  const { version, needed } = await readVersion(db)
  // A copy would lack what newer programs store.
  const least = purpose === 'used' ? needed : version
  if (least > POSTGRES_SCHEMA_VERSION) throw newerDatabase(name, version, POSTGRES_SCHEMA_VERSION)
  return version
}

function migrations() {
  return Object.fromEntries(
    Object.entries(POSTGRES_MIGRATIONS).map(([key, statements]) => [
      key,
      { up: async (db: Kysely<never>) => void (await sql.raw(statements).execute(db)) },
    ]),
  )
}

async function assertServer(db: Kysely<never>, name: string): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding`.execute(db)
  const { version = 0, encoding = '' } = rows[0] ?? {}
  if (version < OLDEST_VERSION) {
    throw new KbError('DATABASE_UNUSABLE', `The database ${name} is PostgreSQL ${version}.`, {
      hint: `Use PostgreSQL ${OLDEST_VERSION} or newer.`,
    })
  }
  if (encoding !== 'UTF8') {
    throw new KbError('DATABASE_UNUSABLE', `The database ${name} has the encoding ${encoding}.`, {
      hint: `Create it with the encoding UTF8, such as: createdb --encoding=UTF8 --template=template0 NAME`,
    })
  }
}

/** Reads the version of the schema, and the oldest program that works with it. */
async function readVersion(db: Kysely<never>) {
  if (!(await hasTable(db, MIGRATION_TABLE))) return { version: 0, needed: 0 }
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db)
  const needed = rows.map(({ name }) => Number(/-needs-(\d+)$/.exec(name)?.[1] ?? 0))
  return { version: rows.length, needed: Math.max(0, ...needed) }
}

async function hasTable(db: Kysely<never>, table: string): Promise<boolean> {
  const { rows } = await sql`select where to_regclass(${table}) is not null`.execute(db)
  return rows.length > 0
}

// Codes of PostgreSQL (manual, appendix A): no lock within the time, or a deadlock; a table or function of that name.
const TABLE_IN_USE = ['55P03', '40P01']
const NAME_TAKEN = ['42P07', '42723']

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof DatabaseError && codes.includes(error.code ?? '')
}

function tableInUse(name: string, cause: unknown): KbError {
  return new KbError(
    'DATABASE_BUSY',
    `The tables of the database ${name} could not be migrated, because another connection uses one of them, such as a backup. Nothing was changed.`,
    { hint: 'Start it again when that has ended; pg_stat_activity shows it.', cause },
  )
}
