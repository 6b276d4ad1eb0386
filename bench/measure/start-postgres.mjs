import { createJiti } from 'jiti'

/** Starts the PostgreSQL server that the tests use, but one whose commits wait for the disk. */
export async function startPostgres() {
  const support = await createJiti(import.meta.url).import('../../test/support/start-postgres.ts')
  return support.startPostgres({ durable: true })
}
