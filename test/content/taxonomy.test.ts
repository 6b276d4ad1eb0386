import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AssetSettings } from '../../src/content/assets/create-asset-reader.ts'
import { pngOf } from '../support/images.ts'
import { contentFolder, loadFiles, loadFolder } from './load-files.ts'

/** Returns entries and problems of `_categories.yml`. */
async function categories(...lines: readonly string[]) {
  return load('_categories.yml', lines.join('\n'))
}

async function load(name: string, text: string) {
  const { taxonomy, diagnostics } = await loadFiles({ [name]: text })
  const problems = diagnostics.map(({ line, column, code, message, hint }) => [
    `${line}:${column}`,
    code,
    message,
    hint,
  ])
  const paths = taxonomy.categories?.map(({ path }) => path.join(' > '))
  return { taxonomy, paths, problems }
}

test('a category has the values of its entry, long descriptions as HTML', async () => {
  const { taxonomy, problems } = await categories(
    '- name: Guides',
    '  slug: guides',
    '  priority: 2',
    '  description: How to',
    '  longDescription: |',
    '    Some *text*, [more](https://example.com).',
    '  thumbnailUrl: https://example.com/t.png',
    '  iconUrl: https://example.com/i.png',
    '  id: { staging: c1 }',
    '  translations:',
    '    fr: { name: Guides FR, slug: guides-fr, longDescription: "**Texte**" }',
    '- name: Accounts',
    '  parent: guides',
    '  id: c2',
  )
  const none = {
    slug: undefined,
    priority: undefined,
    description: undefined,
    longDescription: undefined,
    thumbnailUrl: undefined,
    iconUrl: undefined,
  }
  expect(problems).toEqual([])
  expect(taxonomy).toEqual({
    categories: [
      {
        name: 'Guides',
        slug: 'guides',
        priority: 2,
        path: ['Guides'],
        description: 'How to',
        longDescription: '<p>Some <em>text</em>, <a href="https://example.com">more</a>.</p>\n',
        thumbnailUrl: 'https://example.com/t.png',
        iconUrl: 'https://example.com/i.png',
        translations: {
          fr: {
            name: 'Guides FR',
            slug: 'guides-fr',
            description: undefined,
            longDescription: '<p><strong>Texte</strong></p>\n',
          },
        },
        id: { staging: 'c1' },
        line: 1,
      },
      { ...none, name: 'Accounts', path: ['Guides', 'Accounts'], translations: {}, id: 'c2', line: 12 },
    ],
    tags: undefined,
  })
})

test('a tag has the values of its entry', async () => {
  const { taxonomy, problems } = await load(
    '_tags.yml',
    '# ours\n- { name: Security, slug: security, description: Safe }\n- name: Other\n',
  )
  const none = {
    slug: undefined,
    description: undefined,
    longDescription: undefined,
    translations: {},
    id: undefined,
  }
  expect(problems).toEqual([])
  expect(taxonomy).toEqual({
    categories: undefined,
    tags: [
      { ...none, name: 'Security', slug: 'security', description: 'Safe', line: 2 },
      { ...none, name: 'Other', line: 3 },
    ],
  })
})

test('a file of comments has no entries', async () => {
  expect(await categories('# none yet')).toEqual({
    taxonomy: { categories: [], tags: undefined },
    paths: [],
    problems: [],
  })
})

