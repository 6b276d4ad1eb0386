import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { refuseForeign, type RequestOrigin } from '../../../src/watch/preview/preview-app.ts'

const VISIT: RequestOrigin = {
  method: 'GET',
  path: '/articles/one',
  host: '127.0.0.1:4400',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
}

const PRESS: RequestOrigin = {
  ...VISIT,
  method: 'POST',
  path: '/_kb/open',
  origin: 'http://127.0.0.1:4400',
  fetchSite: 'same-origin',
  fetchMode: 'cors',
}

function statusOf(request: RequestOrigin, servedHost = '127.0.0.1'): number {
  return refuseForeign(request, servedHost)?.status ?? 200
}

describe('the requested host name', () => {
  test.each([
    '127.0.0.1:4400',
    'localhost:4400',
    'LOCALHOST:4400',
    'docs.localhost:4400',
    '[::1]:4400',
    '192.168.1.20:4400',
    `${hostname()}:4400`,
    '127.0.0.1',
  ])('%s is our own', (host) => {
    expect(statusOf({ ...VISIT, host })).toBe(200)
  })

  test.each([
    'evil.example:4400',
    'localhost.evil.example',
    '127.0.0.1.evil.example:4400',
    'evil.example#localhost',
    'user@localhost:4400',
    'localhost/../x',
    'a b',
    '[::1',
  ])('%s is not', (host) => {
    expect(statusOf({ ...VISIT, host })).toBe(403)
  })

  test('the configured name is our own', () => {
    const visit = { ...VISIT, host: 'docs.example:4400' }

    expect([statusOf(visit, 'docs.example'), statusOf(visit)]).toEqual([200, 403])
  })

  test('is required', () => {
    expect(statusOf({ ...VISIT, host: undefined })).toBe(400)
  })
})

describe('the origin of a request', () => {
  test.each<[string, Partial<RequestOrigin>]>([
    ['the author types the address', { fetchSite: 'none', fetchMode: 'navigate' }],
    ['a link in a chat is followed', { fetchSite: 'cross-site', fetchMode: 'navigate' }],
    ['our page loads its script', { fetchSite: 'same-origin', fetchMode: 'cors' }],
    ['a program that is no browser', {}],
  ])('%s: accepted', (_, headers) => {
    expect(statusOf({ ...VISIT, ...headers })).toBe(200)
  })

  test.each<[string, Partial<RequestOrigin>]>([
    [
      'another site reads a page',
      { origin: 'http://evil.example', fetchSite: 'cross-site', fetchMode: 'cors' },
    ],
    [
      'a page of another port reads one',
      { origin: 'http://127.0.0.1:5173', fetchSite: 'same-site', fetchMode: 'cors' },
    ],
    ['another site loads it as a script', { fetchSite: 'cross-site', fetchMode: 'no-cors' }],
    ['a page without an origin reads it', { origin: 'null', fetchMode: 'cors' }],
    ['an old browser names the other site', { origin: 'http://evil.example' }],
  ])('%s: rejected', (_, headers) => {
    expect(statusOf({ ...VISIT, ...headers })).toBe(403)
  })

  test('the button of our page is accepted, that of another site is not', () => {
    expect([
      statusOf(PRESS),
      statusOf({ ...PRESS, origin: 'http://evil.example', fetchSite: 'cross-site', fetchMode: 'navigate' }),
      statusOf({ ...PRESS, origin: undefined, fetchSite: 'cross-site', fetchMode: 'navigate' }),
      statusOf({ ...PRESS, origin: 'http://127.0.0.1:5173', fetchSite: 'same-site' }),
    ]).toEqual([200, 403, 403, 403])
  })
})

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST'])('%s is not for pages', (method) => {
  expect(refuseForeign({ ...VISIT, method }, '127.0.0.1')).toEqual({
    status: 405,
    message: 'Pages are read-only.',
  })
})
