// Every kind of mistake in the files, once: reported with its place, all at once, and nothing is sent.
import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files } from '../support/project.ts'

/** Files by the code and place that is expected, one mistake in each. */
const MISTAKES: Readonly<Record<string, string>> = {
  'asset-missing 6:6': article('A', { body: '![x](none.png)' }),
  'asset-type 6:6': article('A', { body: '![x](note.txt)' }),
  'category-missing 3:13': article('A', { categories: [] }),
  'category-unknown 3:14': article('A', { categories: ['Guide'] }),
  'date-invalid 4:13': article('A', { reviewDate: '2027-02-30' }),
  'excerpt-too-long 4:10': article('A', { excerpt: 'x'.repeat(161) }),
  'file-empty 1:1': '',
  'frontmatter-engine 1:4': '---js\n{ title: process.exit(9) }\n---\n',
  'frontmatter-missing 1:1': '# A\n',
  'frontmatter-syntax 2:8': '---\ntitle: a: b\n---\n',
  'frontmatter-unknown-key 4:1': article('A', { tilte: 'B' }),
  'frontmatter-value 4:9': article('A', { status: 'public' }),
  'link-file-missing 6:5': article('A', { body: '[x](gone.md)' }),
  'link-heading-missing 6:5': article('A', { body: '[x](good.md#none)' }),
  'link-not-article 6:5': article('A', { body: '[x](note.conf)' }),
  'link-outside 6:5': article('A', { body: '[x](../../etc/passwd)' }),
  'slug-duplicate 4:7': article('A', { slug: 'good' }),
  'slug-invalid 4:7': article('A', { slug: 'a b' }),
  'tag-unknown 4:8': article('A', { tags: ['safty'] }),
  'title-too-long 2:8': article('A'.repeat(501)),
  'title-missing 1:1': '---\ncategories: [Guides]\n---\n',
  'translation-unknown 4:16': article('A', { translationOf: 'none' }),
}

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n',
  'content/_tags.yml': '- name: Safety\n  slug: safety\n',
  'content/good.md': article('Good'),
  'content/note.conf': 'Not an article\n',
  'content/note.txt': 'Not an article\n',
}

interface Diagnostic {
  readonly code: string
  readonly severity: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

async function diagnose(files: Files): Promise<{ code: number | null; found: Record<string, string[]> }> {
  const project = createProject(files)
  writeFileSync(project.path('content/latin-1.md'), Buffer.from('---\ntitle: caf\xe9\n---\n', 'latin1'))
  const { code, json } = await project.kb('sync', '--json')
  const { diagnostics, requests } = json as { diagnostics: Diagnostic[]; requests: object }
  expect(requests).toEqual({})
  expect(existsSync(project.path('.kb/kb.db'))).toBe(false)
  const found: Record<string, string[]> = {}
  for (const { code: problem, file, line, column } of diagnostics)
    (found[file] ??= []).push(`${problem} ${line}:${column}`)
  return { code, found }
}

test('all mistakes in articles are found in one run', async () => {
  const articles = Object.entries(MISTAKES).map(([expected, text], index) => ({
    file: `content/page-${String(index).padStart(2, '0')}.md`,
    expected,
    text,
  }))
  const { code, found } = await diagnose({
    ...FILES,
    ...Object.fromEntries(articles.map(({ file, text }) => [file, text])),
  })
  expect(code).toBe(1)
  expect(found).toEqual({
    ...Object.fromEntries(articles.map(({ file, expected }) => [file, [expected]])),
    'content/good.md': ['slug-duplicate 1:1'],
    'content/latin-1.md': ['file-not-utf8 2:11'],
  })
})

test.each([
  ['not a list', 'name: Guides\n', ['taxonomy-syntax 1:1']],
  ['not YAML', '- name: "Guides\n', ['taxonomy-syntax 1:9']],
  ['an unknown key', '- name: Guides\n  prio: 1\n', ['taxonomy-unknown-key 2:3']],
  ['a wrong value', '- name: Guides\n  priority: high\n', ['taxonomy-value 2:13']],
  ['the same name twice', '- name: Guides\n- name: Guides\n', ['taxonomy-duplicate 2:9']],
  ['a parent that is not there', '- name: Guides\n  parent: None\n', ['taxonomy-parent 2:11']],
])('a taxonomy file with %s', async (_, text, expected) => {
  const { code, found } = await diagnose({ ...FILES, 'content/_categories.yml': text })
  expect([code, found['content/_categories.yml']]).toEqual([1, expected])
})

test('a content folder that is not there is said, and nothing is deleted', async () => {
  const project = createProject({ 'kb.config.ts': configFile({ project: 'demo' }) })
  const { code, json } = await project.kb('sync', '--prune', '--yes', '--json')
  expect([code, json]).toMatchObject([2, { version: 1, error: { code: 'CONTENT_UNREADABLE' } }])
})

test('what the built-in server created before an error was found is not denied', async () => {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/_tags.yml': '- name: Safety\n  slug: safety\n',
    'content/a.md': article('A', { categories: ['Nowhere'], tags: ['safety'] }),
  })
  const tag = { kind: 'tag', action: 'create', slug: 'safety' }
  const plan = await project.kb('plan', '--json')
  expect(plan.json).toMatchObject({ operations: [{ ...tag, outcome: 'planned' }], taxonomy: { created: 1 } })
  expect((await project.kb('plan')).stdout).toMatch(
    /\n1 error\. A sync would create categories and tags, and send no article\.\n$/,
  )
  expect((await project.kb('sync')).stdout).toMatch(
    /\n1 error\. Categories and tags were created; no article was sent\.\n$/,
  )
  expect((await project.kb('sync')).stdout).toMatch(/\n1 error\. Nothing was sent\.\n$/)
})
