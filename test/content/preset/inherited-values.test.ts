// `cascade` of Hugo: the values that a section passes to its pages.
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { findContent, openContent } from '../../../src/sync/open-content.ts'
import { createProject, type Files } from '../../support/project.ts'

const CONFIG = "export default { project: 'site', preset: 'hugo', server: { languages: ['en', 'fr'] } }\n"
const PAGE = 'Get {{< param version >}}.\n'

/** Formats a line for each article: its status, and its first paragraph or first problem. */
async function show(files: Files): Promise<Readonly<Record<string, string>>> {
  const { root } = createProject({ 'kb.config.ts': CONFIG, 'hugo.toml': '', ...files })
  const settings = await loadConfig({ cwd: root })
  const { content, cache } = await openContent(settings, await findContent(settings))
  try {
    const shown = content.articles.map(
      ({ source, status, excerpt }) => [source, `${status}: ${excerpt}`] as const,
    )
    const problems = content.diagnostics.map(({ file, code }) => [file, code] as const)
    return Object.fromEntries([...shown, ...problems])
  } finally {
    cache.close()
  }
}

test('a section passes values down to its pages, and the nearest section wins', async () => {
  expect(
    await show({
      'content/docs/_index.md': '---\ntitle: Docs\ncascade:\n  version: 1\n  draft: true\n---\n',
      'content/docs/a.md': `---\ntitle: A\n---\n${PAGE}`,
      'content/docs/own.md': `---\ntitle: Own\nVersion: 7\ndraft: false\n---\n${PAGE}`,
      'content/docs/v2/_index.md': '+++\ntitle = "V2"\n[cascade]\nversion = 2\n+++\n',
      'content/docs/v2/deep/a.md': `---\ntitle: Deep\n---\n${PAGE}`,
      'content/docs/v3/_index.md': '{ "title": "V3", "cascade": { "version": 3 } }\n',
      'content/docs/v3/a.md': PAGE,
      'content/docs-more/a.md': `---\ntitle: More\n---\n${PAGE.replace('Get', '`get` it')}`,
    }),
  ).toEqual({
    'docs/a.md': 'draft: Get 1.',
    'docs/own.md': 'published: Get 7.',
    'docs/v2/deep/a.md': 'draft: Get 2.',
    'docs/v3/a.md': 'draft: Get 3.',
    'docs-more/a.md': 'published: get it .',
    'content/docs-more/a.md': 'shortcode-removed',
  })
})

test('a target limits them to paths, kinds and languages', async () => {
  const cascade = [
    '- version: 1\n  _target: { path: "{/docs/old/**,/docs/A.md}" }',
    '- version: 2\n  _target: { kind: section }',
    '- version: 3\n  target: { lang: fr }',
    '- version: 4\n  _target: { path: /docs/b }',
    '- version: 5',
  ].join('\n')
  const files = ['a.md', 'b.md', 'c.md', 'old/x.md', 'c.fr.md']
  const pages = files.map((name) => [`content/docs/${name}`, `---\ntitle: ${name}\n---\n${PAGE}`] as const)
  expect(
    await show({
      ...Object.fromEntries(pages),
      'content/docs/_index.md': `---\ntitle: Docs\ncascade:\n${cascade}\n---\n`,
      'content/docs/_index.fr.md': '---\ntitle: Docs\ncascade: { version: 6 }\n---\n',
      'content/docs/old/_index.md': '---\ntitle: Old\n---\n',
    }),
  ).toEqual({
    'docs/a.md': 'published: Get 1.',
    'docs/b.md': 'published: Get 4.',
    'docs/c.md': 'published: Get 5.',
    'docs/c.fr.md': 'published: Get 6.',
    'docs/old/x.md': 'published: Get 1.',
  })
})

test('an unreadable section passes nothing down', async () => {
  expect(
    await show({
      'content/docs/_index.md': '---\ntitle: "Docs\ncascade: { version: 1 }\n---\n',
      'content/docs/a.md': '---\ntitle: A\n---\nText.\n',
    }),
  ).toEqual({ 'docs/a.md': 'published: Text.', 'content/docs/_index.md': 'taxonomy-syntax' })
})
