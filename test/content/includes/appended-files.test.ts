// Files beside the documents that MkDocs includes, or appends to each page by `auto_append`.
import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { contentOptions } from '../../../src/content/pipeline/content-options.ts'
import { createProject, type Files, type TestProject } from '../../support/project.ts'
import { openLive } from '../../watch/live-content/live-project.ts'
import { loadFolder, placesOf, writeFiles } from '../load-files.ts'

const DEFINITIONS = `[site]: https://example.com/
[b]: b.md
[gone]: gone.md

*[HTML]: a language
`

const project = (files: Files, snippets = '{ auto_append: [inc/terms.md] }'): TestProject =>
  createProject({
    'kb.config.mjs': "export default { project: 'p', preset: 'mkdocs' }\n",
    'mkdocs.yml': `markdown_extensions:\n  - pymdownx.snippets: ${snippets}\n`,
    ...files,
  })

const optionsOf = async ({ root }: TestProject) => contentOptions(await loadConfig({ cwd: root }))

async function load(made: TestProject) {
  const options = await optionsOf(made)
  return loadFolder(options.contentRoot, options)
}

test('definitions in an appended file apply to every article, and its problems are reported once', async () => {
  const made = project({
    'inc/terms.md': DEFINITIONS,
    'docs/guide/a.md': '# A\n\n[Site][site], [b], [gone] and [none][]\n',
    'docs/guide/b.md': '# B\n\n--8<-- "docs/_part.md"\n\n[gone]\n\n```\n[site]',
    'docs/_part.md': '[Site][site]\n',
  })
  const { html, diagnostics } = await load(made)
  expect(html).toMatchInlineSnapshot(`
    {
      "guide/a.md": "<p><a href="https://example.com/">Site</a>, <a href="/articles/guide-b">b</a>, <a href="gone.md">gone</a> and [none][]</p>
    ",
      "guide/b.md": "<p><a href="https://example.com/">Site</a></p>
    <p><a href="gone.md">gone</a></p>
    <pre><code>[site]
    </code></pre>
    ",
    }
  `)
  expect(placesOf({ diagnostics })).toMatchInlineSnapshot(`
    [
      "docs/guide/a.md:3:31 link-reference-undefined",
      "inc/terms.md:3:9 link-outside",
      "inc/terms.md:5:1 component-removed",
    ]
  `)
})

test('unclosed lists and code do not contain the appended file', async () => {
  const open = (text: string) => `# A\n\n${text}`
  const made = project({
    'inc/terms.md': '  [site]: https://example.com/\n',
    'docs/list.md': open('- [site]\n- b\n'),
    'docs/item.md': open('- a\n\n  ~~~~ md\n  [site]\n\n  b'),
    'docs/quote.md': open('> ```\n> [site]\n'),
    'docs/ended.md': open('- ```\n  a\n\n[site]'),
    'docs/admonition.md': open('!!! note\n    [site]\n\n    ```\n    a\n'),
  })
  expect((await load(made)).html).toMatchInlineSnapshot(`
    {
      "admonition.md": "<div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Note</p>
    <p><a href="https://example.com/">site</a></p>
    <pre><code>a
    </code></pre>
    </div>
    ",
      "ended.md": "<ul>
    <li>
    <pre><code>a
    </code></pre>
    </li>
    </ul>
    <p><a href="https://example.com/">site</a></p>
    ",
      "item.md": "<ul>
    <li>
    <p>a</p>
    <pre><code class="language-md">[site]

    b
    </code></pre>
    </li>
    </ul>
    ",
      "list.md": "<ul>
    <li><a href="https://example.com/">site</a></li>
    <li>b</li>
    </ul>
    ",
      "quote.md": "<blockquote>
    <pre><code>[site]
    </code></pre>
    </blockquote>
    ",
    }
  `)
})

