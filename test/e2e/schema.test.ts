import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createProject } from '../support/project.ts'

const SAMPLES: Readonly<Record<string, { accepts: readonly unknown[]; rejects: readonly unknown[] }>> = {
  frontmatter: {
    accepts: [
      { title: 'A' },
      { title: 'A', categories: 'Guides', tags: 'safety' },
      {
        title: 'A',
        slug: 'a',
        categories: ['Guides'],
        tags: ['safety'],
        excerpt: 'Short.',
        status: 'published',
        reviewDate: '2027-01-31',
        language: 'pt-BR',
        translationOf: 'b',
        order: 3,
        hideFromSearch: true,
        seoBannerUrl: 'https://example.com/a.png',
      },
    ],
    rejects: [
      {},
      { title: 7 },
      { title: 'A', tilte: 'B' },
      { title: 'A', categories: [] },
      { title: 'A', categories: { name: 'Guides' } },
      { title: 'A', status: 'public' },
      { title: 'A', language: 'english, british' },
    ],
  },
  categories: {
    accepts: [
      [],
      [{ name: 'Guides' }, { name: 'Accounts', slug: 'accounts', parent: 'Guides', priority: 2 }],
    ],
    rejects: [
      { name: 'Guides' },
      [{}],
      [{ name: 'Guides', prio: 1 }],
      [{ name: 'Guides', priority: 'high' }],
    ],
  },
  tags: {
    accepts: [
      [
        { name: 'Safety', id: 'id-1' },
        { name: 'Security', id: { staging: 'id-2' } },
      ],
    ],
    rejects: [[{ slug: 'safety' }], [{ name: 'Safety', id: 7 }]],
  },
  config: {
    accepts: [{}, { project: 'demo', target: 'builtin', sync: { maxDeletes: '10%', prune: true } }],
    rejects: [{ contnet: 'docs' }, { sync: { onConflict: 'ask' } }, { target: 'remote' }],
  },
}

/** The file that editors are pointed at. */
function shippedSchema(name: string): string {
  return fileURLToPath(import.meta.resolve(`kb-sync/schemas/${name}.json`))
}

test.each(Object.entries(SAMPLES))(
  'kb schema %s accepts what kb accepts',
  async (name, { accepts, rejects }) => {
    const { code, json, stderr } = await createProject().kb('schema', name)
    expect([code, stderr]).toEqual([0, ''])
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(json as object)
    // What an editor finds in the package is the same.
    expect(JSON.parse(readFileSync(shippedSchema(name), 'utf8'))).toEqual(json)
    expect(accepts.map((sample) => [sample, validate(sample)])).toEqual(
      accepts.map((sample) => [sample, true]),
    )
    expect(rejects.map((sample) => [sample, validate(sample)])).toEqual(
      rejects.map((sample) => [sample, false]),
    )
  },
)

test('kb schema openapi describes the nine operations, and apart from them the extensions', async () => {
  const { code, json } = await createProject().kb('schema', 'openapi')
  const { openapi, paths } = json as { openapi: string; paths: Record<string, object> }
  expect([code, openapi]).toEqual([0, '3.1.0'])
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { tags: string[] }>).map(([method, { tags }]) => ({
      name: `${method} ${path}`,
      isExtension: tags.includes('extensions'),
    })),
  )
  const named = (isExtension: boolean) =>
    operations.filter((operation) => operation.isExtension === isExtension).map(({ name }) => name)
  expect(named(true).toSorted()).toEqual([
    'get /api/v2/articles',
    'get /api/v2/tools/redirects',
    'options /api/v2/articles',
    'post /api/v2/articles',
    'post /api/v2/articles/{id}',
    'post /api/v2/files/missing',
    'post /api/v2/tools/sources',
    'put /api/v2/files/{id}',
  ])
  expect(named(false).toSorted()).toEqual([
    'delete /api/v2/articles/{id}',
    'get /api/v2/articles/{id}',
    'get /api/v2/categories',
    'get /api/v2/tags/{id}',
    'get /api/v2/tools/link_manager',
    'get /api/v2/tools/review_dates',
    'post /api/v2/categories/{id}',
    'post /api/v2/tags/{id}',
    'put /api/v2/articles',
  ])
})

test('without a name, the names are printed', async () => {
  const project = createProject()
  const listed = await project.kb('schema')
  const names = ['frontmatter', 'categories', 'tags', 'config', 'openapi']
  expect(listed).toMatchObject({ code: 0, stdout: names.map((name) => `${name}\n`).join(''), stderr: '' })
  expect((await project.kb('schema', '--json')).json).toEqual(names)
})

test('an unknown schema is a usage error with a suggestion', async () => {
  expect(await createProject().kb('schema', 'frontmater')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: There is no schema "frontmater". [USAGE]\nhint: Did you mean "frontmatter"?\n',
  })
})
