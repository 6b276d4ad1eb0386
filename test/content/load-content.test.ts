import { describe, expect, test } from 'vitest'
import { loadContent } from '../../src/content/pipeline/load-content.ts'
import { openRenderCache } from '../../src/content/pipeline/render-cache.ts'
import {
  contentFolder,
  contentOptions,
  type Files,
  FRONTMATTER,
  loadFiles,
  loadFolder,
  placesOf,
  writeFiles,
} from './load-files.ts'

const article = (lines: string, body = '') => `---\ntitle: A\n${lines}\n---\n${body}`

describe('a document', () => {
  test('has all defaults', async () => {
    const { articles } = await loadFiles(
      { 'guides/reset.md': '---\ntitle: Reset\n---\n# Reset\n\nFirst *paragraph*.\n\nSecond.\n' },
      {
        defaults: {
          language: 'en',
          status: 'published',
          order: 7,
          reviewAfterDays: 90,
          categories: ['Guides'],
        },
      },
    )
    expect(articles).toEqual([
      {
        source: 'guides/reset.md',
        key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        sourceHash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        inputKey: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        contentHash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        projectionHash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        title: 'Reset',
        slug: 'reset',
        categories: ['Guides'],
        tags: [],
        excerpt: 'First paragraph.',
        status: 'published',
        review: { kind: 'default', afterDays: 90 },
        language: null,
        translationOf: undefined,
        order: 7,
        hideFromSearch: false,
        seoBannerUrl: '',
        positions: { title: { line: 2, column: 8, end: { line: 2, column: 13 } } },
      },
    ])
  })

  test('has the values of its frontmatter', async () => {
    const { articles } = await loadFiles({
      'a.md': '---\ntitle: A\nslug: b\ncategories: [G]\n---\n',
      'fr.md': [
        '---',
        'title: Titre',
        'slug: titre',
        'categories: [G, "H/I"]',
        'tags: [t]',
        'excerpt: Résumé',
        'status: published',
        'reviewDate: never',
        'language: fr',
        'translationOf: a.md',
        'order: -1.5',
        'hideFromSearch: true',
        'seoBannerUrl: https://example.com/x.png',
        '---',
        '',
      ].join('\n'),
    })
    expect(articles[1]).toMatchObject({
      title: 'Titre',
      slug: 'titre',
      categories: ['G', 'H/I'],
      tags: ['t'],
      excerpt: 'Résumé',
      status: 'published',
      review: { kind: 'never' },
      language: 'fr',
      translationOf: 'a.md',
      order: -1.5,
      hideFromSearch: true,
      seoBannerUrl: 'https://example.com/x.png',
      positions: {
        title: { line: 2, column: 8 },
        slug: { line: 3, column: 7 },
        'categories[0]': { line: 4, column: 14 },
        'categories[1]': { line: 4, column: 17 },
        'tags[0]': { line: 5, column: 8 },
        language: { line: 9, column: 11 },
        translationOf: { line: 10, column: 16 },
      },
    })
  })

  test.each([
    ['reset.md', 'reset'],
    ['guides/reset.password.md', 'reset.password'],
    ['guides/index.md', 'guides'],
    ['guides/README.md', 'guides'],
    ['guides/readme.md', 'guides'],
    ['index.md', 'index'],
    ['README.md', 'readme'],
    ['cafe\u0301.md', 'caf\u00e9'],
  ])('of the file %s has the slug %s', async (source, slug) => {
    const { articles } = await loadFiles({ [source]: FRONTMATTER })
    expect(articles.map((each) => each.slug)).toEqual([slug])
  })

  test.each([
    ['', 'A'],
    ['# A\n', 'A'],
    ['- list\n', 'A'],
    ['https://youtu.be/a\n\n<https://example.com/b>\n\nA tour.\n', 'A tour.'],
    ['https://example.com/b shows it.\n', 'https://example.com/b shows it.'],
    [`${'word '.repeat(40)}\n`, `${'word '.repeat(32).trimEnd()}…`],
    ['😀'.repeat(161), `${'😀'.repeat(159)}…`],
  ])('with the body %j and no excerpt has the excerpt %j', async (body, excerpt) => {
    const { articles } = await loadFiles({ 'a.md': article('categories: [G]', body) })
    expect(articles.map((each) => each.excerpt)).toEqual([excerpt])
  })

  test('in the default language has no language, whether written or not', async () => {
    const { articles } = await loadFiles({ 'a.md': article('categories: [G]\nlanguage: en') })
    expect(articles[0]?.language).toBeNull()
  })

  test('keeps its key whatever its content, and gets another one when it moves', async () => {
    const keyOf = async (files: Files) => (await loadFiles(files)).articles[0]?.key
    const key = await keyOf({ 'a.md': article('categories: [G]') })
    expect(await keyOf({ 'a.md': article('categories: [H]\nslug: x', 'Text') })).toBe(key)
    expect(await keyOf({ 'b.md': article('categories: [G]') })).not.toBe(key)
    expect(await keyOf({ 'a.md': article('categories: [G]\nlanguage: fr') })).not.toBe(key)
  })
})

