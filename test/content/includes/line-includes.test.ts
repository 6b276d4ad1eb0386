// Files that MkDocs inserts by `--8<-- "file"`, notes that Obsidian embeds by `![[note]]`, and the shortcode `include`.
import { expect, test } from 'vitest'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import {
  contentFolder,
  contentOptions,
  type Files,
  FRONTMATTER,
  loadFiles,
  loadFolder,
  placesOf,
  writeFiles,
} from '../load-files.ts'

const optionsFor = (dialect: PresetName, includeFolders?: readonly string[]) => ({
  markdown: { ...contentOptions('/').markdown, dialect, includeFolders },
})

const loadSnippets = (files: Files, ...folders: readonly string[]) =>
  loadFiles(files, optionsFor('mkdocs', folders))

const loadNotes = (files: Files) => loadFiles(files, optionsFor('obsidian'))

const PART = `---
title: Prices
---
One [link](./b.md)

<!-- --8<-- [start:vat] -->
Two [gone](./gone.md)
<!-- --8<-- [end:vat] -->

Three
`

const CODE = `# --8<-- [start:import]
import x
# --8<-- [end:import]

\tx()
`

test('snippets: files, lines and sections, in text and in code', async () => {
  const { html, diagnostics } = await loadSnippets(
    {
      'guide/a.md': `${FRONTMATTER}--8<-- "parts/_prices.md"

- item

    --8<-- 'parts/_prices.md:4:4'

!!! tip

    --8<-- "parts/_prices.md:vat"

--8<--
parts/_prices.md:10

; parts/_none.md
_own.md
--8<--

\`\`\`py
--8<-- "x.py"
\`\`\`

1. a

    \`\`\`py
    --8<-- "x.py:import"
    --8<--
    x.py::2
    --8<--
    ;--8<-- "x.py"
    \`\`\`
`,
      'parts/_prices.md': PART,
      'parts/b.md': `${FRONTMATTER}B\n`,
      'more/_own.md': 'Own\n',
      'more/x.py': CODE,
    },
    'none',
    'more',
    '.',
  )
  expect(html['guide/a.md']?.replace(/<!--.*/, '')).toMatchInlineSnapshot(`
    "<p>One <a href="/en/b">link</a></p>
    <p>Two <a href="./gone.md">gone</a></p>
    <p>Three</p>
    <ul>
    <li>
    <p>item</p>
    <p>One <a href="/en/b">link</a></p>
    </li>
    </ul>
    <div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Tip</p>
    <p>Two <a href="./gone.md">gone</a></p>
    </div>
    <p>Three
    Own</p>
    <pre><code class="language-py">import x

    	x()
    </code></pre>
    <ol>
    <li>
    <p>a</p>
    <pre><code class="language-py">import x
    import x
    --8&#x3C;-- "x.py"
    </code></pre>
    </li>
    </ol>
    "
  `)
  expect(placesOf({ diagnostics })).toEqual(['parts/_prices.md:7:12 link-file-missing'])
})

test('snippets: unreadable ones are reported', async () => {
  const { diagnostics } = await loadSnippets(
    {
      'docs/a.md': `${FRONTMATTER}--8<-- "gone.md"

--8<-- "../../a.md"

--8<-- "part.md:none"

--8<-- "https://example.com/a.md"

--8<-- "part.md:1:2,4:5"

--8<-- ".env"

--8<-- "part.md"

--8<--
`,
      'docs/part.md': `${FRONTMATTER}--8<-- "a.md"\n`,
    },
    'docs',
  )
  expect(placesOf({ diagnostics })).toMatchInlineSnapshot(`
    [
      "docs/a.md:5:1 include-missing",
      "docs/a.md:7:1 include-outside",
      "docs/a.md:9:1 include-missing",
      "docs/a.md:11:1 component-removed",
      "docs/a.md:13:1 component-removed",
      "docs/a.md:15:1 include-missing",
      "docs/a.md:17:1 include-circular",
      "docs/a.md:19:1 component-removed",
      "docs/part.md:5:1 include-circular",
    ]
  `)
})

