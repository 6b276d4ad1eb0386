import { expect, test } from 'vitest'
import { loadRenderer } from '../../../src/content/pipeline/create-compiler.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import type { MarkdownOptions } from '../../../src/content/markdown/rendered-body.ts'
import { inputOf } from '../markdown/renderers.ts'
import { DIALECTS } from '../../../src/core/dialects/dialects.ts'
import { splitLines } from '../../../src/core/dialects/text-lines.ts'
import { renderDialect } from './rendered.ts'

test('only .mdx files are MDX', async () => {
  const text = 'import Box from "./box.js"\n\n<Box>\n\nIn *it*\n\n</Box>\n\n{1 + 1}\n'
  const asMdx = await renderDialect('folder', text, 'page.mdx')
  expect(asMdx.html).toBe('<p>In <em>it</em></p>\n')
  expect(asMdx.problems).toEqual(['3:1-3:5 component-removed', '9:1-9:8 expression-removed'])
  const asMarkdown = await renderDialect('folder', text, 'page.md')
  expect(asMarkdown.html).toContain('<p>{1 + 1}</p>')
  expect(asMarkdown.html).toContain('import Box from')
})

test.each<[string, string, string]>([
  [
    'a callout',
    '<Callout type="error">\n  Stop *here*.\n</Callout>',
    '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Error</p><p>Stop <em>here</em>.</p></div>',
  ],
  [
    'a warning',
    '<Warning>Hot</Warning>',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>Hot</p></div>',
  ],
  [
    'an accordion',
    '<Accordion title="Why?">\n  Because.\n</Accordion>',
    '<details><summary>Why?</summary><p>Because.</p></details>',
  ],
  [
    'cards with and without a URL',
    '<CardGroup cols={2}>\n  <Card title="Start" icon="flag" href="https://a.example" description="Short">\n    Long\n  </Card>\n  <Card title="End">Done</Card>\n</CardGroup>',
    '<p><strong><a href="https://a.example">Start</a></strong></p><p>Short</p><p>Long</p><p><strong>End</strong></p><p>Done</p>',
  ],
  [
    'steps',
    '<Steps>\n  <Step title="Install">\n    Run it.\n  </Step>\n\n  <Step>\n    Wait.\n  </Step>\n</Steps>',
    '<ol><li><p><strong>Install</strong></p><p>Run it.</p></li><li><p>Wait.</p></li></ol>',
  ],
  [
    'a tree of files',
    '<FileTree>\n  <FileTree.Folder name="src">\n    <FileTree.File name="a.ts" />\n    <FileTree.File name="b.ts" />\n  </FileTree.Folder>\n  <FileTree.File name="README" />\n</FileTree>',
    '<ul><li><p><code>src</code></p><ul><li><code>a.ts</code></li><li><code>b.ts</code></li></ul></li><li><p><code>README</code></p></li></ul>',
  ],
  [
    'fields',
    '<ParamField query="limit" type="number" default="10" required>\n  At most.\n</ParamField>\n\n<ResponseField name="id" required={false}>It</ResponseField>\n\n<ResponseField name="to" required={true} />',
    '<p><code>limit</code> number required = <code>10</code></p><p>At most.</p><p><code>id</code></p><p>It</p><p><code>to</code> required</p>',
  ],
  [
    'tabs with labels from outside, and their own',
    `<Tabs items={['npm', "yarn"]}>\n  <Tabs.Tab>\n    One\n  </Tabs.Tab>\n  <Tabs.Tab title="Y">\n    Two\n  </Tabs.Tab>\n</Tabs>`,
    '<div class="markdown-tab"><p class="markdown-tab-title"><strong>npm</strong></p><p>One</p></div><div class="markdown-tab"><p class="markdown-tab-title"><strong>Y</strong></p><p>Two</p></div>',
  ],
  [
    'blocks of code with names and options',
    '<CodeGroup>\n```js Web app wrap lines={1}\na\n```\n\n```sh\nb\n```\n</CodeGroup>',
    '<div class="markdown-tab"><p class="markdown-tab-title"><strong>Web app</strong></p><pre><code class="language-js">a</code></pre></div><div class="markdown-tab"><p class="markdown-tab-title"><strong>sh</strong></p><pre><code class="language-sh">b</code></pre></div>',
  ],
  [
    'an image with a caption',
    '<Frame caption="The page">\n  <Image src="https://a.example/a.png" alt="A" width={3} />\n</Frame>',
    '<p><img src="https://a.example/a.png" alt="A"></p><p><em>The page</em></p>',
  ],
])('components of tools based on MDX: %s', async (_, text, expected) => {
  const { html, problems } = await renderDialect('folder', `${text}\n`, 'page.mdx')
  expect(html.replaceAll('\n', '')).toBe(expected)
  expect(problems).toEqual([])
})