describe('a parent', () => {
  test.each([
    ['by slug', 'g'],
    ['by name', 'Guides'],
    ['by a name with a slash', 'A/B'],
    ['by a path', 'Guides/Accounts'],
    ['by a path of three', 'Guides/Accounts/Passwords'],
    ['by a path with a slash in a name', 'Guides/A\\/B'],
  ])('is found %s, anywhere in the file', async (_, parent) => {
    const named = [
      `{name: X, parent: '${parent}'}`,
      '{name: Deep, parent: Guides/Accounts/Passwords}',
      '{name: Passwords, parent: Guides/Accounts}',
      '{name: Accounts, parent: Guides}',
      '{name: A/B, parent: g}',
      '{name: Guides, slug: g}',
    ].map((entry) => `- ${entry}`)
    const above =
      parent === 'g'
        ? 'Guides'
        : parent === 'A/B'
          ? 'Guides > A/B'
          : parent.replaceAll(/(?<!\\)\//g, ' > ').replace('\\/', '/')
    for (const lines of [named, named.toReversed()]) {
      const { paths, problems } = await categories(...lines)
      expect(problems).toEqual([])
      expect(paths?.toSorted()).toEqual(
        [
          'Guides',
          'Guides > A/B',
          'Guides > Accounts',
          'Guides > Accounts > Passwords',
          'Guides > Accounts > Passwords > Deep',
          `${above} > X`,
        ].toSorted(),
      )
    }
  })

  test('of two with one name is referred to by its path', async () => {
    const two = [
      '- {name: Guides}',
      '- {name: FAQ}',
      '- {name: Accounts, parent: Guides}',
      '- {name: Accounts, parent: FAQ}',
    ]
    expect((await categories(...two, '- {name: X, parent: FAQ/Accounts}')).paths?.at(-1)).toBe(
      'FAQ > Accounts > X',
    )
    expect((await categories(...two, '- {name: X, parent: Accounts}')).problems).toEqual([
      [
        '5:21',
        'taxonomy-parent',
        'The parent "Accounts" matches more than one category.',
        'Use its slug or path.',
      ],
    ])
  })

  test.each([
    [
      ['- {name: A, parent: B}'],
      ['1:21'],
      'The parent "B" is not a category in this file.',
      'Add the category, or correct the name.',
    ],
    [['- {name: A, parent: A}'], ['1:21'], '"A" is its own ancestor.', 'Remove one of the parents.'],
    [
      ['- {name: A, parent: B/C}', '- {name: B}'],
      ['1:21'],
      'The parent "B/C" is not a category in this file.',
      'Add the category, or correct the name.',
    ],
  ])('%j is wrong', async (lines, places, message, hint) => {
    expect((await categories(...lines)).problems).toEqual(
      places.map((place) => [place, 'taxonomy-parent', message, hint]),
    )
  })

  test('in a circle is reported for each member of the circle, not for those below', async () => {
    const { problems } = await categories(
      '- {name: A, parent: B}',
      '- {name: B, parent: C}',
      '- {name: C, parent: A}',
      '- {name: D, parent: A}',
    )
    expect(problems.map(([place, code, message]) => [place, code, message])).toEqual([
      ['1:21', 'taxonomy-parent', '"A" is its own ancestor.'],
      ['2:21', 'taxonomy-parent', '"B" is its own ancestor.'],
      ['3:21', 'taxonomy-parent', '"C" is its own ancestor.'],
    ])
  })
})

describe('two entries that cannot be told apart', () => {
  const hint = 'Change the slug or the name of one of them.'
  test.each([
    [
      '_categories.yml',
      ['- name: A', '- name: A'],
      [['2:9', 'taxonomy-duplicate', '"A" has the same name or slug as the entry on line 1.', hint]],
    ],
    [
      '_categories.yml',
      ['- {name: A, slug: x}', '- {name: B, slug: x}'],
      [['2:19', 'taxonomy-duplicate', '"B" has the same name or slug as the entry on line 1.', hint]],
    ],
    ['_categories.yml', ['- name: A', '- name: B', '- {name: C, parent: A}', '- {name: C, parent: B}'], []],
    [
      '_tags.yml',
      ['- name: A', '- name: B', '- name: A'],
      [['3:9', 'taxonomy-duplicate', '"A" has the same name or slug as the entry on line 1.', hint]],
    ],
  ])('%s: %j', async (name, lines, expected) => {
    expect((await load(name, lines.join('\n'))).problems).toEqual(expected)
  })
})

describe('an invalid file', () => {
  const syntax = 'Put text in quotes if it contains a colon or a #, or starts with a quote, a bracket or a *.'
  test.each<[string, readonly (string | undefined)[][]]>([
    [
      '',
      [
        [
          '1:1',
          'file-empty',
          'The file is empty.',
          'Write a list that starts with `- name: …`, or delete the file.',
        ],
      ],
    ],
    [
      'Guides',
      [['1:1', 'taxonomy-syntax', 'The file must be a list; start each entry with `- name: …`.', undefined]],
    ],
    [
      'Guides:\n  - A',
      [['1:1', 'taxonomy-syntax', 'The file must be a list; start each entry with `- name: …`.', undefined]],
    ],
    [
      '- name: A: B',
      [
        [
          '1:9',
          'taxonomy-syntax',
          'The file is not valid YAML: the value contains a colon, or the next line is indented too far.',
          syntax,
        ],
      ],
    ],
    [
      // Of the errors after the first one, only independent ones are reported.
      '- name: A\n   slug: b\n- nam\nfoo: [\n- }\n',
      [
        [
          '1:9',
          'taxonomy-syntax',
          'The file is not valid YAML: the value contains a colon, or the next line is indented too far.',
          syntax,
        ],
      ],
    ],
    [
      '- name: "A',
      [
        [
          '1:9',
          'taxonomy-syntax',
          'The file is not valid YAML: a quote is opened and not closed.',
          'Close it, or leave the opening quote out.',
        ],
      ],
    ],
    ['- }', [['1:3', 'taxonomy-syntax', 'The file is not valid YAML: this is not allowed here.', syntax]]],
    [
      '- name: A\n\tslug: a',
      [
        [
          '2:2',
          'taxonomy-syntax',
          'The file is not valid YAML: the line is indented with a tab.',
          'Indent with spaces.',
        ],
      ],
    ],
    [
      '- nam: A',
      [
        ['1:3', 'taxonomy-unknown-key', 'Unknown key "nam".', 'Did you mean "name"?'],
        ['1:3', 'taxonomy-value', 'name is missing.', undefined],
      ],
    ],
    [
      '- name: A\n- Guides',
      [['2:3', 'taxonomy-value', 'The entry must have keys and values, such as `name: Guides`.', undefined]],
    ],
    ['- name: 7', [['1:9', 'taxonomy-value', 'name must be text; put it in quotes.', undefined]]],
    ['- name: [A]', [['1:9', 'taxonomy-value', 'name must be text, not a list.', undefined]]],
    ['- name:', [['1:8', 'taxonomy-value', 'name must not be empty.', undefined]]],
    [
      `- name: ${'é'.repeat(501)}`,
      [
        [
          '1:9',
          'taxonomy-value',
          'name must be at most 500 characters long.',
          'Shorten it, and move the rest to the description.',
        ],
      ],
    ],
    ['- name: " "', [['1:9', 'taxonomy-value', 'name must not be empty.', undefined]]],
    [
      '- {name: A, slug: a b}',
      [
        [
          '1:19',
          'taxonomy-value',
          'slug must be 1 to 200 characters without white space, control characters or any of / ? #, neither . nor .. alone.',
          undefined,
        ],
      ],
    ],
    ['- {name: A, priority: high}', [['1:23', 'taxonomy-value', 'priority must be a number.', undefined]]],
    ['- {name: A, parent: ""}', [['1:21', 'taxonomy-value', 'parent must not be empty.', undefined]]],
    [
      '- {name: A, iconUrl: "data:image/png;base64,AA=="}',
      [
        [
          '1:22',
          'taxonomy-value',
          'iconUrl must be the path of an image, or a URL without white space that starts with http:// or https://.',
          undefined,
        ],
      ],
    ],
    [
      '- {name: A, iconUrl: i.png}',
      [
        [
          '1:22',
          'asset-missing',
          'The image "i.png" does not exist.',
          'The path is relative to the file that contains it, uses /, and is case-sensitive.',
        ],
      ],
    ],
    [
      '- {name: A, id: [x]}',
      [['1:17', 'taxonomy-value', 'id must be an id, or a map from target name to id.', undefined]],
    ],
    [
      '- {name: A, translations: {fr: {name: B}}}',
      [['1:32', 'taxonomy-value', 'translations.fr.slug is missing.', undefined]],
    ],
    [
      '- {name: A, translations: fr}',
      [
        [
          '1:27',
          'taxonomy-value',
          'translations must be a map from language code to { name, slug }.',
          undefined,
        ],
      ],
    ],
  ])('%j', async (text, expected) => {
    expect((await categories(text)).problems).toEqual(expected)
  })

  test('that is not UTF-8 reports the position', async () => {
    const root = contentFolder({ '_tags.yml': Buffer.from('- name: M\u00fcll', 'latin1') })
    expect((await loadFolder(root)).diagnostics).toMatchObject([
      { code: 'file-not-utf8', file: '_tags.yml', line: 1, column: 10 },
    ])
  })

  test('in a long description is a problem there', async () => {
    const text = [
      '- name: B',
      '  longDescription: <script>x</script>',
      '- name: C',
      '  longDescription: |',
      '    Text <script>x</script>',
    ]
    const { diagnostics } = await loadFiles({ '_tags.yml': text.join('\n') })
    expect(diagnostics.map(({ line, column, end, code }) => ({ line, column, end, code }))).toEqual([
      { line: 2, column: 20, end: { line: 2, column: 38 }, code: 'html-removed' },
      { line: 4, column: 20, end: undefined, code: 'html-removed' },
    ])
  })
})

describe('the images of a category', () => {
  const SMALL = pngOf(500)
  const LARGE = pngOf(2_000)
  const nameOf = (bytes: Buffer) => `${createHash('sha256').update(bytes).digest('hex')}.png`
  const FILES = {
    '_categories.yml': '- name: A\n  iconUrl: ico/small one.png\n  thumbnailUrl: ./large.png\n',
    'ico/small one.png': SMALL,
    'large.png': LARGE,
  }

  async function imagesWith(assets: Partial<AssetSettings>) {
    const settings = { inlineUnderBytes: 1000, baseUrl: undefined, maxSizeBytes: 10_000, ...assets }
    const { taxonomy, diagnostics, describedFiles } = await loadFiles(FILES, { assets: settings })
    const [category] = taxonomy.categories ?? []
    return {
      images: [category?.iconUrl, category?.thumbnailUrl],
      problems: diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`),
      files: describedFiles.map(({ source, usedAt }) => `${source} (${usedAt})`).toSorted(),
    }
  }

  test('are uploaded to a target that stores files, whatever their size', async () => {
    expect(await imagesWith({ storage: 'offered' })).toEqual({
      images: [`/files/${nameOf(SMALL)}`, `/files/${nameOf(LARGE)}`],
      problems: [],
      files: ['ico/small one.png (_categories.yml)', 'large.png (_categories.yml)'],
    })
  })

  test('wait until the target is known', async () => {
    const { problems } = await imagesWith({ storage: 'unknown' })
    expect(problems).toEqual(['2:12 asset-unconfirmed', '3:17 asset-unconfirmed'])
  })

  test('are embedded elsewhere if they are small', async () => {
    expect(await imagesWith({ storage: 'absent' })).toEqual({
      images: [`data:image/png;base64,${SMALL.toString('base64')}`, undefined],
      problems: ['3:17 asset-too-large'],
      files: [],
    })
  })

  test('have the URL of files that are published', async () => {
    const { images, problems } = await imagesWith({ baseUrl: "https://files.example.com/o'neil" })
    expect(images.map((url) => url?.replace(/[\da-f]{16}/, '…'))).toEqual([
      "https://files.example.com/o'neil/small%20one-….png",
      "https://files.example.com/o'neil/large-….png",
    ])
    expect(problems).toEqual([])
  })
})

describe('the banner of an article', () => {
  const BANNER = pngOf(500)
  const FILES = {
    'guides/a.md': '---\ntitle: A\ncategories: [Guides]\nseoBannerUrl: ../img/the banner.png\n---\n\nText.\n',
    'img/the banner.png': BANNER,
  }

  async function bannerWith(assets: Partial<AssetSettings>) {
    const settings = { inlineUnderBytes: 1000, baseUrl: undefined, maxSizeBytes: 10_000, ...assets }
    const { articles, diagnostics } = await loadFiles(FILES, { assets: settings })
    return {
      url: articles[0]?.seoBannerUrl,
      files: articles[0]?.files?.map(({ source, usedAt }) => `${source} (${usedAt})`),
      problems: diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`),
    }
  }

  test('is uploaded to a target that stores files', async () => {
    expect(await bannerWith({ storage: 'offered' })).toEqual({
      url: `/files/${createHash('sha256').update(BANNER).digest('hex')}.png`,
      files: ['img/the banner.png (guides/a.md:4)'],
      problems: [],
    })
  })

  test('has the URL of a file that is published', async () => {
    const { url, problems } = await bannerWith({ baseUrl: 'https://files.example.com' })
    expect([url?.replace(/[\da-f]{16}/, '…'), problems]).toEqual([
      'https://files.example.com/the%20banner-….png',
      [],
    ])
  })

  test('is an error elsewhere, because link previews load it by its URL', async () => {
    const { files, problems } = await bannerWith({ storage: 'absent' })
    expect([files, problems]).toEqual([undefined, ['4:15 asset-type']])
  })
})
