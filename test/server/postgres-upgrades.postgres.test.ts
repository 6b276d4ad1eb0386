// While servers are upgraded one after another, two versions use one database: migrations only add, and an older
// version still works.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { copyContents } from '../../src/server/store/copy/copy-contents.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { connectionOptions } from '../../src/server/store/postgres/connection-options.ts'
import {
  migratePostgres,
  POSTGRES_MIGRATIONS,
  POSTGRES_SCHEMA_VERSION,
} from '../../src/server/store/postgres/postgres-migrations.ts'
import { linksTo, NOW, openFixture } from '../api/contract/store-fixture.ts'
import { type Met, runHistory } from '../service/run-history.ts'
import { histories } from '../service/steps.ts'
import { openWorld, serveInTwoProcesses, type World } from '../service/world.ts'
import { temporaryFolder } from '../support/folder.ts'
import { migrateToNextVersion, migrationAfter, noteMigrations } from '../support/next-schema.ts'
import { createPostgresDatabase, runInPostgres } from '../support/postgres-database.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { waitFor } from '../support/wait-for.ts'

/** Steps that remove something that no earlier version needs for correct results. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Queries of link targets are slower without it, with the same results.
  '0006': ['gone: index link_targets_lookup of link_targets'],
  // Searches are slower without it, with the same results.
  '0014': ['gone: index article_words_entries of article_words'],
  // It does the same with another plan.
  '0011': ['changed: function kb_note_deletion()'],
  // Queries on review dates are slower without them, with the same results.
  '0017': ['gone: index articles_review of articles', 'gone: index articles_reviewed of articles'],
  // Other triggers do the same after an insert.
  '0019': ['changed: trigger articles_written of articles'],
}

/** The advisory lock of kysely's Migrator. */
const MIGRATION_LOCK = '3853314791062309107'

/** The parts of a table; `isOptional`: programs that do not know of it can write as before. */
const SCHEMA = `
  select 'column' as kind, table_name as "table", column_name as name, is_nullable = 'YES'
      or column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as "isOptional",
    concat_ws(' ', data_type, collation_name, is_nullable, column_default, identity_generation,
      generation_expression) as definition
    from information_schema.columns where table_schema = current_schema()
  union all
  select 'constraint', conrelid::regclass::text, conname, false, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
  union all
  select 'index', indrelid::regclass::text, indexrelid::regclass::text, not indisunique, pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = current_schema()::regnamespace
  union all
  select 'trigger', tgrelid::regclass::text, tgname, true, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function', '', oid::regprocedure::text, true, pg_get_functiondef(oid)
    from pg_proc where pronamespace = current_schema()::regnamespace`

interface SchemaPart {
  readonly kind: string
  readonly table: string
  readonly name: string
  readonly isOptional: boolean
  readonly definition: string
}

/** A connection to a new database. */
async function connect(tables: 'ours' | 'none' = 'none') {
  const client = new Client({ connectionString: await createPostgresDatabase(tables) })
  await client.connect()
  onTestFinished(() => client.end())
  const read = async () => (await client.query<SchemaPart>(SCHEMA)).rows
  return { client, read }
}

/** Returns the changes of a step to a schema that an earlier version does not expect. */
function unexpected(before: readonly SchemaPart[], after: readonly SchemaPart[]): string[] {
  const nameOf = ({ kind, name, table }: SchemaPart) => `${kind} ${name}${table && ` of ${table}`}`
  const [old, now] = [before, after].map((parts) => new Map(parts.map((part) => [nameOf(part), part])))
  const tables = new Set(before.map(({ table }) => table))
  const taken = [...old!].flatMap(([name, { definition }]) => {
    const part = now!.get(name)
    if (part === undefined) return [`gone: ${name}`]
    return part.definition === definition ? [] : [`changed: ${name}`]
  })
  const required = [...now!]
    .filter(([name, part]) => !old!.has(name) && tables.has(part.table) && !part.isOptional)
    .map(([name]) => `required: ${name}`)
  return [...taken, ...required].toSorted()
}

