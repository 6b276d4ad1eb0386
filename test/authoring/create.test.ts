import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KbConfig } from '../../src/core/config/schema.ts'
import type { CategoryChoice, CreateOptions } from '../../src/authoring/create/create-options.ts'
import type { Files } from '../content/load-files.ts'
import { anyCharacter } from '../support/any-character.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { createAuthoringProject } from './authoring-project.ts'

const RUNS = readRuns('FUZZ', 40)

const CATEGORIES = `- name: Guides
  slug: guides
- name: Accounts
  slug: accounts
  parent: Guides
- name: Prices & more
  slug: prices
`
const page = (title: string, fields = 'categories: [guides]'): string =>
  `---\ntitle: ${title}\n${fields}\n---\n\nText.\n`

const FILES: Files = {
  '_categories.yml': CATEGORIES,
  '_tags.yml': '- name: Login\n  slug: login\n',
  'how/one.md': page('One'),
  'how/two.md': page('Two'),
  'three.md': page('Three'),
}
const LANGUAGES: KbConfig = { server: { languages: ['en', 'fr', 'pt-BR'] } }

function project(files: Files = FILES, config: KbConfig = LANGUAGES) {
  return createAuthoringProject(files, config)
}

/** Returns only the new file. */
async function created(title: string, options: Partial<CreateOptions>, files?: Files, config?: KbConfig) {
  const one = project(files, config)
  const { file, text, slug, line } = await one.create(title, options)
  expect(one.contents()[file.replace(/^content\//, '')]).toBe(text)
  expect(text.split('\n')).toHaveLength(line)
  expect(await one.check()).toEqual([])
  return { file, slug, text }
}

test('fields that the configured rules require are written or reported as missing', async () => {
  const one = project(FILES, { rules: { 'excerpt-missing': 'error', 'review-date-missing': 'error' } })
  const now = () => new Date('2026-07-01T12:00:00Z')
  const { text, missing, file } = await one.create('A', { categories: ['guides'], now })
  expect({ text, missing }).toEqual({
    text: '---\ntitle: A\ncategories: [guides]\nreviewDate: 2026-12-28\n---\n\n',
    missing: ['excerpt'],
  })
  const left = (await one.check()).filter((problem) => problem.includes(file))
  expect(left).toEqual(['excerpt-missing content/how/a.md'])
})

describe('location and content', () => {
  test('in the folder with most articles of the category', async () => {
    expect(await created('Reset your password', { categories: ['guides'] })).toEqual({
      file: 'content/how/reset-your-password.md',
      slug: 'reset-your-password',
      text: '---\ntitle: Reset your password\ncategories: [guides]\n---\n\n',
    })
  })

  test('in that of the nearest ancestor', async () => {
    const { file } = await created('A', { categories: ['Guides/Accounts'], tags: ['login'] })
    expect(file).toBe('content/how/a.md')
  })

  test('in one named after the category, in the case of the existing folder', async () => {
    const { file, text } = await created('A: b', { categories: ['Prices & more'] })
    expect({ file, text }).toEqual({
      file: 'content/prices/a-b.md',
      text: "---\ntitle: 'A: b'\ncategories: [Prices & more]\n---\n\n",
    })
    const one = project()
    mkdirSync(join(one.root, 'content/Prices'))
    expect((await one.create('A', { categories: ['prices'] })).file).toBe('content/Prices/a.md')
  })

  test.each(['content/x/y', 'x/y', './content/x/y/'])('in the folder %s', async (folder) => {
    const { file } = await created('A', { categories: ['guides'], folder })
    expect(file).toBe('content/x/y/a.md')
  })

  test('a draft, even if articles are published by default', async () => {
    const config: KbConfig = { defaults: { status: 'published', categories: ['guides'] } }
    const { text } = await created('A', {}, FILES, config)
    expect(text).toBe('---\ntitle: A\nstatus: draft\n---\n\n')
  })

  test('in the only category', async () => {
    const { text } = await created('A', {}, { '_categories.yml': '- name: Guides\n  slug: guides\n' })
    expect(text).toContain('categories: [Guides]')
    const { file } = await created('A', {}, { 'x/y.md': page('Y', 'categories: [Help/More]') })
    expect(file).toBe('content/x/a.md')
  })

  test('in the category that the user chooses', async () => {
    const asked: CategoryChoice[] = []
    const one = project()
    const { categories } = await one.create('A', {
      chooseCategory: (choices) => {
        asked.push(...choices)
        return Promise.resolve(choices[1]?.reference ?? '')
      },
    })
    expect(categories).toEqual(['Accounts'])
    expect(asked).toEqual([
      { reference: 'guides', path: 'Guides', articles: 3 },
      { reference: 'Accounts', path: 'Guides/Accounts', articles: 0 },
      { reference: 'Prices & more', path: 'Prices & more', articles: 0 },
    ])
  })

  test('in an empty project', async () => {
    const one = project({ 'x.txt': '' })
    await expect(one.create('A')).rejects.toMatchObject({ hint: 'Add one with --category.' })
    expect((await one.create('A', { categories: ['Help/First steps'] })).file).toBe(
      'content/help/first-steps/a.md',
    )
  })

  test('a slug that cannot be a file name is written to the file', async () => {
    const { file, text } = await created('A', { categories: ['guides'], slug: 'con' })
    expect(file).toBe('content/how/article-con.md')
    expect(text).toContain('\nslug: con\n')
  })

  test('a dry run has the same result but writes nothing', async () => {
    const one = project()
    const before = one.contents()
    const planned = await one.create('A', { categories: ['guides'], dryRun: true })
    expect(one.contents()).toEqual(before)
    expect({ ...planned, dryRun: false }).toEqual(await one.create('A', { categories: ['guides'] }))
  })
})

describe('names', () => {
  test.each([
    ['Passwort zurücksetzen', 'passwort-zurücksetzen'],
    ['パスワードをリセット', 'パスワードをリセット'],
    ['كيف تعيد تعيين كلمة المرور', 'كيف-تعيد-تعيين-كلمة-المرور'],
    ['😀 🎉', 'article'],
    ['../../x', 'x'],
    ['/etc/passwd', 'etcpasswd'],
    ['CON', 'article-con'],
    ['index', 'index-2'],
    ['README', 'readme-2'],
    ['One', 'one-2'],
    ['.hidden', 'hidden'],
    ['_private', 'private'],
    ['a & b — c', 'a-b-c'],
    ["L'été où j’ai dit d'sé", 'l-été-où-j-ai-dit-d-sé'],
    [
      "Don't say you’ll use l’Sélection or Smith's КОМП'ЮТЕР",
      'dont-say-youll-use-l-sélection-or-smiths-компютер',
    ],
    ['x'.repeat(300), 'x'.repeat(90)],
    ['u\u0308ber', 'über'],
    ['a\nb\u0007c', 'a-b-c'],
  ])('%j makes %j', async (title, slug) => {
    const made = await created(title, { categories: ['guides'] })
    expect(made).toMatchObject({ slug, file: `content/how/${slug}.md` })
  })

  test('one that is taken, in another case or by a slug elsewhere', async () => {
    const one = project({
      ...FILES,
      'how/A.md': page('A'),
      'b.md': page('B', 'slug: c\ncategories: [guides]'),
    })
    expect((await one.create('a', { categories: ['guides'] })).slug).toBe('a-2')
    expect((await one.create('C', { categories: ['guides'] })).slug).toBe('c-2')
    expect((await one.create('C', { categories: ['guides'], language: 'fr' })).slug).toBe('c')
  })
})

describe('translations', () => {
  const original = page('Reset', 'categories: [Accounts]\ntags: [login]\norder: 4')
  const french = { title: 'Mot de passe', language: 'fr', translationOf: 'reset' }

  async function translated(files: Files, options: Partial<CreateOptions> = {}) {
    const { file, text } = await created(french.title, { ...french, ...options }, { ...FILES, ...files })
    return { file, text: text.replace(/^---\ntitle: Mot de passe\n/, '') }
  }
  const fields = (slug: string, reference = 'reset') =>
    `${slug}categories: [Accounts]\ntags: [login]\nlanguage: fr\ntranslationOf: ${reference}\norder: 4\n---\n\n`

  test('beside the original if there are none', async () => {
    expect(await translated({ 'how/reset.md': original })).toEqual({
      file: 'content/how/reset.fr.md',
      text: fields('slug: mot-de-passe\n'),
    })
  })

  test.each(['how/reset.md', 'content/how/reset.md', './how/reset.md', 'reset'])(
    'of %s',
    async (translationOf) => {
      const { file } = await translated({ 'how/reset.md': original }, { translationOf })
      expect(file).toBe('content/how/reset.fr.md')
    },
  )

  test.each<[string, Files, string]>([
    [
      'a tree',
      { 'pt-BR/how/two.md': page('D', 'language: pt-BR\ntranslationOf: how/two.md\ncategories: [guides]') },
      'fr/how/reset.md',
    ],
    [
      'a folder within each',
      { 'how/pt-BR/two.md': page('D', 'language: pt-BR\ntranslationOf: how/two.md\ncategories: [guides]') },
      'how/fr/reset.md',
    ],
    [
      'names of their own',
      { 'how/dois.md': page('D', 'language: pt-BR\ntranslationOf: how/two.md\ncategories: [guides]') },
      'how/mot-de-passe.md',
    ],
  ])('as the others: %s', async (_name, files, source) => {
    expect(await translated({ 'how/reset.md': original, ...files })).toEqual({
      file: `content/${source}`,
      text: fields('', 'how/reset.md'),
    })
  })

  test('another suffix', async () => {
    const files = {
      'three_pt-BR.md': page('T', 'slug: tres\nlanguage: pt-BR\ntranslationOf: three\ncategories: [guides]'),
    }
    expect((await translated({ 'how/reset.md': original, ...files })).file).toBe('content/how/reset_fr.md')
  })

  test('originals in a folder of their language', async () => {
    const { file } = await created(french.title, french, {
      'en/how/reset.md': page('Reset'),
      'en/x.md': page('X'),
    })
    expect(file).toBe('content/fr/how/reset.md')
  })

  test('of the page of a folder', async () => {
    const { file, text } = await translated(
      { 'faq/index.md': page('FAQ', 'categories: [Accounts]\ntags: [login]\norder: 4') },
      { translationOf: 'faq' },
    )
    expect({ file, text }).toEqual({
      file: 'content/faq/index.fr.md',
      text: fields('slug: mot-de-passe\n', 'faq'),
    })
  })

  test.each<[string, Partial<CreateOptions>, string]>([
    ['no language', { translationOf: 'one' }, 'A translation needs a language. Nothing was written.'],
    [
      'no such article',
      { translationOf: 'oen', language: 'fr' },
      'There is no article with the slug or path oen. Nothing was written.',
    ],
    [
      'its own language',
      { translationOf: 'one', language: 'en' },
      'how/one.md is already in en. Nothing was written.',
    ],
    [
      'a translation',
      { translationOf: 'un', language: 'pt-BR' },
      'how/one.fr.md is itself a translation. Nothing was written.',
    ],
    [
      'a second one',
      { translationOf: 'one', language: 'fr' },
      'how/one.md has a translation into fr: how/one.fr.md. Nothing was written.',
    ],
    [
      'a language the server lacks',
      { translationOf: 'one', language: 'de' },
      'The server has no language de. Nothing was written.',
    ],
    ['no language code', { language: 'french!' }, '"french!" is not a language code. Nothing was written.'],
    ['broken', { translationOf: 'broken.md', language: 'fr' }, 'broken.md has errors. Nothing was written.'],
  ])('refused: %s', async (_name, options, message) => {
    const one = project({
      ...FILES,
      'broken.md': '---\n---\n',
      'how/one.fr.md': page('Un', 'slug: un\nlanguage: fr\ntranslationOf: one\ncategories: [guides]'),
    })
    const before = one.contents()
    await expect(one.create('X', options)).rejects.toMatchObject({ code: 'USAGE', message })
    expect(one.contents()).toEqual(before)
  })
})

test('an article in a folder whose articles have the same categories gets these', async () => {
  expect(await project().create('A', { folder: 'how' })).toMatchObject({ categories: ['guides'] })
  const mixed = project({ ...FILES, 'how/other.md': page('Other', 'categories: [prices]') })
  await expect(mixed.create('A', { folder: 'how' })).rejects.toThrow('needs a category')
})

describe('rejected', () => {
  test.each<[string, Partial<CreateOptions>, string, string]>([
    [
      ' \t',
      {},
      'The title is empty. Nothing was written.',
      'Put it in quotes: kb new "Reset your password".',
    ],
    [
      'A',
      {},
      'The article needs a category. Nothing was written.',
      'Use --category with one of: guides, Accounts, Prices & more.',
    ],
    [
      'A',
      { categories: ['gides'] },
      'There is no category "gides" in _categories.yml. Nothing was written.',
      'Did you mean "guides"?',
    ],
    [
      'A',
      { categories: ['guides'], tags: ['logn'] },
      'There is no tag "logn" in _tags.yml. Nothing was written.',
      'Did you mean "login"?',
    ],
    [
      'A',
      { categories: ['guides'], slug: 'a b' },
      '"a b" is not a valid slug. Nothing was written.',
      'A slug is 1 to 200 characters without white space, control characters or any of / ? #, neither . nor .. alone.',
    ],
    [
      'A',
      { categories: ['guides'], slug: 'one' },
      'The slug "one" is also used by how/one.md. Nothing was written.',
      'Change the slug of one of them.',
    ],
    [
      'A',
      { categories: ['guides'], folder: '_x' },
      'A folder named _x cannot contain articles. Nothing was written.',
      'kb-sync ignores names that start with _ or a dot; choose another folder.',
    ],
  ])('%j with %j', async (title, options, message, hint) => {
    const one = project()
    const before = one.contents()
    await expect(one.create(title, options)).rejects.toMatchObject({ code: 'USAGE', message, hint })
    expect(one.contents()).toEqual(before)
  })

  test('a file that is outside or excluded', async () => {
    const one = project(FILES, { exclude: ['old/**'] })
    const options = { categories: ['guides'] }
    await expect(one.create('A', { ...options, folder: '../x' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(one.create('A', { ...options, folder: 'old' })).rejects.toMatchObject({ code: 'USAGE' })
    mkdirSync(join(one.root, 'outside'))
    symlinkSync(join(one.root, 'outside'), join(one.root, 'content/out'))
    await expect(one.create('A', { ...options, folder: 'out' })).rejects.toMatchObject({
      code: 'FILES_UNWRITABLE',
    })
  })

  test('a file that was created in the meantime is not overwritten', async () => {
    const one = project()
    const chooseCategory = (): Promise<string> => {
      writeFileSync(join(one.root, 'content/how/late.md'), 'mine')
      return Promise.resolve('guides')
    }
    // The name is chosen after the question, so this file is detected.
    expect((await one.create('late', { chooseCategory })).file).toBe('content/how/late-2.md')
    const { writeNewFile } = await import('../../src/authoring/create/create-article.ts')
    await expect(
      writeNewFile({ contentRoot: one.settings.contentRoot, prefix: 'content/' }, 'how/late.md', 'x'),
    ).rejects.toMatchObject({ code: 'FILES_UNWRITABLE' })
    expect(one.contents()['how/late.md']).toBe('mine')
  })
})

const title = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 320 }),
  fc.constantFrom(
    '- a',
    '# a',
    'a: b',
    '"',
    "'",
    '[a]',
    '{a}',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '%',
    '@',
    '`',
    '~',
    'null',
  ),
  fc.constantFrom(
    'yes',
    '2026-01-01',
    '0x1f',
    '1e3',
    '12:30',
    '---',
    '...',
    'a #b',
    '?',
    'nul',
    'COM1.x',
    '\u202Eabc',
  ),
)

test('for any titles, the files pass a check and none is overwritten', timeoutOf(RUNS, 1000), async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(title, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('guides', 'prices'),
      async (titles, category) => {
        const one = project()
        for (const each of titles) {
          const before = one.contents()
          const made = await one.create(each, { categories: [category] }).catch((error: unknown) => {
            expect(error).toMatchObject({
              code: 'USAGE',
              message: 'The title is empty. Nothing was written.',
            })
          })
          expect(one.contents()).toEqual({
            ...before,
            ...(made && { [made.file.slice('content/'.length)]: made.text }),
          })
        }
        expect(await one.check()).toEqual([])
      },
    ),
    RUNS,
  )
})