test('embedded notes: whole ones, below a heading, and blocks', async () => {
  const { html, diagnostics } = await loadNotes({
    'Home.md': `${FRONTMATTER}Text
![[one|words]]
more

> ![[Deep/One#Part: (b)]]

- ![[One#Part: (b)#Below]]
- ![[ONE#^item]]

![[One#^whole]]

![[same]] ![[One]]

![[same]]

    ![[One]]
`,
    'Deep/One.md': `---
tags: [a]
---
First [[Two]] and [x](./gone.md)

## Part: (b)

Second

### Below

\`\`\`md
## Code
\`\`\`

- a
- b ^item
- c

## Next

Third
line

^whole
`,
    'Deep/Two.md': `${FRONTMATTER}Two\n`,
    'a/same.md': `${FRONTMATTER}Same\n`,
    'b/same.md': `${FRONTMATTER}Same\n`,
  })
  expect(html['Home.md']?.replace(/<!--.*/, '')).toMatchInlineSnapshot(`
    "<p>Text</p>
    <p>First <a href="Two">Two</a> and <a href="./gone.md">x</a></p>
    <h2 id="part-b">Part: (b)</h2>
    <p>Second</p>
    <h3 id="below">Below</h3>
    <pre><code class="language-md">## Code
    </code></pre>
    <ul>
    <li>a</li>
    <li>b</li>
    <li>c</li>
    </ul>
    <h2 id="next">Next</h2>
    <p>Third
    line</p>
    <p>more</p>
    <blockquote>
    <h2 id="part-b-1">Part: (b)</h2>
    <p>Second</p>
    <h3 id="below-1">Below</h3>
    <pre><code class="language-md">## Code
    </code></pre>
    <ul>
    <li>a</li>
    <li>b</li>
    <li>c</li>
    </ul>
    </blockquote>
    <ul>
    <li>
    <h3 id="below-2">Below</h3>
    <pre><code class="language-md">## Code
    </code></pre>
    <ul>
    <li>a</li>
    <li>b</li>
    <li>c</li>
    </ul>
    </li>
    <li>
    <ul>
    <li>b</li>
    </ul>
    </li>
    </ul>
    <p>Third
    line</p>
    <p><a href="same">same</a> <a href="One">One</a></p>
    <p>Same</p>
    <pre><code>[One](One)
    </code></pre>
    "
  `)
  expect(placesOf({ diagnostics })).toMatchInlineSnapshot(`
    [
      "Deep/One.md:1:1 title-missing",
      "Deep/One.md:4:9 link-file-missing",
      "Deep/One.md:4:23 link-file-missing",
      "Home.md:16:1 component-removed",
      "Home.md:16:1 link-file-missing",
      "Home.md:16:11 component-removed",
      "Home.md:16:11 link-file-missing",
      "Home.md:20:5 component-removed",
      "a/same.md:1:1 slug-duplicate",
      "b/same.md:1:1 slug-duplicate",
    ]
  `)
})

test('a note may embed another part of itself, and the part of a note that embeds it', async () => {
  const { html, diagnostics } = await loadNotes({
    'a.md': `${FRONTMATTER}## One\n\n![[a#Two]]\n\n## Two\n\n![[b]]\n\n## Three\n\nText ^x\n`,
    'b.md': `${FRONTMATTER}B\n\n![[a#Three]]\n\n![[a#^x]]\n`,
    'c.md': `${FRONTMATTER}## One\n\n![[c#One]]\n`,
  })
  const b = (id: string) => `<p>B</p>\n<h2 id="${id}">Three</h2>\n<p>Text</p>\n<p>Text</p>`
  expect(html['a.md']).toContain(
    `<h2 id="one">One</h2>\n<h2 id="two">Two</h2>\n${b('three')}\n<h2 id="two-1">Two</h2>\n${b('three-1')}\n`,
  )
  expect(placesOf({ diagnostics }).filter((place) => !place.endsWith('slug-duplicate'))).toEqual([
    'c.md:7:1 include-circular',
  ])
})

