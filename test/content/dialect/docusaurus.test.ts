import { expect, test } from 'vitest'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string, source?: string): Promise<Rendered> => renderDialect('docusaurus', text, source)

test('admonitions become alerts, nested and with titles in brackets or without', async () => {
  const text = `:::tip My *title*

One

::::

:::::danger[A [link](./a.md)]
:::info
Two
:::
:::::
`
  expect((await render(text)).html).toBe(`<div class="markdown-alert markdown-alert-tip">
<p class="markdown-alert-title">My <em>title</em></p>
<p>One</p>
</div>
<div class="markdown-alert markdown-alert-caution">
<p class="markdown-alert-title">A <a href="./a.md">link</a></p>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Info</p>
<p>Two</p>
</div>
</div>
`)
})

test('the content of an unknown container stays, with a warning at its first line', async () => {
  const { html, problems } = await render('Text.\n\n:::magic\nOne\n:::\n')
  expect(html).toBe('<p>Text.</p>\n<p>One</p>\n')
  expect(problems).toEqual(['3:1-3:9 component-removed'])
})

test('an item that contains only a removed component is removed', async () => {
  const { html, problems } = await render('- <Gone />\n- a\n-\n\n1. <Gone />\n')
  expect(html).toBe('<ul>\n<li>a</li>\n<li></li>\n</ul>\n')
  expect(problems).toEqual(['1:3-1:8 component-removed', '5:4-5:9 component-removed'])
})

test('a colon within a line is text', async () => {
  const text = 'At 12:30, see :foo[x](./y.md) and a:b.\n\n::leaf[x]\n'
  expect((await render(text)).html).toBe(
    '<p>At 12:30, see :foo<a href="./y.md">x</a> and a:b.</p>\n<p>::leaf[x]</p>\n',
  )
})

test('imports, exports and comments are removed', async () => {
  const text = `import Tabs from '@theme/Tabs'
export const a = { b: 1 }

One {/* two */}

{/*
three
*/}

<!-- four
-->

Five <!-- six --> \`<!-- seven -->\`
`
  const { html, problems } = await render(text)
  expect(html).toBe('<p>One </p>\n<p>Five  <code>&#x3C;!-- seven --></code></p>\n')
  expect(problems).toEqual([])
})

test('headings have the ids that are set for them', async () => {
  const text =
    '## One {#first}\n\n## Two {/* #second */}\n\n## Three\n\n[a](#first) [b](#second) [c](#three)\n'
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<h2 id="first">One</h2>\n<h2 id="second">Two</h2>\n<h2 id="three">Three</h2>\n' +
      '<p><a href="#first">a</a> <a href="#second">b</a> <a href="#three">c</a></p>\n',
  )
  expect(problems).toEqual([])
})

test('names that every object has are not attributes', async () => {
  const { html, problems } = await render(
    '<b __proto__="x" __PROTO__="x" constructor="y" Constructor toString>a</b>\n',
  )
  expect(html).toBe('<p><b>a</b></p>\n')
  expect(problems).toEqual([])
})

test('elements are HTML, filtered by the allow-list', async () => {
  const text = `<details className="x">
  <summary>Sum *up*</summary>

  Inner <kbd>K</kbd><br/>

</details>

<p>
  Words
</p>

<button onClick={() => go()} style={{color: 'red'}}>Go</button>

<img src={require('./x.png').default} width={30} />
`
  const { html, problems, messages } = await render(text)
  expect(html).toBe(`<details>
<summary>Sum <em>up</em></summary>
<p>Inner <kbd>K</kbd><br></p>
</details>
<p>Words</p>
<p>Go</p>
<img src="./x.png" width="30">
`)
  expect(problems).toEqual([
    '12:1-12:8 html-removed',
    '12:9-12:16 expression-removed',
    '14:1-14:5 image-alt-missing',
  ])
  expect(messages[1]).toBe(
    'The attribute onClick of <button> is an expression and was removed, because kb-sync runs no code.',
  )
})