describe('all problems of all files are found at once', () => {
  test('names in invalid frontmatter are also looked up', async () => {
    const { diagnostics } = await loadFiles({
      '_categories.yml': '- name: Guides\n',
      '_tags.yml': '- name: safety\n',
      'a.md': '---\ntitle: A\ncategories: [Guide]\ntags: [safty]\nreviewDate: soon\n---\n\n[b](b.md)\n',
      'c.md': '---\ntitle: C\ncategories: { a: Guides }\ntags: [1, nowhere]\n---\n',
    })
    expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
      'a.md:3:14 category-unknown',
      'a.md:4:8 tag-unknown',
      'a.md:5:13 date-invalid',
      'a.md:8:5 link-file-missing',
      'c.md:3:13 frontmatter-value',
      'c.md:4:8 frontmatter-value',
    ])
  })

  test('with a hint for each', async () => {
    const { diagnostics, articles } = await loadFiles({
      'b.md': article('categories: [G]\nslug: same'),
      'a.md': article('slug: same\ncategories: [G]'),
      'c/# #.md': article('order: 1'),
      'd.md': '',
      'e.md': article('catgories: [G]', '[x](nowhere.md)\n\n<script>1</script>'),
      'same.md': article('categories: [G]'),
    })
    const error = { severity: 'error', line: 1, column: 1 }
    const atTop = { ...error, end: { line: 1, column: 4 } }
    const same = 'The slug "same" is also used by'
    const missing = {
      ...atTop,
      code: 'category-missing',
      message: 'The article has no category.',
      hint: 'Add a line such as `categories: [Guides]`, or set defaults.categories in kb.config.ts.',
    }
    const duplicate = { ...atTop, code: 'slug-duplicate', hint: 'Change the slug of one of them.' }
    expect(diagnostics).toEqual([
      {
        ...duplicate,
        file: 'a.md',
        line: 3,
        column: 7,
        end: { line: 3, column: 11 },
        message: `${same} b.md, same.md.`,
      },
      {
        ...duplicate,
        file: 'b.md',
        line: 4,
        column: 7,
        end: { line: 4, column: 11 },
        message: `${same} a.md, same.md.`,
      },
      { ...missing, file: 'c/# #.md' },
      {
        ...atTop,
        code: 'slug-invalid',
        file: 'c/# #.md',
        message:
          'The slug "", derived from the name of c/# #.md, is not valid. A slug is 1 to 200 characters without white space, control characters or any of / ? #, neither . nor .. alone.',
        hint: 'Add a line `slug: …`, or rename the file.',
      },
      {
        ...error,
        code: 'file-empty',
        file: 'd.md',
        message: 'The file is empty.',
        hint: 'Write an article that starts with frontmatter, or delete the file.',
      },
      { ...missing, file: 'e.md' },
      {
        ...error,
        code: 'frontmatter-unknown-key',
        file: 'e.md',
        line: 3,
        end: { line: 3, column: 10 },
        fix: [{ start: { line: 3, column: 1 }, end: { line: 3, column: 10 }, text: 'categories' }],
        message: 'Unknown key "catgories".',
        hint: 'Did you mean "categories"?',
      },
      {
        code: 'link-file-missing',
        severity: 'error',
        file: 'e.md',
        line: 5,
        column: 5,
        end: { line: 5, column: 15 },
        message: 'There is no article "nowhere.md".',
        hint: expect.any(String) as string,
      },
      {
        code: 'html-removed',
        severity: 'warning',
        file: 'e.md',
        line: 7,
        column: 1,
        end: { line: 7, column: 8 },
        message: expect.stringContaining('script') as string,
        hint: expect.any(String) as string,
      },
      { ...duplicate, file: 'same.md', message: `${same} a.md, b.md.` },
    ])
    expect(articles.map(({ source }) => source)).toEqual(['a.md', 'b.md', 'same.md'])
  })

  test('two articles in two languages can have the same slug', async () => {
    const files = { 'a.md': article('categories: [G]'), 'fr/a.md': article('categories: [G]\nlanguage: fr') }
    expect((await loadFiles(files)).diagnostics).toEqual([])
  })

  test('files are named relative to the project, not to the content folder', async () => {
    const root = contentFolder({ 'content/a.md': '' })
    const loaded = await loadFolder(`${root}/content`, { root })
    expect(placesOf(loaded)).toEqual(['content/a.md:1:1 file-empty'])
  })

  test('an unreadable file is a problem, and is tried again', async () => {
    const root = contentFolder({ 'a.md': FRONTMATTER })
    const cache = openRenderCache(`${root}/.kb/rendered.db`)
    const load = (name: string) =>
      loadContent({
        options: contentOptions(root),
        found: { articles: [], taxonomy: [], folders: [], unread: [] },
        hashes: new Map([[name, '']]),
        cache,
      })
    for (const name of ['gone.md', 'other.md']) {
      const { diagnostics } = await load(name)
      expect(diagnostics).toMatchObject([{ code: 'file-unreadable', file: name, line: 1, column: 1 }])
      expect(diagnostics[0]?.message).toBe('The file could not be read: no such file or directory.')
    }
    writeFiles(root, { 'gone.md': FRONTMATTER })
    expect((await load('gone.md')).diagnostics).toEqual([])
    cache.close()
  })
})

