import type Libsql from 'libsql'

/**
 * Puts what is in the attached database `copy` in the place of what is in `main`. To be called inside a transaction
 * with foreign keys off; both have the same schema, and `copy` is left changed.
 *
 * Two things outlive it: the default site keeps its id, since running servers know it, and a key that was revoked
 * stays revoked. The revision rises beyond both, so that nobody takes the new state for one seen before.
 */
export function replaceContents(connection: Libsql.Database, defaultSite: string): void {
  keepSiteId(connection, defaultSite)
  connection.exec(`
    update copy.api_keys set revoked_at = (select revoked_at from main.api_keys as live where live.hash = api_keys.hash)
      where revoked_at is null and hash in (select hash from main.api_keys where revoked_at is not null);
    update copy.meta set revision =
      max(revision, (select revision from main.meta)) + 1;
  `)
  for (const table of tablesOf(connection)) {
    const columns = columnsOf(connection, table).join(', ')
    connection.exec(
      `delete from main."${table}"; insert into main."${table}" (${columns}) select ${columns} from copy."${table}"`,
    )
  }
}

function keepSiteId(connection: Libsql.Database, name: string): void {
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
