// The JSON Schemas for editors, checked by a third-party validator.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { frontmatterSchema } from '../../src/content/frontmatter/frontmatter-schema.ts'
import { categoriesSchema, tagsSchema } from '../../src/content/taxonomy/taxonomy-schema.ts'
import { JSON_SCHEMAS } from '../../src/kb/json-schemas.ts'

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url))

type Name = keyof typeof JSON_SCHEMAS

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly $schema?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | false
}

async function compile(name: Name): Promise<ValidateFunction> {
  // `strictTypes` would require a union to list its types, and a condition to repeat its type.
  return new Ajv2020({ strict: true, allowUnionTypes: true }).compile(await JSON_SCHEMAS[name]())
}

/** Returns the properties without a description, by path. */
function undescribed(schema: Schema, path = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
    ...(value.description === undefined ? [`${path}.${key}`] : []),
    ...undescribed(value, `${path}.${key}`),
  ])
  const inner = [schema.items, ...(schema.anyOf ?? []), schema.additionalProperties].flatMap((each) =>
    each ? undescribed(each, path) : [],
  )
  return [...own, ...inner]
}

const NAMES = Object.keys(JSON_SCHEMAS) as Name[]

test.each(NAMES)('the schema of %s is whole, and every key says what it is for', async (name) => {
  const schema = (await JSON_SCHEMAS[name]()) as Schema
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: expect.stringContaining('kb-sync') as string,
    description: expect.stringMatching(/\.$/) as string,
  })
  expect(undescribed(schema)).toEqual([])
  await expect(compile(name)).resolves.toBeTypeOf('function')
})

test('the files of the guide are accepted', async () => {
  const read = (file: string) => readFileSync(join(CONTENT, file), 'utf8')
  const pages = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  const files: [Name, string, string][] = [
    ...pages.map((file): [Name, string, string] => ['frontmatter', file, read(file).split('---\n')[1] ?? '']),
    ['categories', '_categories.yml', read('_categories.yml')],
    ['tags', '_tags.yml', read('_tags.yml')],
  ]
  expect(files.length).toBeGreaterThan(30)
  const validators = new Map(
    await Promise.all(NAMES.map(async (name) => [name, await compile(name)] as const)),
  )
  for (const [name, file, text] of files) {
    const validate = validators.get(name)
    validate?.(parse(text))
    expect({ file, errors: validate?.errors }).toEqual({ file, errors: null })
  }
})

/** Values that both the schema and kb-sync itself reject. */
const BROKEN: Readonly<Record<'frontmatter' | 'categories' | 'tags', readonly unknown[]>> = {
  frontmatter: [
    {},
    { title: ' ' },
    { title: 'A', tilte: 'B' },
    { title: 'A', slug: 'a b' },
    { title: 'A', slug: '' },
    { title: 'A', slug: '\u{1f600}'.repeat(201) },
    { title: 'A', reviewDate: 'soon' },
    { title: 'A', reviewDate: '2027-1-31' },
    { title: 'A', language: 'english, british' },
    { title: 'A', seoBannerUrl: '' },
    { title: 'A', seoBannerUrl: '/img/a b.png' },
    { title: 'A', seoBannerUrl: 'JavaScript:alert(1)' },
    { title: 'A', seoBannerUrl: '\tjavascript:alert(1)' },
    { title: 'A', order: 'first' },
  ],
  categories: [
    {},
    [{}],
    [{ name: '' }],
    [{ name: 'A', iconUrl: '//x/a.svg' }],
    [{ name: 'A', translations: { fr: { name: 'B' } } }],
    [{ name: 'A', translations: ['fr'] }],
  ],
  tags: [[{ slug: 'a' }], [{ name: 'A', priority: 1 }], [{ name: 'A', id: 7 }]],
}
const SCHEMAS = { frontmatter: frontmatterSchema, categories: categoriesSchema, tags: tagsSchema }

test.each(Object.entries(BROKEN))('the schema of %s refuses what kb check refuses', async (name, values) => {
  const validate = await compile(name as Name)
  const own = SCHEMAS[name as keyof typeof SCHEMAS]
  for (const value of values) {
    expect({ value, schema: validate(value), own: own.safeParse(value).success }).toEqual({
      value,
      schema: false,
      own: false,
    })
  }
})

test('characters are counted as by kb check', async () => {
  const validate = await compile('frontmatter')
  const value = { title: 'A', slug: '\u{1f600}'.repeat(200), excerpt: '\u{1f600}'.repeat(160) }
  expect([validate(value), frontmatterSchema.safeParse(value).success]).toEqual([true, true])
  expect(validate({ ...value, excerpt: `${value.excerpt}.` })).toBe(false)
})

test('the schema of the configuration knows its forms', async () => {
  const validate = await compile('config')
  const accepted = [
    {},
    { target: 'builtin' },
    { target: { url: 'HTTPS://help.example.com' }, sync: { maxDeletes: 5, timeout: '1.5s' } },
    {
      rules: { 'bare-url': 'off' },
      links: { article: '/{language}/{slug}' },
      assets: { inlineUnder: '8kB' },
    },
  ]
  const refused = [
    { target: 'elsewhere' },
    { target: { url: 'help.example.com' } },
    { rules: { 'bare-url': 'warn' } },
    { rules: { 'slug-duplicate': 'off' } },
    { links: { article: '/articles' } },
    { sync: { timeout: '30' } },
    { assets: { inlineUnder: '8 KB' } },
    { defaults: { reviewAfter: '6m' } },
  ]
  expect(accepted.map((config) => validate(config))).toEqual(accepted.map(() => true))
  expect(refused.map((config) => validate(config))).toEqual(refused.map(() => false))
})