test('an embedded part links to the other parts of its note', async () => {
  const { html, diagnostics } = await loadNotes({
    'a.md': `${FRONTMATTER}![[b#^tip]]\n\n![[b#Inner]]\n\n![[_part]]\n`,
    'b.md': `${FRONTMATTER}## Change it\n\nText\n\nSee [[#Change it|here]] and [[#None]].\n^tip\n\n## Inner\n\n[[#inner]]\n`,
    '_part.md': '[[#Inner]] [[#Gone]]\n',
  })
  expect(html['a.md']).toMatchInlineSnapshot(`
    "<p>See <a href="/en/b#change-it">here</a> and <a href="#none">None</a>.</p>
    <h2 id="inner">Inner</h2>
    <p><a href="#inner">inner</a></p>
    <p><a href="#inner">Inner</a> <a href="#gone">Gone</a></p>
    "
  `)
  expect(
    diagnostics
      .filter(({ code }) => code.startsWith('link-'))
      .map(({ file, line, message }) => `${file}:${line} ${message}`),
  ).toMatchInlineSnapshot(`
    [
      "_part.md:1 No heading of this file has the id "gone".",
      "b.md:9 No heading of this file has the id "none".",
    ]
  `)
})

test('embedded notes: missing ones, missing headings and circles are errors', async () => {
  const { diagnostics } = await loadNotes({
    'a.md': `${FRONTMATTER}![[gone]]\n\n![[b#None]]\n\n![[b#^none]]\n\n![[b]]\n\n![[other.canvas]]\n`,
    'b.md': `${FRONTMATTER}![[a]]\n`,
  })
  expect(
    diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ file, line, message }) => `${file}:${line} ${message}`),
  ).toMatchInlineSnapshot(`
    [
      "a.md:5 There is no file "gone.md" to include.",
      "a.md:7 b.md has no heading "None" to include.",
      "a.md:9 b.md has no block "none" to include.",
      "a.md:11 b.md includes itself: b.md → a.md → b.md.",
      "a.md:13 There is no file "other.canvas".",
      "b.md:5 a.md includes itself: a.md → b.md → a.md.",
    ]
  `)
})

test('Hugo: the shortcode include, root-relative, beside the page and in _includes above', async () => {
  const { html, diagnostics } = await loadFiles(
    {
      'en/docs/guide/a.md': `${FRONTMATTER}Text
{{% include "/_common/one.md" %}}

- item

  {{< include file="two" />}}

> {{% include three.md %}}

{{%/* include three.md */%}} {{% include three.md %}}

{{% include four.md words %}}

{{% include gone.md %}}
`,
      'en/_common/one.md':
        '---\nheadless: true\n---\n\nOne {{% include "docs/_includes/inner" %}}\n\n{{< param title >}}\n',
      'en/docs/guide/two.md': `${FRONTMATTER}Two\n`,
      'en/docs/_includes/three.md': 'Three\n\n{{% include "/_common/one" %}}\n',
      '_includes/three.md': 'None\n',
      'en/docs/_includes/four.md': 'None\n',
    },
    optionsFor('hugo'),
  )
  expect(html['en/docs/guide/a.md']?.replace(/<!-- [\da-f].*/, '')).toMatchInlineSnapshot(`
    "<p>Text</p>
    <p>One</p>
    <p>Example</p>
    <ul>
    <li>
    <p>item</p>
    <p>Two</p>
    </li>
    </ul>
    <blockquote>
    <p>Three</p>
    <p>One</p>
    <p>Example</p>
    </blockquote>
    <p>{{% include three.md %}}</p>
    "
  `)
  expect(placesOf({ diagnostics })).toMatchInlineSnapshot(`
    [
      "en/_common/one.md:5:5 shortcode-removed",
      "en/docs/guide/a.md:14:30 shortcode-removed",
      "en/docs/guide/a.md:16:1 shortcode-removed",
      "en/docs/guide/a.md:18:1 shortcode-removed",
    ]
  `)
})

test.each([
  ['mkdocs', '--8<-- "_part.md"\n'],
  ['obsidian', '![[part]]\n'],
  ['hugo', '{{% include part %}}\n'],
] as const)('an article of %s is compiled again when its part changes', async (dialect, text) => {
  const root = contentFolder({ 'a.md': FRONTMATTER + text })
  const code = dialect === 'hugo' ? 'shortcode-removed' : 'include-missing'
  expect(placesOf(await loadFolder(root, optionsFor(dialect)))).toEqual([`a.md:5:1 ${code}`])
  for (const words of ['One', 'Two']) {
    const file = { mkdocs: '_part.md', obsidian: 'deep/Part.md', hugo: '_includes/part.md' }[dialect]
    writeFiles(root, { [file]: `${FRONTMATTER}${words}\n` })
    expect((await loadFolder(root, optionsFor(dialect))).html['a.md']).toContain(`<p>${words}</p>`)
  }
})
