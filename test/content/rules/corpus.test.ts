// Rules that depend on all articles.
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import type { RuleCode } from '../../../src/core/model/diagnostic-codes.ts'
import { createProject } from '../../support/project.ts'
import { png } from '../../support/images.ts'
import { type Files, loadFiles } from '../load-files.ts'

const published = (body = 'Text.', fields = '') =>
  `---\ntitle: Example\ncategories: [Guides]\nstatus: published\n${fields}---\n${body}\n`
const draft = (body = 'Text.', fields = '') => published(body, fields).replace('published', 'draft')

/** Slugs do not matter here, and files in many folders have the same name. */
async function findOnly(
  code: RuleCode,
  files: Files,
  options: Parameters<typeof loadFiles>[1] = {},
): Promise<Diagnostic[]> {
  const { diagnostics } = await loadFiles(files, { rules: { [code]: 'warning' }, ...options })
  return diagnostics.filter((diagnostic) => diagnostic.code === code)
}

const placesOf = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(
    ({ file, line, column, end }) => `${file}:${line}:${column}-${end?.line ?? ''}:${end?.column ?? ''}`,
  )

const find = async (...args: Parameters<typeof findOnly>) => placesOf(await findOnly(...args))

describe('slug-duplicate', () => {
  test('an alias that is a slug or another alias, at each position', async () => {
    const files = {
      'a.md': published('Text.', 'aliases: [b, old, own]\n'),
      'b.md': published('Text.', 'aliases:\n  - old\n'),
      'fr.md': published('Text.', 'language: fr\naliases: [own]\n'),
    }
    const { diagnostics } = await loadFiles(files)
    expect(
      diagnostics.map(({ code, file, line, column, message }) => [code, file, line, column, message]),
    ).toEqual([
      ['slug-duplicate', 'a.md', 5, 11, 'The alias "b" is also the slug of b.md.'],
      ['slug-duplicate', 'a.md', 5, 14, 'The alias "old" is also an alias of b.md.'],
      ['slug-duplicate', 'b.md', 1, 1, 'The slug "b" is also an alias of a.md.'],
      ['slug-duplicate', 'b.md', 6, 5, 'The alias "old" is also an alias of a.md.'],
    ])
  })
})

describe('excerpt-missing', () => {
  test('every article without one', async () => {
    expect(
      await findOnly('excerpt-missing', { 'a.md': draft(), 'b.md': published('Text.', 'excerpt: Short.\n') }),
    ).toEqual([
      {
        code: 'excerpt-missing',
        severity: 'warning',
        file: 'a.md',
        line: 1,
        column: 1,
        end: { line: 1, column: 4 },
        message: 'The article has no excerpt.',
        hint: 'Add a line `excerpt: …` that summarises the article in at most 160 characters.',
      },
    ])
  })
})

describe('excerpt-from-title', () => {
  test('a published article without a paragraph', async () => {
    const files = {
      'list.md': published('- a\n- b'),
      'empty.md': published(''),
      'draft.md': draft('- a'),
      'paragraph.md': published('## A\n\nText.'),
      'excerpt.md': published('- a', 'excerpt: Short.\n'),
    }
    expect(await find('excerpt-from-title', files)).toEqual(['empty.md:1:1-1:4', 'list.md:1:1-1:4'])
  })

  test('the status in the configuration counts', async () => {
    const files = { 'a.md': '---\ntitle: A\ncategories: [Guides]\n---\n- a\n' }
    const defaults = {
      language: 'en',
      status: 'published',
      order: 0,
      reviewAfterDays: 180,
      categories: [],
    } as const
    expect(await find('excerpt-from-title', files)).toEqual([])
    expect(await find('excerpt-from-title', files, { defaults })).toEqual(['a.md:1:1-1:4'])
  })
})

describe('review-date-missing', () => {
  test('an article with neither a date nor never', async () => {
    const files = {
      'none.md': published(),
      'date.md': published('Text.', 'reviewDate: 2020-01-31\n'),
      'never.md': published('Text.', 'reviewDate: never\n'),
    }
    expect(await find('review-date-missing', files)).toEqual(['none.md:1:1-1:4'])
  })
})

describe('link-to-draft', () => {
  test('from a published article, at the URL', async () => {
    const files = {
      'from.md': published('See 😀 [the *other*](to.md#x) and [it][].\n\n[it]: to.md\n\n## X'),
      'to.md': draft('## X'),
    }
    const found = await findOnly('link-to-draft', files)
    expect(placesOf(found)).toEqual(['from.md:6:22-6:29', 'from.md:6:35-6:41'])
    expect(found[0]).toMatchObject({
      message: 'The link leads to "Example", which is a draft.',
      hint: 'Publish to.md first, or remove the link until then.',
    })
  })

  test('not between drafts, to published articles or from a description', async () => {
    const files = {
      'a.md': draft('[b](b.md)'),
      'b.md': draft('[c](c.md)'),
      'c.md': published('[c](c.md) [web](https://a.example)'),
      '_categories.yml': '- name: Guides\n  slug: guides\n  longDescription: See [a](a.md).\n',
    }
    expect(await find('link-to-draft', files)).toEqual([])
  })

  test('in a snippet', async () => {
    const files = {
      'a.md': published('<!-- include: _snippets/s.md -->'),
      '_snippets/s.md': 'Text.\n\nSee [b](../b.md).\n',
      'b.md': draft(),
    }
    expect(await find('link-to-draft', files)).toEqual(['_snippets/s.md:3:9-3:16'])
  })
})