test.each<[string, string, string]>([
  [
    'a callout of JSON',
    '[block:callout]\n{ "type": "danger", "title": "Stop", "body": "Not *now*" }\n[/block]',
    '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p><strong>Stop</strong></p><p>Not <em>now</em></p></div>',
  ],
  [
    'code of JSON',
    'Text\n[block:code]\n{\n  "codes": [{ "code": "a\\nb", "language": "sh", "name": "Shell" }]\n}\n[/block]\nText',
    '<p>Text</p><p><strong>Shell</strong></p><pre><code class="language-sh">ab</code></pre><p>Text</p>',
  ],
  [
    'a table of JSON',
    '[block:parameters]\n{ "data": { "h-0": "A", "h-1": "B", "0-0": "x|y" }, "cols": 2, "rows": 1 }\n[/block]',
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>x|y</td><td></td></tr></tbody></table>',
  ],
  ['a block that is not JSON', '[block:html]\n{\n[/block]', '<p>[block:html]{[/block]</p>'],
  [
    'blocks with unknown names and types',
    '[block:constructor]\n{}\n[/block]\n[block:toString]\n{}\n[/block]\n[block:callout]\n{"type":"constructor","body":"B"}\n[/block]',
    '<p>[block:constructor]{}[/block][block:toString]{}[/block]</p><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>B</p></div>',
  ],
  [
    'a hint in an indented container',
    '  ::: tip\n  {% hint style="info" %}\n  x\n  {% endhint %}\n  y\n  :::',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>x</p></div><p>y</p></div>',
  ],
  [
    'a class in a container',
    '::: tip\nx\n{.note}\n:::',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>x</p></div></div>',
  ],
  [
    'a tip with a class',
    '?> a\n{.note}',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>a</p></div></div>',
  ],
  [
    'a class of a table',
    '| a |\n|---|\n| b |\n\n{.wide}\n\nc',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table><p>c</p>',
  ],
  [
    'an alert on one line, in a list and a text',
    'a\n\n{% alert danger %}Stop *here*.{% endalert %}\nb\n\n- c\n\n  {% callout "warning", "md" %} d {% endcallout %}\n  e',
    '<p>a</p><div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>Stop <em>here</em>.</p></div><p>b</p><ul><li><p>c</p><div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>d</p></div><p>e</p></li></ul>',
  ],
  [
    'an alert of Docsify on one line, and the mark in a code and in a link',
    '> [!NOTE] One\n> two\n\n`> [!NOTE] x`\n\n> [![NOTE] y](https://a.example)',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Onetwo</p></div><p><code>> [!NOTE] x</code></p><blockquote><p><a href="https://a.example">![NOTE] y</a></p></blockquote>',
  ],
  [
    'an id in brackets',
    '## 禁用 [#turn-off]\n\n## Fix [#12]',
    '<h2 id="禁用"><a id="turn-off"></a>禁用</h2><h2 id="fix-12">Fix [#12]</h2>',
  ],
  [
    'an id with spaces',
    '## Overview { #the_overview } ',
    '<h2 id="overview"><a id="the_overview"></a>Overview</h2>',
  ],
  [
    'a file of GitBook, in a column',
    '{% columns %}\n{% column width="41.6%" %}\n{% file src="https://a.example/b c.pdf" %}\nThe *plan*\n{% endfile %}\n{% endcolumn %}\n{% endcolumns %}',
    '<p><a href="https://a.example/b%20c.pdf">b c.pdf</a></p><p>The <em>plan</em></p>',
  ],
  [
    'the size of an image',
    '![A](https://a.example/a.png =750x){.shadow} ![B](https://a.example/b.png =9x10)',
    '<p><img src="https://a.example/a.png" alt="A"> <img src="https://a.example/b.png" alt="B"></p>',
  ],
  ['data for a theme', '<div data-full-width="false">\n\na\n\n</div>', '<div><p>a</p></div>'],
  ['templates', '## Use {{.Name}}', '<h2 id="use-name">Use {{.Name}}</h2>'],
  [
    'braces in a text',
    '{.items} are all.\n\n## The {.name} field',
    '<p>{.items} are all.</p><h2 id="the-name-field">The {.name} field</h2>',
  ],
  [
    'code',
    '```\n?> a\n:::image source="a.png" alt-text="A":::\n[block:html]\n{ "html": "<i>a</i>" }\n[/block]\n# [A](#tab/a)\n{.note}\n```',
    '<pre><code>?> a:::image source="a.png" alt-text="A":::[block:html]{ "html": "&#x3C;i>a&#x3C;/i>" }[/block]# [A](#tab/a){.note}</code></pre>',
  ],
  [
    'a tip',
    '?> Be *calm*.',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>Be <em>calm</em>.</p></div>',
  ],
  [
    'an image',
    ':::image type="content" source="https://a.example/a.png" alt-text="A":::',
    '<p><img src="https://a.example/a.png" alt="A"></p>',
  ],
  [
    'images in a list and a table, and one without a source',
    '- a\n\n  :::image source="a.png" border="false" alt-text="A":::\n\n|a|\n|-|\n|:::image type="icon" source="b.png":::|\n\n:::image a:::',
    '<ul><li><p>a</p><p><img src="a.png" alt="A"></p></li></ul><table><thead><tr><th>a</th></tr></thead><tbody><tr><td><img src="b.png" alt=""></td></tr></tbody></table><p>:::image a:::</p>',
  ],
  [
    'no tip in a paragraph',
    '## A\n?> B\n\nIs it\n?> C',
    '<h2 id="a">A</h2><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>B</p></div><p>Is it?> C</p>',
  ],
  [
    'code of Grav',
    '[prism classes="language-bash command-line" cl-prompt="$"]\nls *a* *b*\n[/prism]\n\n[prism]\nx\n[/prism]',
    '<pre><code class="language-bash">ls *a* *b*</code></pre><pre><code>x</code></pre>',
  ],
  [
    'paths of Zola',
    '[a](@/b/c.md) [d](@/e.md#f) [g](@/h) [@/i.md](j.md)',
    '<p><a href="/b/c.md">a</a> <a href="/e.md#f">d</a> <a href="@/h">g</a> <a href="j.md">@/i.md</a></p>',
  ],
  [
    'paths with the version of Laravel',
    '[a](/docs/{{version}}/b#c) [d](/{{ page.version }}/e) `/docs/{{version}}/b`',
    '<p><a href="/b#c">a</a> <a href="/e">d</a> <code>/docs/{{version}}/b</code></p>',
  ],
  ['a tab', '# [Linux](#tab/linux)', '<p><strong>Linux</strong></p>'],
  [
    'classes',
    '![A](https://a.example/a.png){.wide .round}',
    '<p><img src="https://a.example/a.png" alt="A"></p>',
  ],
  [
    'a quote with a class',
    '> Note *this*.\n{.is-warning}',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>Note <em>this</em>.</p></div>',
  ],
])('syntax of ReadMe, Docsify, Learn and Wiki.js: %s', async (_, text, expected) => {
  const { html, problems } = await renderDialect('folder', `${text}\n`)
  expect(html.replaceAll('\n', '')).toBe(expected)
  // What is left as text is reported.
  expect(problems.length > 0).toBe(/\[\/block\]<\/p>|:::image/.test(html.replace(/<code>[^]*?<\/code>/g, '')))
})

