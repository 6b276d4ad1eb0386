// Includes in the syntax of VitePress, beside our own.
import { expect, test } from 'vitest'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import { contentOptions, type Files, FRONTMATTER, loadFiles, placesOf } from '../load-files.ts'

const load = (files: Files, dialect: PresetName = 'vitepress') => {
  const { markdown } = contentOptions('/')
  return loadFiles(files, { markdown: { ...markdown, dialect } })
}

const PART = `---
title: Prices
---
One

<!-- #region vat -->
Two {{ x }}
<!-- #endregion vat -->

Three
`

test('inserts files, lines and regions', async () => {
  const { html, diagnostics } = await load({
    'guide/a.md': `${FRONTMATTER}<!--@include: ../_parts/prices.md-->

- item

  <!-- @include: @/_parts/prices.md{4,4} -->

<!--@include: ../_parts/prices.md#vat-->

<!--@include: ../_parts/prices.md{9,}-->

<!-- include: ../_parts/own.md -->
`,
    '_parts/prices.md': PART,
    '_parts/own.md': 'Own\n',
  })
  expect(html['guide/a.md']).toContain(
    '<p>One</p>\n<p>Two </p>\n<p>Three</p>\n<ul>\n<li>\n<p>item</p>\n<p>One</p>\n</li>\n</ul>\n' +
      '<p>Two </p>\n<p>Three</p>\n<p>Own</p>',
  )
  expect(placesOf({ diagnostics })).toEqual(['_parts/prices.md:7:5 expression-removed'])
})

test('plain documents include quoted paths, and keep other includes of Liquid', async () => {
  const { html, diagnostics } = await load(
    {
      'guide/a.md': `${FRONTMATTER}- b\n\n  {% include "../.gitbook/includes/one.md" %}\n\n{% include "two.md" %}\n`,
      '.gitbook/includes/one.md': '---\ntitle: One\n---\n\n*One*\n',
    },
    'folder',
  )
  expect(html['guide/a.md']).toContain(
    '<p>b</p>\n<p><em>One</em></p>\n</li>\n</ul>\n<p>{% include "two.md" %}</p>',
  )
  expect(placesOf({ diagnostics })).toEqual(['guide/a.md:9:1 tool-syntax'])
})

test('plain documents include files as Docsify does: Markdown, and code of other types', async () => {
  const { html, diagnostics } = await load(
    {
      'guide/a.md': `${FRONTMATTER}[One](parts/_one.md ':include')

- b

  [](x.js ":include :type=code ts")

[x](x.js ':include')

[One](parts/_one.md ':include :type=code')

[Gone](gone.md ':include') [Page](page.html ':include')

[Gone](gone.md ':include')

\`\`\`
[One](parts/_one.md ':include')
\`\`\`
`,
      'guide/parts/_one.md': '---\ntitle: One\n---\n\n*One*\n',
      'guide/x.js': 'x()\n',
    },
    'folder',
  )
  expect(html['guide/a.md']).toMatchInlineSnapshot(`
    "<p><em>One</em></p>
    <ul>
    <li>
    <p>b</p>
    <pre><code class="language-ts">x()
    </code></pre>
    </li>
    </ul>
    <pre><code class="language-js">x()
    </code></pre>
    <pre><code class="language-md">---
    title: One
    ---

    *One*
    </code></pre>
    <p><a href="gone.md" title=":include">Gone</a> <a href="page.html" title=":include">Page</a></p>
    <pre><code>[One](parts/_one.md ':include')
    </code></pre>
    "
  `)
  expect(placesOf({ diagnostics })).toMatchInlineSnapshot(`
    [
      "guide/a.md:15:8 link-file-missing",
      "guide/a.md:15:35 link-file-missing",
      "guide/a.md:17:1 include-missing",
    ]
  `)
})

test('MDX keeps its partials beside an include of Liquid in code', async () => {
  const code = '```\n{% include "two/three.md" %}\n```'
  const { html, diagnostics } = await load(
    {
      'guide/a.mdx': `${FRONTMATTER}import One from './_one.mdx'\n\n<One />\n\n${code}\n`,
      'guide/_one.mdx': '*One*\n',
    },
    'folder',
  )
  expect(html['guide/a.mdx']).toContain('<p><em>One</em></p>')
  expect(placesOf({ diagnostics })).toEqual([])
})

test('a file may show itself as code', async () => {
  const text = `${FRONTMATTER}[Source](a.md ':include :type=code')\n`
  const { html, diagnostics } = await load({ 'a.md': text }, 'folder')
  expect(html['a.md']).toContain(`<pre><code class="language-md">${text}</code></pre>`)
  expect(diagnostics).toEqual([])
})

