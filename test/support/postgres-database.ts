import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** The database that is copied for one with the tables of this version, of an invented later one, or none. */
const TEMPLATES = { ours: 'kb_template', next: 'kb_template_next', none: 'template0' }

/** Returns the URL of a new database, which is removed after the test. */
export async function createPostgresDatabase(tables: keyof typeof TEMPLATES = 'ours'): Promise<string> {
  const template = inject('postgresTemplate')
  const name = `kb_${randomUUID().replaceAll('-', '')}`
  await runInPostgres(`create database ${name} template ${TEMPLATES[tables]} strategy file_copy`)
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
