// Links to categories and tags, in articles and in long descriptions.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFolder, type Files, loadFiles, loadFolder } from './load-files.ts'

const TAXONOMY: Files = {
  '_categories.yml':
    '- name: Guides\n' +
    '- name: Accounts\n  slug: accounts\n  parent: Guides\n  translations: { fr: { name: Comptes, slug: comptes } }\n' +
    '- name: Billing\n  slug: billing&more\n- name: Same\n  parent: Guides\n- name: Same\n  parent: Accounts\n',
  '_tags.yml': '- name: Security\n  slug: security\n',
}

const article = (body: string, head = '') => `---\ntitle: A\ncategories: [Guides]\n${head}---\n${body}\n`

async function resolve(markdown: string, files: Files = TAXONOMY, head = '') {
  const { html, diagnostics } = await loadFiles({ ...files, 'in/a.md': article(markdown, head) })
  const [first] = diagnostics
  if (first === undefined) return /href="([^"]*)"/.exec(html['in/a.md'] ?? '')?.[1]
  return [first.code, `${first.line}:${first.column}-${first.end?.column}`, first.message, first.hint]
}

test.each([
  ['../_categories.yml#accounts', '/en/categories/accounts'],
  ['/_categories.yml#accounts', '/en/categories/accounts'],
  ['../_categories.yml#Accounts', '/en/categories/accounts'],
  ['../_categories.yml#Guides/Accounts', '/en/categories/accounts'],
  ['../_categories.yml#billing%26more', '/en/categories/billing&#x26;more'],
  ['../_tags.yml#security', '/en/tags/security'],
  ['/_tags.yml#Security', '/en/tags/security'],
])('%s becomes the address', async (written, expected) => {
  expect(await resolve(`[x](${written})`)).toBe(expected)
})

test('in the language of the article, if the entry has it', async () => {
  const french = 'language: fr\n'
  expect(await resolve('[x](../_categories.yml#accounts)', TAXONOMY, french)).toBe('/fr/categories/comptes')
  expect(await resolve('[x](../_tags.yml#security)', TAXONOMY, french)).toBe('/en/tags/security')
})

test.each([
  [
    '../_categories.yml#acounts',
    'There is no category "acounts" in _categories.yml.',
    'Did you mean _categories.yml#accounts?',
  ],
  [
    '../_tags.yml#none-of-them',
    'There is no tag "none-of-them" in _tags.yml.',
    'Link to _tags.yml# followed by the slug of an entry.',
  ],
  [
    '../_categories.yml',
    'The link to _categories.yml does not name a category.',
    'Link to _categories.yml# followed by the slug of an entry.',
  ],
  [
    '../_categories.yml#Guides',
    'The category "Guides" has no slug, so it has no URL.',
    'Add a slug to it in _categories.yml.',
  ],
  ['../_categories.yml#Same', '"Same" matches more than one category in _categories.yml.', 'Use its slug.'],
])('%s is an error', async (written, message, hint) => {
  const place = `5:5-${5 + written.length}`
  expect(await resolve(`[x](${written})`)).toEqual(['link-taxonomy-missing', place, message, hint])
})

test('a link to a missing file is an error, but not one to a broken file', async () => {
  const { '_tags.yml': _, ...none } = TAXONOMY
  expect(await resolve('[x](../_tags.yml#security)', none)).toEqual([
    'link-taxonomy-missing',
    '5:5-26',
    'There is no tag "security" in _tags.yml.',
    'Link to _tags.yml# followed by the slug of an entry.',
  ])
  const broken = {
    ...none,
    '_tags.yml': '- name: Security\n  slug: 7\n',
    'in/a.md': article('[x](../_tags.yml#security)'),
  }
  expect((await loadFiles(broken)).diagnostics.map(({ code }) => code)).toEqual(['taxonomy-value'])
})

test('an article changes with the slug of a category that it links to', async () => {
  const hashOf = async (slug: string) => {
    const files = {
      '_categories.yml': `- name: Guides\n  slug: ${slug}\n`,
      'a.md': article('[x](_categories.yml#Guides)'),
    }
    const [first] = (await loadFiles(files)).articles
    return [first?.contentHash, first?.projectionHash]
  }
  const before = await hashOf('guides')
  expect(await hashOf('guides')).toEqual(before)
  expect((await hashOf('manuals')).map((hash, index) => hash === before[index])).toEqual([false, false])
})

test('links in long descriptions are also resolved', async () => {
  const loaded = await loadFiles({
    'a.md': article('# One'),
    'b.md': article('', 'slug: b\nlanguage: fr\ntranslationOf: a.md\n'),
    '_categories.yml':
      '- name: Guides\n  slug: guides\n' +
      '  longDescription: "[a](a.md#one) [tag](_tags.yml#security) [me](_categories.yml#guides) [b](b.md)"\n' +
      '  translations: { fr: { name: G, slug: g, longDescription: "[moi](_categories.yml#guides)" } }\n',
    '_tags.yml': '- name: Security\n  slug: security\n  longDescription: "plain"\n',
  })
  expect(loaded.diagnostics).toEqual([])
  const [guides] = loaded.taxonomy.categories ?? []
  expect(guides?.longDescription?.match(/href="[^"]*"/g)).toEqual([
    'href="/en/a#one"',
    'href="/en/tags/security"',
    'href="/en/categories/guides"',
    'href="/fr/b"',
  ])
  expect(guides?.translations['fr']?.longDescription).toContain('href="/fr/categories/g"')
  expect(loaded.taxonomy.tags?.[0]?.longDescription).toBe('<p>plain</p>\n')
})

test('problems of a link in a long description are reported there', async () => {
  const { diagnostics } = await loadFiles({
    '_tags.yml': '- name: Security\n  slug: security\n  longDescription: "See [x](none.md)."\n',
  })
  expect(diagnostics).toEqual([
    {
      code: 'link-file-missing',
      severity: 'error',
      file: '_tags.yml',
      line: 3,
      column: 20,
      end: { line: 3, column: 39 },
      message: 'There is no article "none.md".',
      hint: 'The path is relative to this file: correct it, or create that article.',
    },
  ])
})

test('a taxonomy file outside the content folder, behind a symbolic link, is not read', async () => {
  const outside = contentFolder({ 'secret.yml': 'password: hunter2\n' })
  const root = contentFolder({ 'a.md': article('') })
  symlinkSync(join(outside, 'secret.yml'), join(root, '_tags.yml'))
  const { diagnostics } = await loadFolder(root)
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['file-unreadable', '"_tags.yml" points to a file outside the content folder.'],
  ])
})
