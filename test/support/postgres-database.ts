import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** URL of a database with the tables of kb-sync, or without any; it is removed when the test is over. */
export async function createPostgresDatabase(tables: 'ours' | 'none' = 'ours'): Promise<string> {
  const template = inject('postgresTemplate')
  const name = `kb_${randomUUID().replaceAll('-', '')}`
  await runInPostgres(`create database ${name} template ${tables === 'ours' ? 'kb_template' : 'template0'}`)
  onTestFinished(() => runInPostgres(`drop database ${name} with (force)`))
  return template.replace('kb_template', name)
}

/** Runs SQL as the server's administrator. */
export async function runInPostgres(sql: string, url?: string): Promise<void> {
  const client = new Client({
    connectionString: url ?? inject('postgresTemplate').replace('kb_template', 'postgres'),
  })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
