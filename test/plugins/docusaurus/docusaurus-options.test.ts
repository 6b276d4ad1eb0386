import { expect, test } from 'vitest'
import { normaliseOptions } from '../../../src/plugins/docusaurus/docusaurus-options.ts'

test('every instance has an id', () => {
  expect([normaliseOptions({}), normaliseOptions({ id: 'second', routeBasePath: 'help' })]).toEqual([
    { id: 'default' },
    { id: 'second', routeBasePath: 'help' },
  ])
})

test.each([
  [
    { routeBasePat: 'help' },
    'The Docusaurus plugin of kb-sync has no option "routeBasePat". Did you mean "routeBasePath"?',
  ],
  [{ routeBasePath: true }, 'The Docusaurus plugin of kb-sync: routeBasePath must be of type string.'],
  [
    { routeBasePath: 'help', links: { article: '/{slug}' } },
    'The Docusaurus plugin of kb-sync accepts links or routeBasePath, not both.\nWith routeBasePath, the articles are pages of this site, and links between them point to these pages.',
  ],
])('%j is rejected', (options, message) => {
  expect(() => normaliseOptions(options)).toThrow(new Error(`kb-sync: ${message}`))
})
