// What a migration of a later version may do, all of it: servers of this version have to go on, and to start.
import { POSTGRES_SCHEMA_VERSION } from '../../src/server/store/postgres/postgres-migrations.ts'
import { runInPostgres } from './postgres-database.ts'

/** Adds to every table of a database: columns, an index and a trigger; and a table that refers to articles. */
export function migrateToNextVersion(db: string): Promise<void> {
  return runInPostgres(`${NEXT} ${noteMigrations(migrationAfter(1))}`, db)
}

/** The name of a later migration. `needed` is the oldest program that works with it, as a number of later migrations. */
export function migrationAfter(later: number, needed?: number): string {
  const name = (count: number) => String(POSTGRES_SCHEMA_VERSION + count).padStart(4, '0')
  return needed === undefined ? name(later) : `${name(later)}-needs-${name(needed)}`
}

/** SQL that makes migrations appear as executed. */
export function noteMigrations(...names: readonly string[]): string {
  return `insert into kb_migrations (name, timestamp) values ${names.map((name) => `('${name}', now())`).join()};`
}

const NEXT = `
  create table next_items (
    article_id text collate "C" primary key references articles (id) on delete cascade,
    noted timestamptz not null
  );
  create function next_note() returns trigger language plpgsql as $$ begin return null; end $$;
  do $$
  declare name text;
  begin
    for name in
      select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
        and relname <> 'next_items'
    loop
      execute format('alter table %I add column next_count bigint not null default 0, add column next_text text', name);
      execute format('create index on %I (next_count)', name);
      execute format('create trigger next_note after insert or update or delete on %I
        for each row execute function next_note()', name);
    end loop;
  end $$;
`
