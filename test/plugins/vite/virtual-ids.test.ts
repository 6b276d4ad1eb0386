import { expect, test } from 'vitest'
import { articleName, parseResolved, resolveName } from '../../../src/plugins/vite/virtual-ids.ts'

test.each([
  ['reset-password', 'virtual:kb/article/reset-password'],
  ['fr/mot-de-passe', 'virtual:kb/article/fr~2Fmot-de-passe'],
  // A name that ends like a style sheet or a script would be treated as one.
  ['style.css', 'virtual:kb/article/style~2ecss'],
  ['größe', 'virtual:kb/article/gr~C3~B6~C3~9Fe'],
  ["it's~(100%)!*", 'virtual:kb/article/it~27s~7e~28100~25~29~21~2a'],
  ['../../etc', 'virtual:kb/article/~2e~2e~2F~2e~2e~2Fetc'],
])('%s has a separate module, %s', (id, name) => {
  expect(articleName(id)).toBe(name)
  expect(parseResolved(resolveName(name) ?? '')).toEqual({ kind: 'article', id })
})

test('other modules are not resolved', () => {
  const names = ['virtual:kbd', 'kb', 'virtual:kb/other', './virtual:kb']
  expect(names.map(resolveName)).toEqual(names.map(() => undefined))
  expect(parseResolved('virtual:kb')).toBe(undefined)
  expect(parseResolved(`${resolveName('virtual:kb') ?? ''}?t=1`)).toEqual({ kind: 'index' })
})