test('only visible files in the folder of the site are appended', async () => {
  const made = project({
    'site/mkdocs.yml':
      'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [none, .]\n      auto_append: [../out.md, .env, link.md, docs, none.md, docs/a.md]\n',
    'kb.config.mjs': "export default { project: 'p', preset: 'mkdocs', content: 'site/docs' }\n",
    'out.md': '[x]: https://example.com/out\n',
    'site/.env': '[x]: https://example.com/env\n',
    'site/docs/a.md': '# A\n\nText\n',
  })
  symlinkSync(join(made.root, 'out.md'), join(made.root, 'site/link.md'))
  const files: string[] = []
  const { toolSite } = await loadConfig({ cwd: made.root, onFiles: (read) => files.push(...read) })
  expect(toolSite?.appended).toEqual([{ name: 'a.md', text: '# A\n\nText\n' }])
  expect(files.map((file) => relative(made.root, file))).toContain(join('site', 'none', 'none.md'))
  expect(Object.values((await load(made)).html)).toEqual(['<p>Text</p>\n'])
})

test('an edited file changes the rendering of articles, and an edited article keeps it', async () => {
  const made = project({ 'inc/terms.md': '[x]: https://example.com/1\n', 'docs/a.md': '# A\n\n[x]\n' })
  const before = await optionsOf(made)
  const live = openLive(before.contentRoot, before)
  onTestFinished(() => live.close())
  await live.refresh()
  writeFiles(made.root, { 'docs/a.md': '# A\n\nNow [x]\n' })
  await live.edit('a.md')
  const { content } = await live.refresh()
  expect(content.articles.map((article) => content.readHtml(article))).toEqual([
    '<p>Now <a href="https://example.com/1">x</a></p>\n',
  ])
  writeFiles(made.root, { 'inc/terms.md': '[x]: https://example.com/2\n' })
  expect((await optionsOf(made)).renderDigest).not.toBe(before.renderDigest)
})

test('snippets of a folder beside the documents that the settings name are included, and compiled again', async () => {
  const made = project(
    {
      'docs/guide/a.md': `# A

--8<-- "note.md"

--8<-- "; gone.md"

--8<-- "gone.md"

--8<-- "../secret.md"

--8<-- "link.md"

--8<-- ".env"
`,
      'parts/notes/note.md': 'See [b](b.md).\n\n--8<-- "inner.md"\n',
      'parts/notes/inner.md': 'Inner\n',
      'parts/notes/.env': 'Hidden\n',
      'parts/secret.md': 'Secret\n',
      'docs/guide/b.md': '# B\n\nText.\n',
    },
    '{ base_path: parts/notes }',
  )
  symlinkSync(join(made.root, 'parts/secret.md'), join(made.root, 'parts/notes/link.md'))
  const { html, diagnostics } = await load(made)
  expect(html['guide/a.md']).toBe('<p>See <a href="/articles/guide-b">b</a>.</p>\n<p>Inner</p>\n')
  expect(placesOf({ diagnostics })).toEqual([
    'docs/guide/a.md:7:1 include-missing',
    'docs/guide/a.md:9:1 include-outside',
    'docs/guide/a.md:11:1 include-outside',
    'docs/guide/a.md:13:1 include-outside',
  ])
  made.write({ 'docs/guide/a.md': '# A\n\n--8<-- "note.md"\n' })
  await load(made)
  made.write({ 'parts/notes/inner.md': 'Edited\n' })
  expect((await load(made)).html['guide/a.md']).toContain('<p>Edited</p>')
})

test.each([
  ['outside of the project', '{ base_path: ../notes }'],
  ['hidden', '{ base_path: .notes }'],
])('snippets of a folder that is %s are not included', async (_, snippets) => {
  const made = project(
    { 'docs/a.md': '# A\n\nText.\n\n--8<-- "note.md"\n', '.notes/note.md': 'Note\n' },
    snippets,
  )
  expect(placesOf(await load(made))).toEqual(['docs/a.md:5:1 include-missing'])
})

test('snippets of a link among the documents that leads out of the project are not included', async () => {
  const made = project({ 'docs/a.md': '# A\n\nText.\n\n--8<-- "note.md"\n' }, '{ base_path: docs/link }')
  const outside = createProject({ 'note.md': 'Note\n' })
  symlinkSync(outside.root, join(made.root, 'docs/link'))
  const { html, diagnostics } = await load(made)
  expect(html['a.md']).not.toContain('Note')
  expect(placesOf({ diagnostics })).toContain('docs/a.md:5:1 include-missing')
})