test('a missing file and an include within a line are errors', async () => {
  const { diagnostics } = await load({
    'a.md': `${FRONTMATTER}<!--@include: ./gone.md-->\n\nText <!--@include: ./gone.md-->\n\n<<< @/x.js{1}\n`,
  })
  expect(placesOf({ diagnostics })).toEqual([
    'a.md:5:1 include-missing',
    'a.md:7:6 include-misplaced',
    'a.md:9:1 include-missing',
  ])
})

test('without the preset, such a comment is only a comment', async () => {
  const { html } = await loadFiles({ 'a.md': `${FRONTMATTER}Text\n\n<!--@include: ./gone.md-->\n` })
  expect(html['a.md']).toContain('<p>Text</p>\n')
})

const CODE = `import x from 'y'

// #region first
  export function one() {
    // #region inner
    return \`1\`
    // #endregion inner
  }
// #endregion first

two()
`

test('VitePress inserts code files or their regions', async () => {
  const { html, diagnostics } = await load({
    'guide/a.md': `${FRONTMATTER}<<< ../_code/x.js

- item

  <<< @/_code/x.js#first{1,3-4 ts:line-numbers}

> <<< ../_code/x.js#inner [Inner]

::: code-group
<<< ../_code/doc.md
<<< ../_code/x.js#inner{js} [Second]
:::

Words
<<< ../_code/x.js

\`\`\`md
<<< ../_code/gone.js
\`\`\`
`,
    '_code/x.js': CODE,
    '_code/doc.md': '---\na: 1\n---\n\n```js\nf()\n```\n',
  })
  const escaped = CODE.trimEnd()
  expect(html['guide/a.md']).toContain(`<pre><code class="language-js">${escaped}
</code></pre>
<ul>
<li>
<p>item</p>
<pre><code class="language-ts">export function one() {
  return \`1\`
}
</code></pre>
</li>
</ul>
<blockquote>
<p><strong>Inner</strong></p>
<pre><code class="language-js">return \`1\`
</code></pre>
</blockquote>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>doc.md</strong></p>
<pre><code class="language-md">---
a: 1
---

\`\`\`js
f()
\`\`\`
</code></pre>
</div>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>Second</strong></p>
<pre><code class="language-js">return \`1\`
</code></pre>
</div>
<p>Words
&#x3C;&#x3C;&#x3C; ../_code/x.js</p>
<pre><code class="language-md">&#x3C;&#x3C;&#x3C; ../_code/gone.js
</code></pre>`)
  expect(placesOf({ diagnostics })).toEqual([])
})

test('Docusaurus inserts partials for their tags, and imported code as text', async () => {
  const { html, diagnostics } = await load(
    {
      'guide/a.md': `${FRONTMATTER}import Part from './_part.mdx'
import Short from '../\\_short.md'; import
Other, {toc} from "@site/_other.mdx"
import Code from '!!raw-loader!./_x.sh'
import Tabs from '@theme/Tabs'

<Part />

- item

  <Part
    name="x"
  />

<Tabs>
  <TabItem label="One"><Short/> <Other/></TabItem>
  <TabItem label="Two">

    <Short />

  </TabItem>
</Tabs>

Words <Short/> more, \`<Short/>\`.

Then <Part/> ends.

<CodeBlock language="bash" title="x.sh">{Code}</CodeBlock>

<!-- <Part /> {gone} -->
`,
      'guide/_part.mdx': `---
title: Part
---
import Tabs from '@theme/Tabs'
import Inner from './_inner.mdx'

First {x}

<Inner />
`,
      'guide/_inner.mdx': '[Link](gone.md) and {`{}`}\n',
      'guide/_x.sh': 'get "$1"\n',
      '_short.md': '**Short**\n',
      'docusaurus.config.ts': 'export default {}\n',
      '_other.mdx': 'Other\n\n- one\n',
    },
    'docusaurus',
  )
  expect(html['guide/a.md']).toBe(`<p>First </p>
<p><a href="gone.md">Link</a> and {}</p>
<ul>
<li>
<p>item</p>
<p>First </p>
<p><a href="gone.md">Link</a> and {}</p>
</li>
</ul>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>One</strong></p>
<p><strong>Short</strong></p>
<p>Other</p>
<ul>
<li>one</li>
</ul>
</div>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>Two</strong></p>
<p><strong>Short</strong></p>
</div>
<p>Words <strong>Short</strong> more, <code>&#x3C;Short/></code>.</p>
<p>Then First  ends.</p>
<p><strong>x.sh</strong></p>
<pre><code class="language-bash">get "$1"
</code></pre>
`)
  expect(placesOf({ diagnostics })).toEqual([
    'guide/_inner.mdx:1:8 link-file-missing',
    'guide/_part.mdx:7:7 expression-removed',
    'guide/a.md:30:6 include-misplaced',
    'guide/a.md:30:12 expression-removed',
  ])
})