test('the content of components stays; tabs keep their labels', async () => {
  const text = `<Tabs>
  <TabItem value="npm" label="With npm">

  Run \`npm i\`.

  </TabItem>
  <TabItem value="yarn">Run yarn.</TabItem>
</Tabs>

<Admonition type="warning" title="Mind">Hot!</Admonition>

Text <Badge>new</Badge>.

<Demo
  size="2" />

<Other>

- one

</Other>
`
  const { html, problems } = await render(text)
  expect(html).toBe(`<div class="markdown-tab">
<p class="markdown-tab-title"><strong>With npm</strong></p>
<p>Run <code>npm i</code>.</p>
</div>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>yarn</strong></p>
<p>Run yarn.</p>
</div>
<div class="markdown-alert markdown-alert-warning">
<p class="markdown-alert-title">Mind</p>
<p>Hot!</p>
</div>
<p>Text new.</p>
<ul>
<li>one</li>
</ul>
`)
  expect(problems).toEqual([
    '12:6-12:12 component-removed',
    '14:1-14:6 component-removed',
    '17:1-17:7 component-removed',
  ])
})

test('expressions are never run: literal text stays, others are removed with a warning', async () => {
  const { html, problems, messages } = await render("A {'b'} {1} {`c`} {d.e}.\n\n{f(\n1)}\n")
  expect(html).toBe('<p>A b 1 c .</p>\n')
  expect(problems).toEqual(['1:19-1:24 expression-removed', '3:1-4:4 expression-removed'])
  expect(messages[1]).toBe('The expression {f( 1)} was removed, because kb-sync runs no code.')
})

test('titles of code blocks precede them, colour marks are removed', async () => {
  const text =
    '```js title="src/a.js" {1}\n// highlight-next-line\na()\n```\n\n```mdx-code-block\n<b>bold</b>\n```\n'
  expect((await render(text)).html).toBe(
    '<p><strong>src/a.js</strong></p>\n<pre><code class="language-js">a()\n</code></pre>\n<p><b>bold</b></p>\n',
  )
})

test('an .md file that is not MDX is plain Markdown, with its admonitions', async () => {
  const { html, problems } = await render(
    'a {b <br> <https://x.example>\n\n## T {#t}\n\n:::note Now\nx\n:::\n',
  )
  expect(html).toBe(`<p>a {b <br> <a href="https://x.example">https://x.example</a></p>
<h2 id="t">T</h2>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Now</p>
<p>x</p>
</div>
`)
  expect(problems).toEqual([])
})

test.each([
  ['Text\n\n:::note A title\nx\n:::\n\n<div>\n\ntext\n', '7:1', 'Expected a closing tag for `<div>`'],
  [
    '## T {#t} {b\n',
    '1:13',
    'Unexpected end of file in expression, expected a corresponding closing brace for `{`',
  ],
  ['a {1 +} b\n', '1:7', 'Could not parse expression with acorn'],
])('a .mdx file that is no MDX is an error at its place: %j', async (text, place, reason) => {
  const { html, problems, messages } = await render(text, 'page.mdx')
  expect(html).toBe('')
  expect(problems).toEqual([`${place}-${place} mdx-syntax`])
  expect(messages).toEqual([`This is not valid MDX: ${reason}.`])
})

test('positions after a rewritten part of a line are those of the file', async () => {
  const text = '## A {v} {#a}\n\n:::tip A {x} title\n\n{y} {z}\n\n:::\n\n<!-- c --> {w}\n'
  expect((await render(text)).problems).toEqual([
    '1:6-1:9 expression-removed',
    '3:10-3:13 expression-removed',
    '5:1-5:4 expression-removed',
    '5:5-5:8 expression-removed',
    '9:12-9:15 expression-removed',
  ])
})

