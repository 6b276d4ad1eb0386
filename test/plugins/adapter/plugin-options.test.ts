import { expect, test } from 'vitest'
import { assertPluginOptions } from '../../../src/plugins/adapter/plugin-options.ts'

const assertOptions = (options: unknown) =>
  assertPluginOptions('The Test plugin', options, { routeBasePath: 'string' })

test('options listed in the guide are accepted, and so is undefined', () => {
  const link = ({ slug }: { readonly slug: string }) => `/${slug}`
  for (const options of [
    {},
    { config: 'kb.config.ts', sync: 'build', check: 'warn', drafts: true, links: { article: '/{slug}' } },
    { sync: 'watch', check: 'error', drafts: false, links: { article: link, tag: undefined } },
    { sync: 'never', routeBasePath: '/help' },
    { config: undefined, sync: undefined, check: undefined, drafts: undefined, links: undefined },
  ])
    expect(assertOptions(options)).toBeUndefined()
})

test.each<[string, unknown]>([
  ['The Test plugin of kb-sync requires an object with options.', null],
  ['The Test plugin of kb-sync requires an object with options.', 'build'],
  ['The Test plugin of kb-sync has no option "synk". Did you mean "sync"?', { synk: 'build' }],
  [
    'The Test plugin of kb-sync has no option "x". The options are: sync, check, config, drafts, links, routeBasePath.',
    { x: 1 },
  ],
  ['The Test plugin of kb-sync: sync must be build, watch or never.', { sync: true }],
  ['The Test plugin of kb-sync: check must be error or warn.', { check: 'off' }],
  ['The Test plugin of kb-sync: drafts must be of type boolean.', { drafts: 'yes' }],
  ['The Test plugin of kb-sync: config must be of type string.', { config: 3 }],
  ['The Test plugin of kb-sync: routeBasePath must be of type string.', { routeBasePath: [] }],
  ['The Test plugin of kb-sync: links must be of type object.', { links: null }],
  [
    'The Test plugin of kb-sync: links.article must be a pattern with {slug} or {id}, or a function.',
    { links: { article: '/help' } },
  ],
  [
    'The Test plugin of kb-sync: links has no "categories". Did you mean "category"?',
    { links: { categories: '/{slug}' } },
  ],
])('%s', (message, options) => {
  let thrown: unknown
  try {
    assertOptions(options)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code: 'CONFIG_INVALID', message, hint: undefined })
})
