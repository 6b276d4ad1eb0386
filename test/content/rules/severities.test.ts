// The configured severity of a problem decides whether it blocks a run, and what readers get.
import { expect, test } from 'vitest'
import { projectHtml, hashProjection } from '../../../src/core/model/projection.ts'
import type { RuleSeverities } from '../../../src/core/model/diagnostic-codes.ts'
import { type Files, FRONTMATTER, loadFiles } from '../load-files.ts'

const BROKEN_LINKS: RuleSeverities = {
  'link-file-missing': 'warning',
  'link-outside': 'warning',
  'link-not-article': 'warning',
  'link-taxonomy-missing': 'warning',
  'asset-missing': 'warning',
}
const BODY =
  '[*gone*](gone.md "Title") <a title="a > b" href="../up.md">up</a> [text](notes.txt) ' +
  '[tag](_tags.yml#none) ![alt](gone.png) [here](a.md)\n'
const FILES: Files = { 'a.md': `${FRONTMATTER}${BODY}`, 'notes.txt': 'text' }

test.each(['warning', 'off'] as const)(
  'broken links that are %s are sent as they are written',
  async (severity) => {
    const rules = Object.fromEntries(Object.keys(BROKEN_LINKS).map((code) => [code, severity]))
    const { html, diagnostics } = await loadFiles(FILES, { rules })
    expect(html['a.md']).toBe(
      '<p><a href="gone.md" title="Title"><em>gone</em></a> <a title="a > b" href="../up.md">up</a> ' +
        '<a href="notes.txt">text</a> <a href="_tags.yml#none">tag</a> <img src="gone.png" alt="alt"> ' +
        '<a href="/en/a">here</a></p>\n',
    )
    const found = diagnostics.map(({ code }) => code)
    expect(found).toEqual(
      severity === 'off'
        ? []
        : ['link-file-missing', 'link-outside', 'link-not-article', 'link-taxonomy-missing', 'asset-missing'],
    )
    expect(diagnostics.filter((each) => each.severity === 'error')).toEqual([])
  },
)

test('or as text, without their href', async () => {
  const { html } = await loadFiles(FILES, { rules: BROKEN_LINKS, brokenLinks: 'text' })
  expect(html['a.md']).toBe(
    '<p><a title="Title"><em>gone</em></a> <a title="a > b">up</a> ' +
      '<a>text</a> <a>tag</a> <img src="gone.png" alt="alt"> <a href="/en/a">here</a></p>\n',
  )
})

test.each(['keep', 'text'] as const)(
  'with %s, the article is compared by what is sent',
  async (brokenLinks) => {
    const load = (files: Files) => loadFiles(files, { rules: BROKEN_LINKS, brokenLinks })
    const { html, articles } = await load(FILES)
    const { textHash, targets } = projectHtml(html['a.md'] ?? '')
    expect(articles[0]?.projectionHash).toBe(hashProjection(textHash, targets))
    const later = await load({ ...FILES, 'gone.md': FRONTMATTER })
    expect(later.html['a.md']).toContain('<a href="/en/gone" title="Title">')
    expect(later.articles[0]?.contentHash).not.toBe(articles[0]?.contentHash)
  },
)

test('the description of a category is sent like an article', async () => {
  const files = { '_categories.yml': '- name: Guides\n  longDescription: "[gone](gone.md)"\n' }
  const { taxonomy } = await loadFiles(files, { rules: BROKEN_LINKS, brokenLinks: 'text' })
  expect(taxonomy.categories?.[0]?.longDescription?.trim()).toBe('<p><a>gone</a></p>')
})

test('an unknown key is ignored, whatever its severity', async () => {
  const files = { 'a.md': '---\ntitle: A\nauthor: B\nstatus: published\ncategories: [Guides]\n---\nText.\n' }
  for (const severity of ['error', 'warning', 'off'] as const) {
    const { articles, diagnostics } = await loadFiles(files, {
      rules: { 'frontmatter-unknown-key': severity },
    })
    expect(articles).toMatchObject([{ title: 'A', status: 'published', categories: ['Guides'] }])
    const found = diagnostics.map((each) => `${each.line}:${each.column} ${each.code} ${each.severity}`)
    expect(found).toEqual(severity === 'off' ? [] : [`3:1 frontmatter-unknown-key ${severity}`])
  }
})

test('an unknown key in a taxonomy file does not hold its entries back', async () => {
  const files = {
    '_categories.yml':
      '- name: Guides\n  slug: guides\n  colour: red\n  translations: { fr: { name: G, slug: g, hue: 1 } }\n- { name: Last, prio: 1 }\n',
  }
  for (const severity of ['error', 'warning', 'off'] as const) {
    const { taxonomy, diagnostics } = await loadFiles(files, { rules: { 'taxonomy-unknown-key': severity } })
    expect(taxonomy.categories?.map(({ name, slug, line }) => [name, slug, line])).toEqual([
      ['Guides', 'guides', 1],
      ['Last', undefined, 5],
    ])
    const found = diagnostics.map((each) => `${each.line}:${each.column} ${each.severity}`)
    expect(found).toEqual(
      severity === 'off' ? [] : ['3:3', '4:43', '5:17'].map((place) => `${place} ${severity}`),
    )
  }
})

test('of the overrides that match a file and contain the rule, the last one wins', async () => {
  const article = `${FRONTMATTER}[gone](gone.md)\n`
  const files = { 'a.md': article, 'old/b.md': article, 'old/kept/c.md': article, 'old/kept/d.md': article }
  const { diagnostics } = await loadFiles(files, {
    overrides: [
      { files: ['old/**'], rules: { 'link-file-missing': 'warning' } },
      { files: ['old/kept/*', 'none'], rules: { 'link-file-missing': 'off' } },
      { files: ['**/d.md'], rules: { 'link-file-missing': 'error' } },
      { files: ['**'], rules: { 'bare-url': 'error', 'link-file-missing': undefined } },
    ],
  })
  expect(diagnostics.map(({ file, severity }) => `${file} ${severity}`)).toEqual([
    'a.md error',
    'old/b.md warning',
    'old/kept/d.md error',
  ])
})

test('an override enables a rule that is disabled elsewhere', async () => {
  const files = {
    'a.md': FRONTMATTER,
    'new/b.md': FRONTMATTER,
    'new/unused.gif': 'GIF89a',
    'unused.gif': 'GIF89a',
  }
  const { diagnostics } = await loadFiles(files, {
    rules: { 'excerpt-missing': 'off', 'asset-unused': 'off' },
    overrides: [{ files: ['new/**'], rules: { 'excerpt-missing': 'warning', 'asset-unused': 'warning' } }],
  })
  expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual([
    'new/b.md excerpt-missing',
    'new/unused.gif asset-unused',
  ])
})

test('a problem in an included file has the severity for that file', async () => {
  const files = {
    'a.md': `${FRONTMATTER}<!-- include: _parts/b.md -->\n`,
    '_parts/b.md': '[gone](gone.md)\n',
  }
  const { diagnostics } = await loadFiles(files, {
    overrides: [{ files: ['_parts/**'], rules: { 'link-file-missing': 'warning' } }],
  })
  expect(diagnostics).toMatchObject([{ file: '_parts/b.md', severity: 'warning' }])
})