test('nothing bypasses the allow-list', async () => {
  const text = `<a href={"javascript:alert(1)"}>a</a>

<img src="x.png" alt="x" onError="alert(1)" />

<iframe src="https://evil.example" /> <script>alert(1)</script>

:::tip <b onclick="alert(1)">T</b>
<style>{"b { color: red }"}</style>
:::
`
  const { html, problems } = await render(text)
  expect(html).toBe(`<p><a>a</a></p>
<img src="x.png" alt="x">

<div class="markdown-alert markdown-alert-tip">
<p class="markdown-alert-title"><b>T</b></p>
</div>
`)
  expect(problems).toEqual([
    '1:1-1:38 url-removed',
    '3:26-3:33 html-removed',
    '5:1-5:8 html-removed',
    '7:11-7:18 html-removed',
  ])
})

test('pathname:// leads to a file of the site', async () => {
  const text = `[a](pathname:///files/a.pdf#page=2) ![b](pathname:///b.png) [c] <a href="pathname:///c.pdf">d</a>

<Link to="pathname:///e.pdf">e</Link> [f](pathname://f.pdf)

[c]: <pathname:///c d.pdf> "C"
`
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<p><a href="/files/a.pdf#page=2">a</a> <img src="/b.png" alt="b"> ' +
      '<a href="/c%20d.pdf" title="C">c</a> <a href="/c.pdf">d</a></p>\n' +
      '<p><a href="/e.pdf">e</a> <a>f</a></p>\n',
  )
  expect(problems).toEqual(['3:39-3:60 url-removed'])
})

test('constants of the text and values of its frontmatter are shown', async () => {
  const text =
    "Get {version} of {frontMatter.name}: <code>get {version}</code> <a href={`https://x.example/${version}/${frontMatter['a b']}`}>x</a>\n\nexport const version = '1.2'\n"
  const { html, problems } = await renderDialect('docusaurus', text, 'page.md', {
    data: { name: '*tool*', 'a b': 3 },
  })
  expect(problems).toEqual([])
  expect(html).toBe(
    '<p>Get 1.2 of *tool*: <code>get 1.2</code> <a href="https://x.example/1.2/3">x</a></p>\n',
  )
})

test('a command or a URL that contains an expression without a value is an error', async () => {
  const text = `<code>npm i x@{v}</code> <a href={url}>a</a> <img alt="x" src={img} /> http://x.example/ {v}

<CodeBlock language="sh">{\`get \${v}\`}</CodeBlock>

<pre>
npm {v}
</pre>

<Link to={a.b}>c</Link> <Link {...d}>e</Link> <Details summary={<b>f</b>}>g</Details>

<Tabs values={[{label: 'One', value: 'a'}]}><TabItem value="a">h</TabItem></Tabs>
`
  const { html, problems, messages } = await render(text)
  expect(html)
    .toBe(`<p><code>npm i x@{v}</code> <a>a</a> x <a href="http://x.example/">http://x.example/</a> </p>
<pre><code class="language-sh">get \${v}
</code></pre>
<pre><p>npm {v}</p>
</pre>
ce
<details>
<summary>Details</summary>
<p>g</p>
</details>
<div class="markdown-tab">
<p class="markdown-tab-title"><strong>a</strong></p>
<p>h</p>
</div>
`)
  expect(problems).toEqual([
    '1:15-1:18 value-unresolved',
    '1:29-1:33 value-unresolved',
    '1:59-1:62 value-unresolved',
    '1:72-1:89 bare-url',
    '1:90-1:93 expression-removed',
    '3:26-3:38 value-unresolved',
    '6:5-6:8 value-unresolved',
    '9:7-9:9 value-unresolved',
    '9:25-9:30 value-unresolved',
    '9:56-9:63 expression-removed',
    '11:7-11:13 expression-removed',
  ])
  expect(messages[0]).toBe('The expression {v} has no value here, so the code would be incomplete.')
  expect(messages[1]).toBe('The attribute href of <a> has no value here, so the URL would be incomplete.')
})
