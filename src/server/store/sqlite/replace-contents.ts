import type Libsql from 'libsql'

/** United and never replaced: a key that was revoked here or there stays revoked, through every chain of restores. */
const REVOKED = 'revoked_keys'

/**
 * Puts what is in the attached database `copy` in the place of what is in `main`. To be called inside a transaction
 * with foreign keys off; both have the same schema, and `copy` is left changed.
 *
 * Two things outlive it: the default site keeps its id, since running servers know it, and a key that was revoked
 * stays revoked. The revision rises beyond both, so that no one takes the new state for one seen before.
 *
 * @param onTable told of every table that was replaced
 */
export function replaceContents(
  connection: Libsql.Database,
  defaultSite: string,
  onTable: (table: string) => void,
): void {
  adoptSite(connection, defaultSite)
  uniteRevoked(connection)
  connection.exec(
    'update copy.meta set revision = max(revision, (select revision from main.meta)) + 1 where id = 1',
  )
  for (const table of tablesOf(connection).filter((name) => name !== REVOKED)) {
    replaceTable(connection, table)
    onTable(table)
  }
}

/** Gives the site `name` in `copy` the id that it has in `main`; nothing to be done where it has it already. */
export function adoptSite(connection: Libsql.Database, name: string): void {
  const find = (schema: 'main' | 'copy') =>
    (
      connection.prepare(`select id from ${schema}.sites where name = ?`).get(name) as
        | { id: string }
        | undefined
    )?.id
  const [live, restored] = [find('main'), find('copy')]
  if (live === undefined || restored === undefined || live === restored) return
  for (const table of tablesOf(connection)) {
    const column = table === 'sites' ? 'id' : 'site_id'
    if (!columnsOf(connection, table).includes(`"${column}"`)) continue
    connection.prepare(`update copy."${table}" set ${column} = ? where ${column} = ?`).run(live, restored)
  }
  for (const table of ['links', 'link_checks']) adoptTargets(connection, table, live, restored)
}

/** The targets of relative links name the site, too (see link-target.ts). */
function adoptTargets(connection: Libsql.Database, table: string, live: string, restored: string): void {
  const [before, after] = [`article:${restored}:`, `article:${live}:`]
  connection
    .prepare(
      `update or replace copy."${table}" set target = ? || substr(target, ?) where substr(target, 1, ?) = ?`,
    )
    .run(after, before.length + 1, before.length, before)
}

function uniteRevoked(connection: Libsql.Database): void {
  connection.exec(`
    insert or ignore into main.${REVOKED}
      select hash, revoked_at from main.api_keys where revoked_at is not null
      union all select hash, revoked_at from copy.api_keys where revoked_at is not null
      union all select hash, revoked_at from copy.${REVOKED};
    update copy.api_keys set revoked_at =
        (select known.revoked_at from main.${REVOKED} as known where known.hash = api_keys.hash)
      where revoked_at is null and hash in (select hash from main.${REVOKED});
  `)
}

function replaceTable(connection: Libsql.Database, table: string): void {
  const columns = columnsOf(connection, table).join(', ')
  connection.exec(
    `delete from main."${table}"; insert into main."${table}" (${columns}) select ${columns} from copy."${table}"`,
  )
}

function tablesOf(connection: Libsql.Database): string[] {
  const rows = connection
    .prepare("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
  return (rows as { name: string }[]).map(({ name }) => name)
}

function columnsOf(connection: Libsql.Database, table: string): string[] {
  const rows = connection.prepare('select name from pragma_table_info(?)').all(table)
  return (rows as { name: string }[]).map(({ name }) => `"${name}"`)
}
