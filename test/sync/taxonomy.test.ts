// Categories, tags and languages on a service that cannot create them.
import { expect, test } from 'vitest'
import type { KbConfig } from '../../src/core/config/schema.ts'
import { article, type Files } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { counts, createSyncProject, outcomeOf } from '../support/sync-project.ts'

async function start(files: Files, config?: KbConfig) {
  const service = await startStrictService()
  return { service, project: createSyncProject(service.url, files, config) }
}

test('a category that the target lacks is reported once, with the documents that use it', async () => {
  const { service, project } = await start({
    'content/a.md': article('A', { categories: ['Guides', 'Recipes'] }),
    'content/b.md': article('B', { categories: ['Recipes'] }),
    'content/c.md': article('C'),
  })
  const result = await project.sync()
  expect(result.diagnostics).toEqual([
    {
      code: 'category-unknown',
      severity: 'error',
      file: 'content/a.md',
      line: 3,
      column: 23,
      end: { line: 3, column: 32 },
      message: 'The target has no category "Recipes" (used by a.md, b.md).',
      hint: 'The API cannot create it. Create it in the web interface of the service.',
    },
  ])
  expect(service.articles()).toEqual([])
})

test('many categories and tags that the target lacks are one problem each, with one fix', async () => {
  const names = (prefix: string) => Array.from({ length: 12 }, (_, index) => `${prefix} ${index}`)
  const files = {
    'content/a.md': article('A', { categories: names('Topic'), tags: names('Tag').slice(0, 4) }),
    'content/b.md': article('B', { categories: ['Topic 0'], tags: ['Tag 0'] }),
  }
  const { project } = await start(files)
  const shown = (await project.sync()).diagnostics.map(({ code, file, line, message, hint }) => ({
    at: `${file}:${line} ${code}`,
    message,
    hint,
  }))
  const listed = (all: readonly string[]) => all.map((name) => `"${name}"`).join(', ')
  expect(shown).toEqual([
    {
      at: 'content/a.md:3 category-unknown',
      message: `The target has none of 12 categories: ${listed(names('Topic').slice(0, 10))} and 2 more (used by a.md, b.md).`,
      hint: 'The API cannot create categories. Create them in the web interface of the service, or use categories that the target has.',
    },
    {
      at: 'content/a.md:4 tag-unknown',
      message: `The target has none of 4 tags: ${listed(names('Tag').slice(0, 4))} (used by a.md, b.md).`,
      hint: 'The API neither lists nor creates tags. Find their ids, or create them, in the web interface of the service, and add each id as `id: …` to _tags.yml.',
    },
  ])
})

test('for a kb-sync server, the hint contains its command', async () => {
  const service = await startStrictService({ extensions: ['update'] })
  const files = { 'content/a.md': article('A', { categories: ['New recipes/Sweet'], tags: ['none'] }) }
  const { diagnostics } = await createSyncProject(service.url, files).sync()
  expect(diagnostics.map(({ hint }) => hint)).toEqual([
    'The API cannot create it. On the server, run kb admin categories add Sweet --parent "New recipes".',
    'The API neither lists nor creates tags. On the server, run kb admin tags list, or kb admin tags add none if it is not there, and add the id as `id: …` to _tags.yml.',
  ])
})

test('tags are found by the ids in _tags.yml', async () => {
  const { service, project } = await start({ 'content/a.md': article('A', { tags: ['safety'] }) })
  expect((await project.sync()).diagnostics).toMatchObject([
    { code: 'tag-unknown', file: 'content/a.md', line: 4, column: 8 },
  ])
  const [tag] = service.tags()
  project.write({ 'content/_tags.yml': `- name: Safety\n  slug: safety\n  id: ${tag?.id}\n` })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  expect(service.articleAt('a').tagIds).toEqual([tag?.id])
})

test('tags are found by the articles that have them', async () => {
  const { service, project } = await start({ 'content/a.md': article('A', { tags: ['Safety'] }) })
  const [tag] = service.tags()
  service.add({ title: 'By hand', slug: 'by-hand', tagIds: [tag?.id ?? ''] })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  expect(service.articleAt('a').tagIds).toEqual([tag?.id])
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 1 })
})

test('a document in another language is skipped, with a warning', async () => {
  const { service, project } = await start({
    'content/a.md': article('A'),
    'content/fr/a.md': article('Un', { slug: 'a', language: 'fr' }),
  })
  const first = await project.sync()
  expect(outcomeOf(first)).toEqual({
    created: 1,
    skipped: 1,
    operations: ['skip fr/a.md skipped: the target does not support languages', 'create a.md done'],
    diagnostics: ['language-not-sent'],
  })
  expect(first.diagnostics).toMatchObject([
    { severity: 'warning', file: 'content/fr/a.md', line: 5, column: 11 },
  ])
  expect(service.articles().map(({ title }) => title)).toEqual(['A'])
})

const TAXONOMY: Files = {
  'content/a.md': article('A'),
  'content/_categories.yml':
    '- name: Guides\n  slug: guides\n  priority: 7\n- name: Accounts\n  slug: accounts\n  parent: Guides\n',
}

test('taxonomy "check" reports differences and changes nothing', async () => {
  const { service, project } = await start(TAXONOMY)
  const result = await project.sync()
  expect(counts(result.taxonomy)).toEqual({ skipped: 1, unchanged: 1 })
  expect(result.operations).toMatchObject([
    { kind: 'category', action: 'skip', reason: 'differs in priority; sync.taxonomy is "check"' },
    { kind: 'article', action: 'create', outcome: 'done' },
  ])
  expect(service.categories().map(({ order }) => order)).toEqual([0, 0])
})

test('taxonomy "update" sends the differences, once', async () => {
  const { service, project } = await start(TAXONOMY, { sync: { taxonomy: 'update' } })
  expect(counts((await project.sync()).taxonomy)).toEqual({ updated: 1, unchanged: 1 })
  expect(service.categories()).toMatchObject([
    { name: 'Guides', order: 7, parentId: '' },
    { name: 'Accounts', order: 0 },
  ])
  expect(counts((await project.sync()).taxonomy)).toEqual({ unchanged: 2 })
  const [tag] = service.tags()
  project.write({
    'content/_tags.yml': `- name: Safety first\n  slug: safety\n  longDescription: "*Safe*"\n  id: ${tag?.id}\n`,
  })
  expect(counts((await project.sync()).taxonomy)).toEqual({ updated: 1, unchanged: 2 })
  expect(service.tags()).toEqual([
    { ...tag, name: 'Safety first', longDescription: '<p><em>Safe</em></p>\n' },
  ])
  project.forgetState()
  expect(counts((await project.sync()).taxonomy)).toEqual({ unchanged: 3 })
})
