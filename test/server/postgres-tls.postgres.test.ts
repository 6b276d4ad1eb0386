// A PostgreSQL server with TLS and a self-signed certificate with the names 127.0.0.1 and kb.example.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inspectPostgres, openPostgres } from '../../src/server/store/postgres/open-postgres.ts'
import { SELF_SIGNED } from '../api/client/self-signed.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startPostgres } from '../support/start-postgres.ts'

test('the certificate is verified according to sslmode', async () => {
  const postgres = await startPostgres({ tls: SELF_SIGNED })
  onTestFinished(() => postgres.stop())
  const authority = join(temporaryFolder(), 'authority.pem')
  writeFileSync(authority, SELF_SIGNED.cert)
  const url = (parameters: string, host = '127.0.0.1') =>
    `${postgres.urlOf('postgres').replace('127.0.0.1', host)}?${parameters}`
  const trusted = `sslrootcert=${authority}`
  for (const accepted of [
    'sslmode=disable',
    'sslmode=require',
    `sslmode=require&${trusted}`,
    `sslmode=verify-ca&${trusted}`,
    `sslmode=verify-full&${trusted}`,
  ]) {
    expect(await inspectPostgres(url(accepted))).toBeUndefined()
  }
  expect(await inspectPostgres(url(`sslmode=verify-ca&${trusted}`, 'localhost'))).toBeUndefined()
  for (const [refused, reason] of [
    [url('sslmode=verify-full'), 'self-signed certificate'],
    [url('sslmode=verify-ca'), 'self-signed certificate'],
    [url(`sslmode=verify-full&${trusted}`, 'localhost'), "does not match certificate's altnames"],
  ] as const) {
    await expect(inspectPostgres(refused)).rejects.toMatchObject({
      code: 'DATABASE_UNUSABLE',
      message: expect.stringContaining(reason),
      hint: expect.stringContaining('sslrootcert'),
    })
  }
  const database = await openPostgres(url(`sslmode=verify-full&${trusted}`))
  expect(await database.revision('none')).toBe(0)
  await database.close()
})

test('a server without TLS is rejected, unless TLS is disabled', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  await expect(inspectPostgres(`${postgres.urlOf('postgres')}?sslmode=require`)).rejects.toMatchObject({
    code: 'DATABASE_UNUSABLE',
    message: expect.stringContaining('The server does not support SSL connections'),
  })
})