describe('references of an article to categories, tags and its original', () => {
  const taxonomy = {
    '_categories.yml':
      '- {name: Guides, slug: guides}\n- {name: Accounts, parent: Guides}\n- {name: FAQ}\n- {name: Accounts, parent: FAQ}\n',
    '_tags.yml': '- {name: Security, slug: security}\n- {name: Müll}\n',
  }
  const check = async (lines: string, files: Files = taxonomy) => {
    const { diagnostics } = await loadFiles({ ...files, 'a.md': article(lines) })
    return diagnostics.map(({ file, line, column, code, message, hint }) => [
      `${file}:${line}:${column}`,
      code,
      message,
      hint,
    ])
  }

  test.each(['guides', 'Guides', 'Guides/Accounts', 'FAQ/Accounts'])(
    'the category %s is there',
    async (name) => {
      expect(await check(`categories: ['${name}']`)).toEqual([])
    },
  )

  test.each([
    [
      'categories: [Guide]',
      'a.md:3:14',
      'category-unknown',
      'There is no category "Guide" in _categories.yml.',
      'Did you mean "Guides"?',
    ],
    [
      'categories: [FAQ, Other]',
      'a.md:3:19',
      'category-unknown',
      'There is no category "Other" in _categories.yml.',
      'Add it to _categories.yml, or use one that is listed there.',
    ],
    [
      'categories: [Guides/FAQ]',
      'a.md:3:14',
      'category-unknown',
      'There is no category "Guides/FAQ" in _categories.yml.',
      'Add it to _categories.yml, or use one that is listed there.',
    ],
    [
      'categories: [Accounts]',
      'a.md:3:14',
      'category-ambiguous',
      'The category "Accounts" matches more than one entry of _categories.yml.',
      'In categories, write one of: Guides/Accounts, FAQ/Accounts.',
    ],
    [
      'categories: [FAQ]\ntags: [securty]',
      'a.md:4:8',
      'tag-unknown',
      'There is no tag "securty" in _tags.yml.',
      'Did you mean "security"?',
    ],
    [
      'categories: [FAQ]\ntranslationOf: b',
      'a.md:4:16',
      'translation-unknown',
      'There is no article with the slug or path "b".',
      'Name the original by its slug or its path.',
    ],
    [
      'categories: [FAQ]\ntranslationOf: a',
      'a.md:4:16',
      'translation-unknown',
      '"a" is an article in the same language.',
      'The original must be in another language; check `language` too.',
    ],
  ])('%j is wrong', async (lines, ...expected) => {
    expect(await check(lines)).toEqual([expected])
  })

  test('an original has at most one translation per language', async () => {
    const files = {
      'one.md': article('categories: [G]'),
      'un.md': article('categories: [G]\nlanguage: fr\ntranslationOf: one'),
      'deux.md': article('categories: [G]\nlanguage: fr\ntranslationOf: one.md'),
      'drei.md': article('categories: [G]\nlanguage: de\ntranslationOf: un'),
    }
    const loaded = await loadFiles(files)
    expect(loaded.diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(
      [
        'drei.md translation-nested',
        'deux.md translation-duplicate',
        'un.md translation-duplicate',
      ].toSorted(),
    )
    expect(loaded.diagnostics.find(({ file }) => file === 'drei.md')).toMatchObject({
      message: '"un" (un.md) is itself a translation.',
      hint: 'Name the original: `translationOf: one`.',
    })
  })

  test('if a slug exists in several languages, it refers to the original', async () => {
    const loaded = await loadFiles({
      'a.md': article('categories: [G]'),
      'fr/a.md': article('categories: [G]\nlanguage: fr\ntranslationOf: a'),
      'de/a.md': article('categories: [G]\nlanguage: de\ntranslationOf: a'),
    })
    expect(loaded.diagnostics).toEqual([])
    expect(loaded.articles.map(({ source, original }) => [source, original])).toEqual([
      ['a.md', undefined],
      ['de/a.md', 'a.md'],
      ['fr/a.md', 'a.md'],
    ])
  })

  test('without a taxonomy file, any name may be right', async () => {
    expect(await check('categories: [Any]\ntags: [any]', {})).toEqual([])
  })

  test('the encoding of accents does not matter', async () => {
    expect(await check(`categories: [FAQ]\ntags: [${'Müll'.normalize('NFD')}]`)).toEqual([])
  })

  test('an original may have errors itself', async () => {
    const files = { 'bad.md': '---\ntitel: A\n---\n' }
    for (const reference of ['bad', 'bad.md']) {
      const found = await check(`categories: [G]\nlanguage: fr\ntranslationOf: ${reference}`, files)
      expect(found.map(([place]) => place)).toEqual(['bad.md:2:1'])
    }
  })

  test('categories in the configuration are checked like those in articles', async () => {
    const defaults = {
      language: 'en',
      status: 'draft',
      order: 0,
      reviewAfterDays: 1,
      categories: ['Nope'],
    } as const
    const loaded = await loadFiles({ ...taxonomy, 'a.md': article('order: 1') }, { defaults })
    expect(placesOf(loaded)).toEqual(['a.md:1:1 category-unknown'])
  })

  test('an error in a taxonomy file is one error, not one per article', async () => {
    for (const text of ['- nam: Guides\n', '- name: [\n', '', 'Guides\n']) {
      const loaded = await loadFiles({ '_categories.yml': text, 'a.md': FRONTMATTER })
      expect(loaded.taxonomy).toEqual({ categories: undefined, tags: undefined })
      expect(new Set(loaded.diagnostics.map(({ file }) => file))).toEqual(new Set(['_categories.yml']))
    }
  })
})