test.each<[string, string, string]>([
  [
    'a tip with a title',
    'Text\n::: tip Be *calm*\nOne\n\n```\n:::\n```\n:::\nText',
    '<p>Text</p><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p><strong>Be <em>calm</em></strong></p><p>One</p><pre><code>:::</code></pre></div><p>Text</p>',
  ],
  [
    'two colons with options, in a list',
    '- One\n\n  ::note{to="/a"}\n  Two\n  ::\n\n  Three',
    '<ul><li><p>One</p><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Two</p></div><p>Three</p></li></ul>',
  ],
  [
    'a folded text',
    ':::details Why <b>?\n*Because*\n:::',
    '<details><summary>Why &#x3C;b>?</summary><p><em>Because</em></p></details>',
  ],
  [
    'directives of MyST',
    ':::{note}\n:class: dropdown\nOne\n\n```{code-block} js\n:caption: a\nb()\n```\n:::\n\n````{admonition} Be *calm*\n:class: tip\nTwo\n\n```sh\nb\n```\n````\n```{seealso}\nThree\n```',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>One</p><pre><code class="language-js">:caption: ab()</code></pre></div><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p><strong>Be <em>calm</em></strong></p><p>Two</p><pre><code class="language-sh">b</code></pre></div><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Three</p></div>',
  ],
  [
    'callouts of Quarto, and other code',
    '- a\n\n  ::: {.callout-tip title="Try" collapse="true"}\n  b\n  :::\n\n```{r}\nc\n```\n\n```\n```{note}\nd\n```',
    '<ul><li><p>a</p><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p><strong>Try</strong></p><p>b</p></div></li></ul><pre><code class="language-{r}">c</code></pre><pre><code>```{note}d</code></pre>',
  ],
  [
    'callouts of Quarto in callouts, with as many colons, and one with an id',
    '::: {#one .callout-note}\na\n\n::: {.callout-tip}\nb\n:::\n\nc\n:::\nd',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>a</p><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>b</p></div><p>c</p></div><p>d</p>',
  ],
  [
    'options of directives in YAML',
    ':::{note}\n---\nclass: dropdown\nname: a\n---\nOne\n\n---\nTwo\n:::\n\n```{tip}\n---\nname: b\n---\nThree\n```',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>One</p><hr><p>Two</p></div><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>Three</p></div>',
  ],
  [
    'a callout of Quarto that begins with a rule',
    '::: {.callout-note}\n---\na\n\n---\nb\n:::',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><hr><p>a</p><hr><p>b</p></div>',
  ],
  [
    'links to pages of GitBook',
    '{% page-ref page="guide/get-started.md" %}\n\n{% page-ref page="../editor/first_steps/" %}',
    '<p><a href="guide/get-started.md">Get started</a></p><p><a href="../editor/first_steps/">First steps</a></p>',
  ],
  [
    'directives in directives, with fewer backticks, and options of each',
    '````{note}\n:class: a\nOne\n\n```{code-block} sh\n:b: c\n```\n\n```{tip} Two\n:class: d\n:::{error}\nThree\n:::\n```\n`````\nFour',
    '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>One</p><pre><code class="language-sh">:b: c</code></pre><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p><strong>Two</strong></p><div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>Three</p></div></div></div><p>Four</p>',
  ],
  [
    'directives that are shown, in indented code and in fences',
    'a\n\n    ```{note}\n    b {: .c }\n    ```\n\n- d\n\n      ```{code-block} sh\n      e\n      ```\n\n````md\n```{tip}\nf\n```\n````',
    '<p>a</p><pre><code>```{note}b {: .c }```</code></pre><ul><li><p>d</p><pre><code>```{code-block} she```</code></pre></li></ul><pre><code class="language-md">```{tip}f```</code></pre>',
  ],
  [
    'blocks of code',
    '::: code-group\n```sh [npm]\na\n```\n:::',
    '<p><strong>npm</strong></p><pre><code class="language-sh">a</code></pre>',
  ],
  ['Twig', '{% verbatim %}\n```\n{% set a %}\n```\n{% endverbatim %}', '<pre><code>{% set a %}</code></pre>'],
  [
    'one in another, and a line break',
    '::warning\na :br b\n:::tip\nc\n:::\n::\n\nkey:br :broken',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>a <br> b</p><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>c</p></div></div><p>key:br :broken</p>',
  ],
  [
    'with more than one line at their start, in others',
    ':::::: warning A\n::::: details B\n:::: tip C\nc\n::::\n:::::\n\n::::: code-group\n```js [a.js]\nx\n```\n:::::\nd\n::::::',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p><strong>A</strong></p><details><summary>B</summary><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p><strong>C</strong></p><p>c</p></div></details><p><strong>a.js</strong></p><pre><code class="language-js">x</code></pre><p>d</p></div>',
  ],
  [
    'a folded text in a quote',
    '> ::: details A\n> a\n> :::\n> b',
    '<blockquote><details><summary>A</summary><p>a</p></details><p>b</p></blockquote>',
  ],
  [
    'of Nuxt Content, with text that starts with two colons',
    '::tip\nUse\n::before in CSS.\n::\nB',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>Use::before in CSS.</p></div><p>B</p>',
  ],
  ['one without an end', ':: tip\n\nText', '<p>:: tip</p><p>Text</p>'],
])('containers: %s', async (_, text, expected) => {
  const { html, problems } = await renderDialect('folder', `${text}\n`)
  expect(html.replaceAll('\n', '')).toBe(expected)
  expect(problems).toEqual([])
})

