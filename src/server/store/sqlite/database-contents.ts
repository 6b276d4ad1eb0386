import type Libsql from 'libsql'

/** How much is in a database. */
export interface DatabaseContents {
  readonly sites: number
  readonly users: number
  readonly keys: number
  readonly categories: number
  readonly tags: number
  readonly articles: number
}

/** Counts what is in a database, of whichever schema version. */
export function countContents(connection: Libsql.Database): DatabaseContents {
  const count = (table: string) =>
    (connection.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
  return {
    sites: count('sites'),
    users: count('users'),
    keys: count('api_keys'),
    categories: count('categories'),
    tags: count('tags'),
    articles: count('articles'),
  }
}