describe('article-orphaned', () => {
  test('a published article that is not linked to', async () => {
    const files = {
      'index.md': published('[linked](linked.md) [self](self.md)'),
      'guides/README.md': published(),
      'linked.md': published(),
      'self.md': published(),
      'alone.md': published('[alone](alone.md)'),
      'from-draft.md': published(),
      'described.md': published(),
      'draft.md': draft('[x](from-draft.md)'),
      'translated.md': published('Text.', 'language: fr\ntranslationOf: alone\n'),
      '_categories.yml': '- name: Guides\n  slug: guides\n  longDescription: See [d](described.md).\n',
    }
    const found = await findOnly('article-orphaned', files)
    expect(placesOf(found)).toEqual(['alone.md:2:8-2:15', 'from-draft.md:2:8-2:15'])
  })

  test('is not reported while an article has an error, because its links are unknown', async () => {
    expect(await find('article-orphaned', { 'a.md': published() })).toEqual(['a.md:2:8-2:15'])
    expect(await find('article-orphaned', { 'a.md': published(), 'b.md': '---\ntitle: [\n---\n' })).toEqual(
      [],
    )
  })
})

describe('tag-used-once', () => {
  const tagged = (...tags: readonly string[]) => published('Text.', `tags: [${tags.join(', ')}]\n`)

  test('at its only use, whatever its spelling there', async () => {
    const files = { 'a.md': tagged('one', 'two'), 'b.md': tagged('two', 'three') }
    expect(await find('tag-used-once', files)).toEqual(['a.md:5:8-5:11', 'b.md:5:13-5:18'])
    const listed = {
      'a.md': tagged('security', 'Billing'),
      'b.md': tagged('Security'),
      '_tags.yml':
        '- { name: Security, slug: security }\n- { name: Billing, slug: billing }\n- { name: Never used, slug: n }\n',
    }
    expect(await find('tag-used-once', listed)).toEqual(['a.md:5:18-5:25'])
  })
})

describe('tags-alike', () => {
  const tagged = (tag: string) => published('Text.', `tags: [${tag}]\n`)

  test('at each use of the rarer one', async () => {
    const files = {
      'a.md': tagged('payment'),
      'b.md': tagged('Payments'),
      'c.md': tagged('Payments'),
      'd.md': tagged('tax'),
    }
    expect(await findOnly('tags-alike', files)).toEqual([
      {
        code: 'tags-alike',
        severity: 'warning',
        file: 'a.md',
        line: 5,
        column: 8,
        end: { line: 5, column: 15 },
        message: 'The tag "payment" is nearly the same as "Payments", which 2 articles have.',
        hint: 'If you mean the same, write "Payments".',
      },
    ])
  })

  test('in the file that lists both', async () => {
    const files = {
      'a.md': tagged('payment'),
      '_tags.yml': '- name: Payments\n  slug: payments\n\n- name: "Payment"\n  slug: payment\n',
    }
    const [found, ...others] = await findOnly('tags-alike', files)
    expect(others).toEqual([])
    expect(placesOf(found === undefined ? [] : [found])).toEqual(['_tags.yml:4:9-4:18'])
    expect(found?.message).toBe('The tag "Payment" is nearly the same as "Payments" on line 1.')
  })
})

