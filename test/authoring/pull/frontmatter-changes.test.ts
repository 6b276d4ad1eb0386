import { localCategory, localTag } from '../../support/local-taxonomy.ts'
import { expect, test } from 'vitest'
import type { RemoteCategory } from '../../../src/core/model/remote-article.ts'
import type { LocalTaxonomy } from '../../../src/core/model/taxonomy.ts'
import { createTaxonomyIndex } from '../../../src/sync/plan/taxonomy/taxonomy-index.ts'
import { createNameReferences } from '../../../src/authoring/pull/frontmatter-changes.ts'
import { desired } from '../../sync/plan/examples.ts'

const remote = (id: string, name: string, parentName?: string): RemoteCategory => ({
  id,
  name,
  order: 0,
  parentName,
  translations: [],
})

const REMOTE = [
  remote('1', 'Guides'),
  remote('2', 'Accounts', 'Guides'),
  remote('3', 'Sales'),
  remote('4', 'Accounts', 'Sales'),
]

const TAG_NAMES = new Map([
  ['t1', 'Safety'],
  ['t2', 'Speed'],
])

const category = (slug: string | undefined, ...path: string[]) => localCategory(path, { slug })

const WITH_FILES: LocalTaxonomy = {
  categories: [
    category('guides', 'Guides'),
    category('user-accounts', 'Guides', 'Accounts'),
    category('sales', 'Sales'),
    category('client-accounts', 'Sales', 'Accounts'),
  ],
  tags: [localTag('Safety', { slug: 'safe' })],
}

const NO_FILES: LocalTaxonomy = { categories: undefined, tags: undefined }

function writeNames(
  taxonomy: LocalTaxonomy,
  categoryIds: string[],
  tagIds: string[],
  { existing = [], used = [] }: { existing?: string[]; used?: string[] } = {},
) {
  const tagIdsByName = Object.fromEntries([...TAG_NAMES].map(([id, name]) => [name, id]))
  const names = createNameReferences({
    articles: [desired('other.md', { categories: used, tags: [] })],
    taxonomy,
    categories: REMOTE,
    tagNames: TAG_NAMES,
    index: createTaxonomyIndex({
      local: taxonomy,
      categories: REMOTE,
      categoryIds: {},
      tagIds: tagIdsByName,
      target: 'default',
      createsMissing: false,
    }),
  })({ categories: existing, tags: [] })
  return [...names.categories(categoryIds), ...names.tags(tagIds)]
}

test.each<[string, LocalTaxonomy, string[], string[], { existing?: string[]; used?: string[] }, string[]]>([
  ['by name', NO_FILES, ['1', '3'], ['t1', 't2'], {}, ['Guides', 'Sales', 'Safety', 'Speed']],
  ['by path where a name is ambiguous', NO_FILES, ['4', '2'], [], {}, ['Sales/Accounts', 'Guides/Accounts']],
  [
    'by path with a taxonomy file',
    WITH_FILES,
    ['2', '1'],
    ['t1'],
    {},
    ['Guides/Accounts', 'Guides', 'Safety'],
  ],
  [
    'as the file has it',
    WITH_FILES,
    ['3', '2'],
    [],
    { existing: ['user-accounts', 'guides'] },
    ['user-accounts', 'Sales'],
  ],
  [
    'as the other files have it',
    WITH_FILES,
    ['2', '1'],
    [],
    { used: ['user-accounts'] },
    ['user-accounts', 'Guides'],
  ],
  ['what the taxonomy file lacks, as the target calls it', WITH_FILES, [], ['t2'], {}, ['Speed']],
  ['an id that has no name', NO_FILES, ['9'], [], {}, ['9']],
])('categories and tags are written %s', (_, taxonomy, categoryIds, tagIds, files, expected) => {
  expect(writeNames(taxonomy, categoryIds, tagIds, files)).toEqual(expected)
})
