import { describe, expect, test } from 'vitest'
import { type BuildPlace, maySync } from '../../../src/plugins/adapter/may-sync.ts'

const HERE = { isCI: false, isPR: null }
const MAIN = { isCI: true, isPR: false }
const PROPOSED = { isCI: true, isPR: true }

describe('without KB_SYNC', () => {
  test('CI sends, unless it builds a pull request', () => {
    expect([HERE, MAIN, PROPOSED, { isCI: true, isPR: null }].map((place) => maySync({}, place))).toEqual([
      { kind: 'refused', reason: 'this is not a CI build; set KB_SYNC=1 to send anyway' },
      { kind: 'allowed' },
      { kind: 'refused', reason: 'this builds a pull request' },
      // A service that does not state what it builds.
      { kind: 'allowed' },
    ])
  })

  test.each([
    ['GITHUB_EVENT_NAME', 'pull_request_target'],
    ['GITHUB_EVENT_NAME', 'merge_group'],
    ['VERCEL_ENV', 'preview'],
    ['CONTEXT', 'branch-deploy'],
  ])('a build with %s=%s is of a proposed change', (name, value) => {
    const reason = `this builds a preview (${name} is ${value}); set KB_SYNC=1 to send anyway`
    expect(maySync({ [name]: value }, MAIN)).toEqual({ kind: 'refused', reason })
    expect(maySync({ [name]: 'production' }, MAIN)).toEqual({ kind: 'allowed' })
    expect(maySync({ [name]: value, KB_SYNC: '1' }, MAIN)).toEqual({ kind: 'allowed' })
  })

  test('unrelated variables do not matter if nothing is sent', () => {
    const elsewhere: [Record<string, string>, BuildPlace][] = [
      [{}, HERE],
      [{}, PROPOSED],
      [{ VERCEL_ENV: 'preview' }, MAIN],
      [{ KB_SYNC: '0' }, MAIN],
    ]
    for (const [env, place] of elsewhere)
      expect(maySync({ KB_DATABASE: 'x', ...env }, place).kind).toBe('refused')
    expect(() => maySync({ KB_DATABASE: 'x' }, MAIN)).toThrow('KB_DATABASE is unknown')
  })

  test('an empty value counts as unset', () => {
    expect(maySync({ KB_SYNC: '' }, HERE).kind).toBe('refused')
  })
})

describe('KB_SYNC', () => {
  test.each(['1', 'true'])('%s sends from anywhere', (value) => {
    for (const place of [HERE, MAIN, PROPOSED])
      expect(maySync({ KB_SYNC: value }, place)).toEqual({ kind: 'allowed' })
  })

  test.each(['0', 'false'])('%s sends from nowhere', (value) => {
    for (const place of [HERE, MAIN, PROPOSED])
      expect(maySync({ KB_SYNC: value }, place)).toEqual({ kind: 'refused', reason: 'KB_SYNC is 0' })
  })

  test('any other value is rejected', () => {
    expect(() => maySync({ KB_SYNC: 'yes' }, MAIN)).toThrow('KB_SYNC must be 1 or 0, not "yes".')
    expect(() => maySync({ KB_SINC: '1' }, MAIN)).toThrow('KB_SINC is unknown')
  })
})