test('every migration only adds to the tables, unless its name says which programs need it', async () => {
  const names = Object.keys(POSTGRES_MIGRATIONS)
  expect(names.map((name) => name.slice(0, 4))).toEqual(
    names.map((_, index) => migrationAfter(index + 1 - names.length)),
  )
  const { client, read } = await connect()
  let before: readonly SchemaPart[] = []
  for (const [step, statements] of Object.entries(POSTGRES_MIGRATIONS)) {
    await client.query(statements)
    const after = await read()
    const found = step.includes('-needs-') ? [] : unexpected(before, after)
    expect([step, found]).toEqual([step, EXCEPTIONS[step] ?? []])
    before = after
  }
})

const REFUSED: readonly (readonly [string, readonly string[]])[] = [
  ['alter table links drop column created_date', ['gone: column created_date of links']],
  [
    'alter table links rename url to address',
    ['gone: column url of links', 'required: column address of links'],
  ],
  [
    'alter table articles alter review_date type timestamptz using null',
    ['changed: column review_date of articles'],
  ],
  ['alter table articles alter review_date set not null', ['changed: column review_date of articles']],
  ['alter table articles add column next text not null', ['required: column next of articles']],
  ['create unique index next on links (id)', ['required: index next of links']],
  ["alter table links add constraint next check (url <> '')", ['required: constraint next of links']],
  ['drop trigger articles_written on articles', ['gone: trigger articles_written of articles']],
  ['drop index links_site', ['gone: index links_site of links']],
  [
    'create or replace function kb_digest(value text) returns bytea language sql immutable return null::bytea',
    ['changed: function kb_digest(text)'],
  ],
  ['create table next (id text primary key); alter table links add column next text default 1', []],
]

test('incompatible changes are detected', async () => {
  const { client, read } = await connect()
  for (const statements of Object.values(POSTGRES_MIGRATIONS)) await client.query(statements)
  const before = await read()
  for (const [statement, expected] of REFUSED) {
    await client.query(`begin; ${statement}`)
    // The index of a column may be removed or changed with it.
    const found = unexpected(before, await read())
    expect([statement, found.filter((each) => expected.includes(each))]).toEqual([statement, expected])
    if (expected.length === 0) expect(found).toEqual([])
    await client.query('rollback')
  }
})

const openOn = (db: string) => openStore({ db, languages: ['en'], articleLimit: 1000, now: NOW })

const LATER: readonly (readonly [string, readonly string[], 'starts' | 'is refused'])[] = [
  ['later migrations only added', [migrationAfter(1), migrationAfter(2)], 'starts'],
  ['one removed what this version does not use', [migrationAfter(1, 0), migrationAfter(2)], 'starts'],
  ['one removed what this version uses', [migrationAfter(1), migrationAfter(2, 1)], 'is refused'],
  ['a later one only added', [migrationAfter(1, 1), migrationAfter(2)], 'is refused'],
]

for (const [situation, names, result] of LATER) {
  test(`where ${situation}, a process of this version ${result}`, async () => {
    const db = await createPostgresDatabase()
    await runInPostgres(noteMigrations(...names), db)
    const opened = await openOn(db).catch((error: unknown) => error as KbError)
    if (!(opened instanceof KbError)) onTestFinished(() => opened.close())
    const known = POSTGRES_SCHEMA_VERSION
    const version = known + names.length
    expect(opened).toMatchObject(
      result === 'starts'
        ? { schemaVersion: version }
        : {
            code: 'DATABASE_NEWER',
            message: expect.stringContaining(
              `has schema version ${version}; this program knows up to ${known}`,
            ),
          },
    )
    // A copy would lack what later versions store.
    const [empty, file] = [join(temporaryFolder(), 'empty.db'), join(temporaryFolder(), 'kb.db')]
    await (await openOn(file)).close()
    for (const [from, to] of [
      [db, empty],
      [file, db],
    ] as const) {
      await expect(copyContents({ from, to, onProgress: () => undefined })).rejects.toMatchObject({
        code: 'DATABASE_NEWER',
      })
    }
  })
}