describe('asset-unused', () => {
  test('an image that is not used', async () => {
    const files = {
      'a.md': published(
        '![a](used.png) ![b](<img/pic of Ü.png>) <img src="html.png" alt="x">\n\n![r][ref]\n\n[ref]: ref.png',
      ),
      'b.md': published('![a](/root.png)\n\n<!-- include: _snippets/s.md -->'),
      'broken.md': '---\ntitle: [\n---\n![a](of-broken.png)\n',
      '_snippets/s.md': '![s](../snippet.png)\n',
      '_snippets/own.png': png(),
      '_categories.yml': '- name: Guides\n  slug: guides\n  longDescription: "![d](described.png)"\n',
      'used.png': png('1'),
      'img/pic of U\u0308.png': png('2'),
      'html.png': png('3'),
      'ref.png': png('4'),
      'root.png': png('5'),
      'of-broken.png': png('6'),
      'snippet.png': png('7'),
      'described.png': png('8'),
      '.hidden.png': png(),
      '_sources/a.png': png(),
      'notes.txt': 'Text.',
      'img/old.png': png('9'),
      'old.SVG': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }
    expect(await findOnly('asset-unused', files)).toEqual(
      ['img/old.png', 'old.SVG'].map((file) => ({
        code: 'asset-unused',
        severity: 'warning',
        file,
        line: 1,
        column: 1,
        message: 'No article, snippet or description uses this file.',
        hint: 'Use it, or delete it. Files whose names start with _ or a dot are ignored.',
      })),
    )
  })

  test('is not reported if the text of an article could not be read, because it may use any file', async () => {
    const files = { 'a.md': '![a](my.png)\n', 'my.png': png() }
    expect(await find('asset-unused', files)).toEqual([])
    expect(await find('asset-unused', { ...files, 'a.md': '' })).toHaveLength(1)
  })

  test('an image that is too large is still used', async () => {
    const files = {
      'a.md': published('![a](large.png)'),
      'large.png': Buffer.concat([png(), Buffer.alloc(2000)]),
    }
    expect(await find('asset-unused', files)).toEqual([])
  })

  test('other files only if they can be used, and no excluded ones', async () => {
    const files = { 'a.md': published(), 'list.pdf': '%PDF-1.4\n', 'old/a.png': png() }
    expect(await find('asset-unused', files, { exclude: ['old/**'] })).toEqual([])
    const assets = { inlineUnderBytes: 1000, baseUrl: 'https://a.example', maxSizeBytes: 10_000 }
    expect(await find('asset-unused', files, { assets })).toEqual(['list.pdf:1:1-:', 'old/a.png:1:1-:'])
    const stored = {
      inlineUnderBytes: 1000,
      baseUrl: undefined,
      maxSizeBytes: 10_000,
      storage: 'offered',
    } as const
    const more = {
      ...files,
      'a.md': published('[z](a.zip)'),
      'a.zip': 'PK\x05\x06',
      'setup.exe': 'MZ',
      'a.txt': 'x',
    }
    expect(await find('asset-unused', more, { assets: stored })).toEqual([
      'list.pdf:1:1-:',
      'old/a.png:1:1-:',
    ])
  })
})

test('disabled rules report nothing', async () => {
  const files = { 'a.md': published('# Other\n\nSee https://a.example'), 'a.png': png() }
  const rules = { 'heading-second-h1': 'off', 'bare-url': 'error', 'asset-unused': 'off' } as const
  const { diagnostics } = await loadFiles(files, { rules })
  expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error bare-url'])
})

describe('the settings of the pages', () => {
  const config = `export default {
  pages: {
    colours: { accent: '#f5a623', dark: { accent: '#0b5cad' } },
    home: { featured: ['one', "twoo", 'drei', 'gone'] },
  },
}
`
  const pages = {
    colours: { accent: '#f5a623', dark: { accent: '#0b5cad' } },
    home: { featured: ['one', 'twoo', 'drei', 'gone'] },
  }
  const files = {
    'one.md': published(),
    'two.md': published(),
    'drei.md': published('Text.', 'language: de\n'),
  }
  const load = (more: Files) => {
    const { root } = createProject({ 'kb.config.ts': config })
    return loadFiles({ ...files, ...more }, { pages: { ...pages, configFile: join(root, 'kb.config.ts') } })
  }
  const shown = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map(
      ({ file, line, column, code, hint }) => `${basename(file)}:${line}:${column} ${code} ${hint}`,
    )

  test('a featured slug without an article, and a colour with too little contrast, have positions', async () => {
    expect(shown((await load({})).diagnostics).toSorted()).toEqual([
      'kb.config.ts:3:24 accent-contrast undefined',
      'kb.config.ts:3:51 accent-contrast undefined',
      'kb.config.ts:4:31 featured-missing Did you mean "two"?',
      'kb.config.ts:4:39 featured-missing Correct or remove it: the home page leaves it out.',
      'kb.config.ts:4:47 featured-missing Did you mean "one"?',
    ])
  })

  test('a link to a missing or deleted article has a position', async () => {
    const links = (...urls: string[]) => urls.map((url) => ({ text: 'Text', url }))
    const header = links(
      '/en/one',
      '/en/one#part',
      '/',
      '/search',
      'https://kb.example.com/en/too',
      '/en/first',
    )
    const footer = [
      { text: 'T', url: { en: '/en/Nothing like it', de: '/de/drei' } },
      ...links('https://example.com/en/x'),
    ]
    const url = 'https://kb.example.com'
    const { root } = createProject({
      'kb.config.ts': `export default ${JSON.stringify({ header, footer })}\n`,
    })
    const { diagnostics } = await loadFiles(
      { ...files, 'one.md': published('Text.', 'aliases: first\n') },
      { pages: { header, footer, url, configFile: join(root, 'kb.config.ts') } },
    )
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'page-link-missing',
        'pages.header: no article has the URL "https://kb.example.com/en/too".',
        'Did you mean "/en/two"?',
      ],
      [
        'page-link-missing',
        'pages.header: "/en/first" is an old URL of "Example", which leads to the article.',
        'Write /en/one.',
      ],
      [
        'page-link-missing',
        'pages.footer: no article has the URL "/en/Nothing like it".',
        'Correct the URL, or remove the link.',
      ],
    ])
  })

  test('an article with an error may have the slug', async () => {
    const { diagnostics } = await load({ 'broken.md': '---\ntitle: [\n---\n' })
    expect(diagnostics.filter(({ code }) => code === 'featured-missing')).toEqual([])
  })
})
