import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeDatabase } from '../../src/core/database-url.ts'
import { connectionOptions } from '../../src/server/store/postgres/connection-options.ts'
import { temporaryFolder } from '../support/folder.ts'

test('a URL is interpreted as in libpq', () => {
  const { host, port, user, password, database, ssl } = connectionOptions(
    'postgresql://anna:p%40ss%2Fword@[::1]:6000/my%20base',
  )
  expect({ host, port, user, password, database, ssl }).toEqual({
    host: '::1',
    port: 6000,
    user: 'anna',
    password: 'p@ss/word',
    database: 'my base',
    ssl: false,
  })
  for (const url of ['postgres://%2Frun%2Fpostgresql/kb', 'postgres:///kb?host=/run/postgresql']) {
    expect(connectionOptions(url)).toMatchObject({ host: '/run/postgresql', database: 'kb', ssl: false })
  }
})

test('certificates are verified unless the URL says otherwise', () => {
  const ca = join(temporaryFolder(), 'ca.pem')
  writeFileSync(ca, 'certificate')
  const tlsOf = (parameters: string, host = 'db.example.com') => {
    const { ssl } = connectionOptions(`postgres://${host}/kb${parameters}`)
    if (typeof ssl !== 'object') return ssl
    const { rejectUnauthorized, checkServerIdentity, ca: read } = ssl
    return [rejectUnauthorized, checkServerIdentity === undefined, read]
  }
  expect(tlsOf('')).toEqual([true, true, undefined])
  expect(tlsOf('?sslmode=verify-full', 'localhost')).toEqual([true, true, undefined])
  expect(tlsOf('?sslmode=verify-ca')).toEqual([true, false, undefined])
  expect(tlsOf('?sslmode=require')).toEqual([false, false, undefined])
  expect(tlsOf(`?sslmode=require&sslrootcert=${ca}`)).toEqual([true, false, 'certificate'])
  expect(tlsOf('?sslmode=disable')).toBe(false)
  expect(tlsOf('', '127.0.0.1')).toBe(false)
  vi.stubEnv('PGSSLMODE', 'require')
  vi.stubEnv('PGSSLROOTCERT', ca)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(tlsOf('', '127.0.0.1')).toEqual([true, false, 'certificate'])
  expect(tlsOf('?sslmode=disable')).toBe(false)
})

test('an unusable value is named, without the password', () => {
  for (const [parameters, reason] of [
    ['?sslmode=prefer', 'sslmode must be disable, require, verify-ca or verify-full, not "prefer"'],
    ['?sslmod=require', 'it has an unknown parameter "sslmod"'],
    ['?sslrootcert=/none.pem&sslmode=require', 'the file of sslrootcert could not be read'],
  ] as const) {
    expect(() => connectionOptions(`postgres://anna:secret@db/kb${parameters}`)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(`postgres://db/kb cannot be used: ${reason}`),
      }),
    )
  }
})

test('a password character that is not encoded is named, but no part of the password', () => {
  for (const [url, reason] of [
    ['postgres://anna:12#34@db/kb', 'special character'],
    ['postgres://anna:12/34@db/kb', 'special character'],
    ['postgres://anna:12?34@db/kb', 'special character'],
    ['postgres://anna:12%zz@db/kb', '"%"'],
    ['postgres://anna:1 2:34@[db/kb', 'not a valid URL'],
  ] as const) {
    expect(() => connectionOptions(url)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringMatching(
          new RegExp(`^The database URL postgres://\\[?db/kb cannot be used: it .*${reason}`),
        ),
      }),
    )
  }
})

test('a database is described without user, password and parameters', () => {
  for (const url of [
    'postgres://anna:secret@db/kb?sslmode=require',
    'postgres://anna:sec/ret@db/kb',
    'postgres://anna:se@cret@db/kb',
    'postgres://db/kb?password=secret',
  ]) {
    expect(describeDatabase(url)).toBe('postgres://db/kb')
  }
  expect(describeDatabase('/srv/a@b/kb.db')).toBe('/srv/a@b/kb.db')
})
