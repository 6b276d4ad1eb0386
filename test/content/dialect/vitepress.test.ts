import { expect, test } from 'vitest'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string): Promise<Rendered> => renderDialect('vitepress', text)

test('containers become alerts and details', async () => {
  const text = `::: tip
One
:::

::: danger STOP [here](./a.md) ]
> Two
:::

- item

  :::: details Open *me* {open}
  ::: info
  Three
  :::
  ::::
`
  expect((await render(text)).html).toBe(`<div class="markdown-alert markdown-alert-tip">
<p class="markdown-alert-title">Tip</p>
<p>One</p>
</div>
<div class="markdown-alert markdown-alert-caution">
<p class="markdown-alert-title">STOP [here](./a.md) ]</p>
<blockquote>
<p>Two</p>
</blockquote>
</div>
<ul>
<li>
<p>item</p>
<details open>
<summary>Open <em>me</em></summary>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Info</p>
<p>Three</p>
</div>
</details>
</li>
</ul>
`)
})

test('code groups keep the names of their blocks, without colour marks', async () => {
  const text =
    '::: code-group\n\n```js{1} [a.js]\nb() // [!code focus]\n```\n\n```ts:line-numbers [c.ts]\nd\n```\n\n:::\n'
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<div class="markdown-tab">\n<p class="markdown-tab-title"><strong>a.js</strong></p>\n<pre><code class="language-js">b()\n</code></pre>\n</div>\n' +
      '<div class="markdown-tab">\n<p class="markdown-tab-title"><strong>c.ts</strong></p>\n<pre><code class="language-ts">d\n</code></pre>\n</div>\n',
  )
  expect(problems).toEqual([])
})

test('fenced code stays code', async () => {
  const text = '```md\n::: tip\nx\n:::\n```\n'
  expect((await render(text)).html).toBe('<pre><code class="language-md">::: tip\nx\n:::\n</code></pre>\n')
})

test("headings have VitePress's ids", async () => {
  const text = `## Überblick & mehr!

## 2 Things <Badge type="tip" text="beta" />

## Same

## Same

## Own {#mine}

Setext {.cls #other}
---

[a](#_2-things) [b](#same-1) [c](#mine) [d](#other)
`
  const { html, anchors, problems } = await render(text)
  expect(anchors).toEqual(['uberblick-mehr', '_2-things', 'same', 'same-1', 'mine', 'other'])
  expect(html).toContain('<h2 id="_2-things">2 Things <sup>beta</sup></h2>')
  expect(html).toContain('<h2 id="other">Setext</h2>')
  expect(problems).toEqual([])
})

test('scripts, styles and tables of contents are removed', async () => {
  const text = `<script setup>
import A from './A.vue'

const x = '<b>'
</script>

[[toc]]

Words

<style scoped>
a { b: c }
</style>
`
  const { html, problems } = await render(text)
  expect(html).toBe('<p>Words</p>\n')
  expect(problems).toEqual([])
})

test('the content of components stays', async () => {
  const text = `<Card title="x" :size="1">

Words <VPIcon name="a"/> more.

</Card>

<ClientOnly><my-thing>inner</my-thing></ClientOnly>

<div class="x" style="a:b">plain</div>
`
  const { html, problems } = await render(text)
  expect(html).toBe('<p>Words  more.</p>\n<p>inner</p>\n<div>plain</div>\n')
  expect(problems).toEqual([
    '1:1-1:6 component-removed',
    '3:7-3:14 component-removed',
    '7:13-7:22 component-removed',
  ])
})

test('expressions of Vue are removed with a warning, unless they are literal text', async () => {
  const text =
    'A {{ b }} c {{ d\n}} `{{ e }}`\n\n::: v-pre\n{{ f }}\n:::\n\n<span v-pre>{{ g }}</span> {{ h }}\n'
  const { html, problems } = await render(text)
  expect(html).toBe('<p>A  c  <code>{{ e }}</code></p>\n<p>{{ f }}</p>\n<p><span>{{ g }}</span> </p>\n')
  expect(problems).toEqual([
    '1:3-1:10 expression-removed',
    '1:13-2:3 expression-removed',
    '8:28-8:35 expression-removed',
  ])
})

test('values of the frontmatter are shown, and bound URLs are URLs', async () => {
  const text = `Get {{ $frontmatter.version }} and {{ 'words' }}.

\`\`\`sh-vue
get x@{{ $frontmatter.version }}
\`\`\`

<a :href="withBase('/a.html')">a</a> <a v-bind:href="'https://x.example'">b</a> <Badge :text="'new'" />

<Card>
<template #title>Slot</template>
</Card>
`
  const { html, problems } = await renderDialect('vitepress', text, 'page.md', { data: { version: '1.2' } })
  expect(problems).toEqual(['9:1-9:6 component-removed'])
  expect(html).toBe(`<p>Get 1.2 and words.</p>
<pre><code class="language-sh">get x@1.2
</code></pre>
<p><a href="/a.html">a</a> <a href="https://x.example">b</a> <sup>new</sup></p>

Slot
`)
})

test('no word of a text is mistaken for a missing value', async () => {
  const text = 'kbhole0z kb0h0z [a](https://x.example/{{v}}) <a :href="url">kbhole1z</a>\n'
  expect((await render(text)).html).toBe('<p>kbhole0z kb0h0z a <a>kbhole1z</a></p>\n')
})

test('a command or a URL that contains an expression without a value is an error', async () => {
  const text = `<code>get {{ v }}</code> <kbd>{{ k }}</kbd> https://x.example/{{ v }} \`{{ literal }}\` {{ w }}

\`\`\`sh-vue
get {{ v }}
\`\`\`

<div>{{ w }} <code>{{ v }}</code> <a href="https://x.example/{{ v }}">a</a></div>

[a](https://x.example/{{v}}) <a :href="url">b</a> <Badge :text="t" />
`
  const { html, problems } = await render(text)
  expect(html)
    .toBe(`<p><code>get {{ v }}</code> <kbd>{{ k }}</kbd> https://x.example/{{ v }} <code>{{ literal }}</code> </p>
<pre><code class="language-sh">get {{ v }}
</code></pre>
<div> <code>{{ v }}</code> <a>a</a></div>
<p>a <a>b</a> <sup></sup></p>
`)
  expect(problems).toEqual([
    '1:11-1:18 value-unresolved',
    '1:31-1:38 value-unresolved',
    '1:45-1:65 value-unresolved',
    '1:87-1:94 expression-removed',
    '4:5-4:12 value-unresolved',
    '7:6-7:13 expression-removed',
    '7:20-7:27 value-unresolved',
    '7:62-7:69 value-unresolved',
    '9:1-9:29 value-unresolved',
    '9:33-9:44 value-unresolved',
    '9:51-9:57 expression-removed',
  ])
})

test('elements that repeat values of a script are removed with their content', async () => {
  const text = `<ul>
  <li v-for="item in data.items" :key="item.name"><ul><li>{{ item.name }}</li></ul></li>
  <li>kept</li>
  <li v-for="n in 3">static</li>
  <li v-for="x in 1 > y">{{ x }}
</ul>
`
  const { html, problems } = await render(text)
  expect(html).toBe('<ul>\n  \n  <li>kept</li>\n  <li>static</li>\n  <li>\n</li></ul>\n')
  expect(problems).toEqual([
    '1:1-6:6 expression-removed',
    '4:7-4:12 html-removed',
    '5:7-5:12 html-removed',
    '5:26-5:33 expression-removed',
  ])
})
