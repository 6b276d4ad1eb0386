// One PostgreSQL server for all tests of a run that need one.
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/server/store/postgres/open-postgres.ts'
import { migrateToNextVersion } from './next-schema.ts'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database from which tests copy others. */
    readonly postgresTemplate: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const client = new Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  await client.query('create database kb_template')
  const template = server.urlOf('kb_template')
  // With the tables, but without a site.
  await (await openPostgres(template)).close()
  await client.query('create database kb_template_next template kb_template')
  await migrateToNextVersion(server.urlOf('kb_template_next'))
  await client.end()
  project.provide('postgresTemplate', template)
  return () => server.stop()
}
