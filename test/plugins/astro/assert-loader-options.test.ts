import { expect, test } from 'vitest'
import { kbCategoriesLoader, kbLoader, kbTagsLoader } from '../../../src/plugins/astro.ts'

test.each([kbLoader, kbCategoriesLoader, kbTagsLoader])('a loader rejects unknown options', (loader) => {
  const of = (options: unknown) => () => loader(options as object)
  expect(of({ confg: 'a' })).toThrow('A loader of kb-sync for Astro has no option "confg", only "config".')
  expect(of({ config: 1 })).toThrow('A loader of kb-sync for Astro: config must be of type string.')
  expect(of(null)).toThrow('A loader of kb-sync for Astro requires an object with options.')
})