test('a running process is no longer ready once a later version has removed what it uses', async () => {
  const db = await createPostgresDatabase()
  const store = await openOn(db)
  onTestFinished(() => store.close())
  await runInPostgres(noteMigrations(migrationAfter(1)), db)
  await store.assertWritable()
  await runInPostgres(noteMigrations(migrationAfter(2, 1)), db)
  await expect(store.assertWritable()).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
})

/** The last migrations. The first of them changes the table of sites. */
const LAST = Object.keys(POSTGRES_MIGRATIONS).filter((name) => name >= '0016')

/** A database that the migration before the last ones has reached, and a connection to it in a transaction. */
async function stepBack() {
  const db = await createPostgresDatabase()
  await runInPostgres(
    `delete from kb_migrations where name in ('${LAST.join("', '")}'); alter table sites drop column linked_revision;
      drop function kb_note_new_articles cascade; drop trigger articles_draft_added on articles;
      alter index articles_review_date rename to articles_reviewed;
      create or replace trigger articles_written after insert or update on articles
        for each row execute function kb_note_article()`,
    db,
  )
  const client = new Client({ connectionString: db })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  const waiters = `select 1 from pg_locks join pg_database on pg_database.oid = database
    where not granted and datname = current_database()`
  const untilWaiting = () => waitFor(async () => expect((await client.query(waiters)).rowCount).toBe(1))
  return { db, client, untilWaiting }
}

test('a process starts although a newer one migrates the tables at the same moment', async () => {
  const { db, client, untilWaiting } = await stepBack()
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  const opening = openOn(db)
  await untilWaiting()
  for (const name of LAST) await client.query(POSTGRES_MIGRATIONS[name] ?? '')
  await client.query(noteMigrations(...LAST, migrationAfter(1)))
  await client.query('commit')
  const store = await opening
  onTestFinished(() => store.close())
  expect(store.schemaVersion).toBe(POSTGRES_SCHEMA_VERSION + 1)
})

test('a migration that waits for a backup lets the requests of running servers through', async () => {
  const { db, client, untilWaiting } = await stepBack()
  // As pg_dump does.
  await client.query('lock table sites in access share mode')
  const opening = openOn(db)
  await untilWaiting()
  await runInPostgres('select from sites', db)
  await client.query('commit')
  const store = await opening
  onTestFinished(() => store.close())
  expect(store.schemaVersion).toBe(POSTGRES_SCHEMA_VERSION)
})

test('a migration fails if a table stays in use, and can be repeated', async () => {
  const { db, client } = await stepBack()
  await client.query('lock table sites in access share mode')
  const waits = { timeoutMs: 1, count: 3, pauseMs: 0 }
  await expect(migratePostgres(connectionOptions(db), 'kb', 'used', waits)).rejects.toMatchObject({
    code: 'DATABASE_BUSY',
    message:
      'The tables of the database kb could not be migrated, because another connection uses one of them, such as a backup. Nothing was changed.',
  })
  await client.query('commit')
  expect(await migratePostgres(connectionOptions(db), 'kb')).toBe(POSTGRES_SCHEMA_VERSION)
})

test('a migration lets a transaction end that has read articles and then writes', async () => {
  const { db, client, untilWaiting } = await stepBack()
  await client.query('select from articles')
  const waits = { timeoutMs: 10_000, count: 1, pauseMs: 0 }
  const migrating = migratePostgres(connectionOptions(db), 'kb', 'used', waits)
  await untilWaiting()
  await client.query('update articles set name = name')
  await client.query('commit')
  expect(await migrating).toBe(POSTGRES_SCHEMA_VERSION)
})