test('of containers in many levels, the inner ones are alerts', async () => {
  const { html } = await renderDialect('folder', `${'::: tip\n'.repeat(25)}a\n${':::\n'.repeat(25)}`)
  expect(html.split('markdown-alert-tip').length - 1).toBe(20)
})

test('a list of classes without a colon that follows no block is text, and is reported', async () => {
  const { html, problems } = await renderDialect('folder', 'A\n\n{.note}\n\nB\n')
  expect(html).toBe('<p>A</p>\n<p>{.note}</p>\n<p>B</p>\n')
  expect(problems).toEqual(['3:1-3:8 tool-syntax'])
})

test.each<[string, string]>([
  ['[[Set up]] and [[the guide|set Up#First step]]', 'Set-Up Set-Up#First-step'],
  ['[[Missing page]]', 'Missing-page'],
  ['{% comment %}\n[[Set up]]\n{% endcomment %}\n\n::: tip\n[[Other]]{: .x }\n:::', 'Other'],
  ['`[[Set up]]`, \\[[Set up]], [[Set up]](a.md), [[/a/b.png]], [[c.png]]', 'a.md'],
])('links of a wiki: %s', async (text, expected) => {
  const siteFiles = [{ name: 'Set-Up', text: '' }]
  const { html } = await renderDialect('folder', `${text}\n`, 'page.md', { siteFiles })
  expect(Array.from(html.matchAll(/href="([^"]*)"/g), ([, url]) => url).join(' ')).toBe(expected)
})

test('a path with a space is not a link, which is reported', async () => {
  const text =
    '[VPN](VPN setup.md), ![](screenshot 1.png), [b](<VPN setup.md>), [c](a.md "Page 1.2"), [d](see page 1.2)\n'
  const { problems } = await renderDialect('folder', text)
  expect(problems).toEqual(['1:1-1:20 tool-syntax', '1:22-1:43 tool-syntax'])
})

test('attribute lists of kramdown and blocks of Liquid become Markdown, and other Liquid is reported', async () => {
  const text = `# T
{: .no_toc }

## Table of contents
{: .no_toc .text-delta }

1. TOC
{:toc}

## Head {#own}

## Two parts
{: #two .no_toc }

Text with [Button](https://a.example){: .btn .btn-blue } and \`x{: .y}\`.
{: .fs-6 .fw-300 }

{: .warning }
Careful *here*
with two lines.

{: .note-title }
> My title
>
> More

A trailing one.
{: .tip }

- item

  In it.
  {: .important}

{% highlight ruby linenos %}
a = {% b %} {: .x }
{% endhighlight %}

{% raw %}
Use {{ site.baseurl }}
{% endraw %}

{% comment %}
hidden
{% endcomment %}

[L]({% link docs/a.md %}) [M]({{ site.baseurl }}/b/) [N]({{ "/c/" | relative_url }})

{% hint style="danger" %}
**Stop**

- a
  \`\`\`js
  x
  \`\`\`
{% endhint %}

{% callout warning %}
Take care
{% endcallout %}

{% note %}
Noted
{% endnote %}

<div class="box" markdown="1">
*In* it
</div>

{% code title="a.txt" %}
\`\`\`
a
\`\`\`
{% endcode %}

{% tabs %}
{% tab title="One" %}
Text
{% endtab %}
{% endtabs %}

{% embed url="https://example.com/v" %}

{% content-ref url="a.md" %}
[a.md](https://x.example)
{% endcontent-ref %}

{% include foo.html %} {{ page.title }}
`
  const { html, problems, anchors } = await renderDialect('folder', text)
  expect(html).toBe(`<h1 id="t">T</h1>
<h2 id="head"><a id="own"></a>Head</h2>
<h2 id="two-parts"><a id="two"></a>Two parts</h2>
<p>Text with <a href="https://a.example">Button</a> and <code>x{: .y}</code>.</p>
<div class="markdown-alert markdown-alert-warning">
<p class="markdown-alert-title">Warning</p>
<p>Careful <em>here</em>
with two lines.</p>
</div>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Note</p>
<p>My title</p>
<p>More</p>
</div>
<div class="markdown-alert markdown-alert-tip">
<p class="markdown-alert-title">Tip</p>
<p>A trailing one.</p>
</div>
<ul>
<li>
<p>item</p>
<div class="markdown-alert markdown-alert-important">
<p class="markdown-alert-title">Important</p>
<p>In it.</p>
</div>
</li>
</ul>
<pre><code class="language-ruby">a = {% b %} {: .x }
</code></pre>
<p>Use {{ site.baseurl }}</p>
<p><a href="/docs/a.md">L</a> <a href="/b/">M</a> <a href="/c/">N</a></p>
<div class="markdown-alert markdown-alert-caution">
<p class="markdown-alert-title">Caution</p>
<p><strong>Stop</strong></p>
<ul>
<li>a
<pre><code class="language-js">x
</code></pre>
</li>
</ul>
</div>
<div class="markdown-alert markdown-alert-warning">
<p class="markdown-alert-title">Warning</p>
<p>Take care</p>
</div>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Note</p>
<p>Noted</p>
</div>
<div>
<p><em>In</em> it</p>
</div>
<p><strong>a.txt</strong></p>
<pre><code>a
</code></pre>
<p><strong>One</strong></p>
<p>Text</p>
<p><a href="https://example.com/v">https://example.com/v</a></p>
<p><a href="https://x.example">a.md</a></p>
<p>{% include foo.html %} {{ page.title }}</p>
`)
  expect(problems).toEqual([
    '1:1-1:4 heading-second-h1',
    '40:5-40:23 tool-syntax',
    '88:1-88:23 tool-syntax',
    '88:24-88:40 tool-syntax',
  ])
  expect(anchors).toEqual(['t', 'head', 'own', 'two-parts', 'two'])
})

test('attribute lists and blocks of Liquid are one block with their text, in order', () => {
  const text =
    'a\n{: .tip }\n\n{% note %}\nb\n{% endnote %}\n\n{: .note }\n> c\n\n- TOC\n{:toc}\n\n{% raw %}\nd\n{% endraw %}\n'
  expect(DIALECTS.folder.text.lineRanges?.(splitLines(text, false))).toEqual([
    { first: 0, last: 1 },
    { first: 3, last: 5 },
    { first: 7, last: 8 },
    { first: 10, last: 11 },
    { first: 13, last: 15 },
  ])
})

test.each([
  [
    'indented code',
    'Write:\n\n    {% raw %}\n    [a]({% link a.md %})\n    {% endraw %}\n\n    {% comment %}\n    b {: .x }\n    {% endcomment %}\n',
    '<p>Write:</p>\n<pre><code>{% raw %}\n[a]({% link a.md %})\n{% endraw %}\n\n{% comment %}\nb {: .x }\n{% endcomment %}\n</code></pre>\n',
  ],
  [
    'indented code in a list item, and a paragraph of the item',
    '1. a\n\n       {% raw %}\n\n   b *c*{: .x }\n\n    {: .note }\n    d\n',
    '<ol>\n<li>\n<p>a</p>\n<pre><code>{% raw %}\n</code></pre>\n<p>b <em>c</em></p>\n<div class="markdown-alert markdown-alert-note">\n<p class="markdown-alert-title">Note</p>\n<p>d</p>\n</div>\n</li>\n</ol>\n',
  ],
  [
    'inline code of two lines',
    'Use `{% if %}\nb {: .x }` here.\n',
    '<p>Use <code>{% if %} b {: .x }</code> here.</p>\n',
  ],
  [
    'fences in code',
    '{% highlight md %}{% raw %}\n```\na\n```\n{% endraw %}{% endhighlight %}\n',
    '<pre><code class="language-md">```\na\n```\n</code></pre>\n',
  ],
  [
    'lists of attributes',
    '## A {: .x }\n\n- {: .x } a `b`{: .x }\n- [c](https://a.example){:target="_blank"} {:.x} c\n',
    '<h2 id="a">A</h2>\n<ul>\n<li>a <code>b</code></li>\n<li><a href="https://a.example">c</a> {:.x} c</li>\n</ul>\n',
    ['4:44-4:49 tool-syntax'],
  ],
  [
    'text that is no list of attributes',
    'The map {:a="b"} or \\{: .x }\n',
    '<p>The map {:a="b"} or {: .x }</p>\n',
    ['1:9-1:17 tool-syntax', '1:22-1:29 tool-syntax'],
  ],
  [
    'URLs of the site',
    'Run curl {{ site.url }}/api. [a]({{ site.url }}{{ site.baseurl }}/b) [r]\n\n[r]: {{ site.baseurl }}/c\n',
    '<p>Run curl {{ site.url }}/api. <a href="/b">a</a> <a href="/c">r</a></p>\n',
    ['1:10-1:24 tool-syntax'],
  ],
])('Liquid and lists of attributes: %s', async (_, text, html, problems: readonly string[] = []) => {
  expect(await renderDialect('folder', text)).toMatchObject({ html, problems })
})

test('syntax of tools is text, and is reported', async () => {
  const { html, problems } = await renderDialect('folder', '!!! note\n    Text.\n')
  expect(html).toBe('<p>!!! note\nText.</p>\n')
  expect(problems).toEqual(['1:1-1:9 tool-syntax'])
})

test.each(['native', 'remark'] as const)(
  'without files of MDX, %s renders the same with its parsers left out',
  async (parser) => {
    const options: MarkdownOptions = { dialect: 'folder', parser, remarkPlugins: [], allow: {} }
    const resolved = await resolveParser(options)
    const [all, plain] = await Promise.all([
      loadRenderer(options, resolved),
      loadRenderer(options, resolved, false),
    ])
    const text = '# A\n\nimport x from "y"\n\n:::note\n\n<Box>\n\nIn *it* {1 + 1}\n\n</Box>\n\n:::\n'
    const input = { ...inputOf(text), source: 'page.md', data: {} }
    expect(plain(input)).toEqual(all(input))
  },
)