test('inserts are recorded once, with the published versions of drafts', async () => {
  const { client } = await connect('ours')
  const insert = `
    insert into articles (id, site_id, name, slug, excerpt, order_by, status, hide_from_search, seo_banner_url, language,
        article_parent, created_date, last_edited_date, content)
      select id, site, id, slug, '', 0, status, 0, '', '', parent, '', '', '' from`
  await client.query(`
    insert into sites (id, name, revision, created_date) values ('s', 's', 4, ''), ('t', 't', 7, '');
    insert into article_changes (article_id, site_id, revision, deleted_date) values ('b', 's', 3, '');
    ${insert} (values ('a', 's', 'a', 'published', null), ('b', 's', 'b', 'published', null),
      ('c', 't', 'c', 'published', null)) as article (id, site, slug, status, parent);
    update sites set revision = revision + 1;
    ${insert} (values ('d', 's', 'a', 'draft', 'a')) as article (id, site, slug, status, parent)`)
  const { rows } = await client.query(
    'select article_id as id, revision, deleted_date as "deletedDate" from article_changes order by id',
  )
  expect(rows).toEqual([
    { id: 'a', revision: '6', deletedDate: null },
    { id: 'b', revision: '5', deletedDate: null },
    { id: 'c', revision: '8', deletedDate: null },
    { id: 'd', revision: '6', deletedDate: null },
  ])
})

test('contents are compressed with lz4 if the server has it', async () => {
  const found = `
    select attcompression as compression, 'lz4' = any (enumvals) as "hasLz4" from pg_attribute, pg_settings
      where attrelid = 'articles'::regclass and attname = 'content' and pg_settings.name = 'default_toast_compression'`
  const { client } = await connect('ours')
  const { rows } = await client.query<{ hasLz4: boolean }>(found)
  const hasLz4 = rows[0]?.hasLz4
  expect(rows).toEqual([{ compression: hasLz4 === true ? 'l' : '', hasLz4: expect.any(Boolean) }])
})

const RUNS = readRuns('HISTORIES', 10)

test(
  'servers of this version continue while a later one adds to every table, and start after it',
  timeoutOf(RUNS, 10_000),
  async () => {
    const db = await createPostgresDatabase()
    const open = async () => {
      const world = await openWorld(db, serveInTwoProcesses)
      onTestFinished(() => world.close())
      return world
    }
    const agree = async (world: World) => {
      const met: Met = new Map()
      await fc.assert(
        fc.asyncProperty(histories, (steps) => runHistory(world, steps, met)),
        RUNS,
      )
      return met.get('createArticle 200') ?? 0
    }
    const world = await open()
    // The connections have prepared the statements before.
    expect(await agree(world)).toBeGreaterThan(0)
    await migrateToNextVersion(db)
    expect(await agree(world)).toBeGreaterThan(0)
    expect(await agree(await open())).toBeGreaterThan(0)
  },
)

test('links that another version stores beside this one keep their rows, and those it does not store are derived', async () => {
  const db = await createPostgresDatabase()
  const { store, site, createdId } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const id = await createdId({ content: linksTo('a', 'b') })
  const edit = (content: string) => `
    update articles set content = '${content}', last_edited_date = '2026-03-03T10:00:00.000Z' where id = '${id}';
    update sites set revision = revision + 1 where id = '${site}';`
  // Version 15 stores the links with the content.
  const stored = ['b', 'c'].map((url) => `('l-${url}', '${site}', '${id}', '${url}', '${NOW}')`)
  await runInPostgres(
    `begin; ${edit(linksTo('b', 'c'))}
      insert into links (id, site_id, article_id, url, created_date) values ${stored.join()}; commit`,
    db,
  )
  const list = async () =>
    (await store.listLinks(site, { after: 0, limit: 9 })).map((link) => [link.id, link.url])
  expect(await list()).toEqual([
    ['l-b', 'b'],
    ['l-c', 'c'],
  ])
  // A later one may leave it to others.
  await runInPostgres(`begin; ${edit(linksTo('c', 'd'))} commit`, db)
  expect(await list()).toEqual([
    ['l-c', 'c'],
    [expect.any(String), 'd'],
  ])
})
