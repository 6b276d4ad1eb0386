import { expect, test } from 'vitest'
import { readShortcodes } from '../../../src/content/dialect/shortcodes/read-shortcodes.ts'
import { htmlOf, inputOf, rendererOf } from '../markdown/renderers.ts'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string): Promise<Rendered> => renderDialect('hugo', text)

test('ref and relref that do not start the URL of a link are errors', async () => {
  const text = `[q](https://x.example/?u={{< ref "a.md" >}}) https://x.example/{{< relref "a.md" >}}

In text {{< ref "a.md" >}}

{{< ref "a.md" >}}

<a href="/x/{{< ref "a.md" >}}" title="{{< ref "a.md" >}}">a</a>
`
  const { html, problems } = await render(text)
  expect(html).toBe(`<p>q https://x.example/{{&#x3C; relref "a.md" >}}</p>
<p>In text a.md</p>
<p>a.md</p>
<p><a title="a.md">a</a></p>
`)
  expect(problems).toEqual([
    '1:26-1:44 value-unresolved',
    '1:64-1:85 value-unresolved',
    '3:9-3:27 value-unresolved',
    '5:1-5:19 value-unresolved',
    '7:13-7:31 value-unresolved',
    '7:40-7:58 value-unresolved',
  ])
})

test('no word of a text is mistaken for a missing value', async () => {
  const text = 'kbhole0z [kbhole1z](kbhole0z.md) [a](https://x.example/{{< gone >}}) `kbhole0z`\n'
  expect((await render(text)).html).toBe(
    '<p>kbhole0z <a href="kbhole0z.md">kbhole1z</a> a <code>kbhole0z</code></p>\n',
  )
})

test('no URL with a missing value is in a tag whose values contain the end of a tag', async () => {
  const text = '<a title="x > y" href="https://x.example/{{< gone >}}">a</a>\n'
  expect((await render(text)).html).toBe('<p><a title="x > y">a</a></p>\n')
})

test('ref and relref start the URL of a link in every form', async () => {
  const text = `[a]({{< ref "a.md" >}}#b) [a](<{{< ref "a.md" >}}>) [a](
{{< ref "a.md" >}}
"Title") [r] <a class="b" href='{{< ref "a.md" >}}'>a</a> <a href={{< ref "a.md" >}}>a</a>

<!-- {{< ref "old.md" >}} --> In text {{< param gone >}}

[r]: {{< ref "a.md" >}}

> [s]: {{< relref "a.md" >}}
`
  const { html, problems } = await render(text)
  expect(problems).toEqual(['5:39-5:57 shortcode-removed'])
  expect(html.match(/href="[^"]*"/g)).toEqual([
    'href="a.md#b"',
    ...Array.from({ length: 5 }, () => 'href="a.md"'),
  ])
})

test('ref and relref are URLs', async () => {
  const text = '[a]({{< ref "guides/my page.md#top" >}}) [b]({{% relref path="b(1)" %}})\n'
  const { html, problems } = await render(text)
  expect(html).toBe('<p><a href="guides/my%20page.md#top">a</a> <a href="b%281%29">b</a></p>\n')
  expect(problems).toEqual([])
})

test('boxes of all themes become alerts and details', async () => {
  const text = `{{% note %}}
A *note*
{{% /note %}}

- item

  {{< alert title="A < B" color="warning" >}}
  In a list
  {{< /alert >}}

{{< details summary="More" >}}

Inner

{{< /details >}}

{{< tip >}}One line{{< /tip >}}
`
  expect((await render(text)).html)
    .toBe(`<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p>
<p>A <em>note</em></p>
</div>
<ul>
<li>
<p>item</p>
<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">A &#x3C; B</p>
<p>In a list</p>
</div>
</li>
</ul>
<details><summary>More</summary>
<p>Inner</p>
</details>
<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p>
<p>One line</p>
</div>
`)
})

test('without a value, references and images become their text, and code and its end tag stay', async () => {
  const text = `[a][r] [r] ![b][r] [c][s] <img src="{{< u >}}" alt="d"> <img alt='e' src='/x/{{< u >}}' width="1">

\`{{< skew >}}1{{< /skew >}}\`

[r]: https://x.example/{{< v >}} 'T'
[s]: https://x.example/
`
  expect((await render(text)).html).toBe(`<p>a r b <a href="https://x.example/">c</a> d e</p>
<p><code>{{&#x3C; skew >}}1{{&#x3C; /skew >}}</code></p>
`)
})

test('quoted arguments can contain their own end, and a slash', async () => {
  const text =
    '[a]({{< ref "x>}}y" >}}) [b]({{< relref docs/ >}}) [c]({{<ref `d"` >}}) {{< unknown / >}}{{< open "never {{< ref "e" >}}\n'
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<p><a href="x%3E%7D%7Dy">a</a> <a href="docs/">b</a> <a href="d%22">c</a> {{&#x3C; open "never e</p>\n',
  )
  expect(problems).toEqual(['1:73-1:90 shortcode-removed', '1:106-1:121 value-unresolved'])
})

test.each([
  ['spaces', `{{< a${' '.repeat(1_000_000)}x`],
  ['openings', '{{< a '.repeat(100_000)],
  ['openings and quotes', '{{< a "'.repeat(100_000)],
  ['openings and escaped quotes', '{{< a \\"'.repeat(100_000)],
  ['unclosed raw text', '{{< a `'.repeat(100_001)],
])('is found in a time in proportion to the text: %s', (_, text) => {
  const start = performance.now()
  readShortcodes(text)
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('figures and highlighted code', async () => {
  const text =
    '{{< figure src="x.png" alt="X" caption="Cap" >}}\n\n{{< figure title="T" caption="C" link="/a" >}}\n\n{{< highlight go "linenos=table" >}}\nfmt.Println("`")\n{{< /highlight >}}\n'
  expect((await render(text)).html).toBe(
    '<figure><img src="x.png" alt="X"><figcaption>Cap</figcaption></figure>\n' +
      '<figure><figcaption>T: C</figcaption></figure>\n' +
      '<pre><code class="language-go">fmt.Println("`")\n</code></pre>\n',
  )
})

test('the content of unknown shortcodes stays, with a warning; later positions are correct', async () => {
  const text = 'Text {{< my-box a="}}" >}}*words*{{< /my-box >}} {{< my-icon abc >}} [x](#no){{< /stray >}}\n'
  const { html, problems } = await render(text)
  expect(html).toBe('<p>Text <em>words</em>  <a href="#no">x</a></p>\n')
  expect(problems).toEqual([
    '1:6-1:27 shortcode-removed',
    '1:50-1:69 shortcode-removed',
    '1:74-1:77 link-heading-missing',
  ])
})

test('videos and posts of other sites become links', async () => {
  const text = `{{< youtube 0RKpf3rK57I >}}

{{< youtube id="a&b" start=30 title="A *new* \`day\`" >}}

- {{< vimeo 19899678 box "My <video>" >}} and {{% vimeo id=1 %}}

<div>
{{< gist spf13 7896402 "img.html" >}}
</div>

{{< x user="SanDiegoZoo" id="1453110110599868418" >}} {{< tweet 877500564405444608 >}}

{{< instagram CxOWiQNP2MO hidecaption >}}

{{< x user="nobody" >}}{{< youtube >}}

\`{{< youtube abc >}}\`
`
  const { html, problems } = await render(text)
  expect(html).toMatchInlineSnapshot(`
    "<p><a href="https://www.youtube.com/watch?v=0RKpf3rK57I">YouTube video</a></p>
    <p><a href="https://www.youtube.com/watch?v=a%26b">A *new* \`day\`</a></p>
    <ul>
    <li><a href="https://vimeo.com/19899678">My &#x3C;video></a> and <a href="https://vimeo.com/1">Vimeo video</a></li>
    </ul>
    <div>
    <a href="https://gist.github.com/spf13/7896402">Gist</a>
    </div>
    <p><a href="https://x.com/SanDiegoZoo/status/1453110110599868418">Post on X</a> <a href="https://x.com/i/status/877500564405444608">Post on X</a></p>
    <p><a href="https://www.instagram.com/p/CxOWiQNP2MO/">Instagram post</a></p>
    <p><code>{{&#x3C; youtube abc >}}</code></p>
    "
  `)
  expect(problems).toEqual([
    '15:1-15:24 shortcode-removed',
    '15:24-15:39 shortcode-removed',
    '17:2-17:21 value-unresolved',
  ])
})

test('a known shortcode that lacks something says what', async () => {
  const text = `{{< param version >}} {{< param >}} {{< param list >}} [a](https://x.example/{{< param version >}})
{{< figure alt="C" >}} [b]({{< ref "" >}}) {{< relref >}} {{< youtube >}} {{< gist spf13 >}} {{< x user="a" >}}
{{< highlight go >}} {{< alert >}} {{< note >}} {{< comment >}} {{< icon >}}
`
  const { html, messages } = await renderDialect('hugo', text, 'page.md', { data: { list: ['A', 'B'] } })
  expect(html).toMatchInlineSnapshot(`
    "<p>a
    b</p>
    "
  `)
  expect(messages).toMatchInlineSnapshot(`
    [
      "There is no parameter "version" in the page or the site, so nothing is shown here.",
      "The shortcode "param" has no name, so nothing is shown here.",
      "The parameter "list" is not one paragraph of text, so nothing is shown here.",
      "There is no parameter "version" in the page or the site, so the URL would be incomplete.",
      "The shortcode "figure" has no src, so nothing is shown here.",
      "The shortcode "ref" has no path, so the URL would be incomplete.",
      "The shortcode "relref" has no path, so nothing is shown here.",
      "The shortcode "youtube" has no id, so nothing is shown here.",
      "The shortcode "gist" has no id, so nothing is shown here.",
      "The shortcode "x" has no id, so nothing is shown here.",
      "The shortcode "highlight" has no end tag, so nothing is shown here.",
      "The shortcode "alert" has no end tag, so nothing is shown here.",
      "The shortcode "note" has no end tag, so nothing is shown here.",
      "The shortcode "comment" has no end tag, so nothing is shown here.",
      "The shortcode "icon" is unknown, so only its content was kept.",
    ]
  `)
})

test('comments are removed, and escaped shortcodes are shown', async () => {
  const text = '{{< comment >}}no {{< youtube x >}}{{< /comment >}}\n\n```\n{{</* ref "x" */>}}\n```\n'
  const { html, problems } = await render(text)
  expect(html).toBe('<pre><code>{{&#x3C; ref "x" >}}\n</code></pre>\n')
  expect(problems).toEqual([])
})

test('definition lists', async () => {
  const text = '`a` {#a-term}\n: One *two*\n: Three\n  four\n\nb\n\n: Five\n\nEnd: no list.\n'
  expect((await render(text)).html).toBe(`<dl>
<dt id="a-term"><code>a</code></dt>
<dd>One <em>two</em></dd>
<dd>Three
four</dd>
<dt>b</dt>
<dd>Five</dd>
</dl>
<p>End: no list.</p>
`)
})

test('items and definitions that contain only removed shortcodes are removed', async () => {
  const text = `\`term\`
: {{< new-in 0.1 />}}
: Text {{< new-in 0.1 />}}

Para
- {{< foo />}}
- b
- {{< foo >}}{{< /foo >}} {{< foo />}}

1. {{< foo />}}

   kept
1. {{< foo >}}
   kept, too
   {{< /foo >}}

> - {{< foo />}}
> - c

- {{< foo />}}

\`\`\`
- {{< foo />}}
\`\`\`

- {{< foo />}}`
  const { html, problems } = await render(text)
  expect(html).toMatchInlineSnapshot(`
    "<dl>
    <dt><code>term</code></dt>
    <dd>Text</dd>
    </dl>
    <p>Para</p>
    <ul>
    <li>b</li>
    </ul>
    <ol>
    <li>kept</li>
    <li>kept, too</li>
    </ol>
    <blockquote>
    <ul>
    <li>c</li>
    </ul>
    </blockquote>
    <pre><code>- {{&#x3C; foo />}}
    </code></pre>
    "
  `)
  expect(problems).toHaveLength(11)
})

test('headings have the ids that are set for them', async () => {
  expect((await render('## One {#first .big}\n\n## Two things\n')).anchors).toEqual(['first', 'two-things'])
})

test('attributes at the end of headings are removed, except for an id', async () => {
  const text = `## A {class="x"}

## B {.display-6}

## C {#id .a}

## D *E*{id="foo", .b data-x="a } b"}

F {style="color: red"}
---

## G {h} i
`
  expect((await render(text)).html).toBe(`<h2 id="a">A</h2>
<h2 id="b">B</h2>
<h2 id="id">C</h2>
<h2 id="foo">D <em>E</em></h2>
<h2 id="f">F</h2>
<h2 id="g-h-i">G {h} i</h2>
`)
})

test('attributes on their own line are removed; an id is added to the previous block', async () => {
  const text = `One *two*
{.lead #one}

## Heading
{#own}
Text [own](#own) [one](#one) [table](#table)

- a
- b
{.list}

> Words
{cite="https://example.org/a_b" caption="A *c*"}

| a |
|---|
| 1 |
{#table .table}

\`\`\`go
x
\`\`\`
{hl_lines="1"}

![x](https://x.example/x.png)\\
{.big}
and more

1. item

   {.in}
`
  const { html, problems } = await render(text)
  expect(html).toBe(`<p id="one">One <em>two</em></p>
<h2 id="own">Heading</h2>
<p>Text <a href="#own">own</a> <a href="#one">one</a> <a href="#table">table</a></p>
<ul>
<li>a</li>
<li>b</li>
</ul>
<blockquote>
<p>Words</p>
</blockquote>
<table id="table">
<thead>
<tr>
<th>a</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
</tr>
</tbody>
</table>
<pre><code class="language-go">x
</code></pre>
<p><img src="https://x.example/x.png" alt="x"><br>
and more</p>
<ol>
<li>
<p>item</p>
</li>
</ol>
`)
  expect(problems).toEqual([])
})

test('look-alikes of attributes stay in code, in HTML, and with another meaning', async () => {
  const text =
    '```\na\n{.x}\n```\n\n    b\n    {.x}\n\n`c\n{.x}\nd`\n\n<pre>\n{.x}\n</pre>\n\n{e}\n\nf {.x}\n{"g": 1}\n{.x} h\n'
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<pre><code>a\n{.x}\n</code></pre>\n<pre><code>b\n{.x}\n</code></pre>\n<p><code>c {.x} d</code></p>\n' +
      '<pre>{.x}\n</pre>\n<p>{e}</p>\n<p>f {.x}\n{"g": 1}\n{.x} h</p>\n',
  )
  expect(problems).toEqual([])
})

test('quotes with a mark of any word are alerts, with the title after the mark', async () => {
  const text = `> [!DANGER] Mind *the* gap
> text
> more

> [!NB]
>
> - a

> [!tip]- Fold \`me\`\\
> away

> [!NOTE]

- > [!example] Nested
  > > [!Warning]
  > > inner

> [!x](a.md) link

> \`[!NOTE]\`
`
  const { html, problems } = await render(text)
  expect(html).toBe(`<div class="markdown-alert markdown-alert-caution">
<p class="markdown-alert-title">Mind <em>the</em> gap</p>
<p>text
more</p>
</div>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">NB</p>
<ul>
<li>a</li>
</ul>
</div>
<div class="markdown-alert markdown-alert-tip">
<p class="markdown-alert-title">Fold <code>me</code></p>
<p>away</p>
</div>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Note</p>
</div>
<ul>
<li>
<div class="markdown-alert markdown-alert-note">
<p class="markdown-alert-title">Nested</p>
<div class="markdown-alert markdown-alert-warning">
<p class="markdown-alert-title">Warning</p>
<p>inner</p>
</div>
</div>
</li>
</ul>
<blockquote>
<p><a href="a.md">!x</a> link</p>
</blockquote>
<blockquote>
<p><code>[!NOTE]</code></p>
</blockquote>
`)
  expect(problems).toEqual([])
})

test("GitHub's own alerts are the same as without a preset", async () => {
  const text = '> [!NOTE]\n> text\n> *more*\n\n> [!tip]  \n>\n> - a\n\n> [!WARNING]\n> > inner\n'
  const plain = await rendererOf({})
  expect((await render(text)).html).toBe(htmlOf(plain({ ...inputOf(text), source: 'page.md' })))
})

test('positions after attributes and marks are those of the file', async () => {
  const text = `> [!X] [a](#no)
> [b](#no)

Text
{.x}
{#y .z}
[c](#no)

{{< z >}}
{.x}
[d](#no)
`
  expect((await render(text)).problems).toEqual([
    '1:12-1:15 link-heading-missing',
    '2:7-2:10 link-heading-missing',
    '7:5-7:8 link-heading-missing',
    '9:1-9:10 shortcode-removed',
    '11:5-11:8 link-heading-missing',
  ])
})

test('tabs are sections, each with its label', async () => {
  const text = `{{< tabs items="JSON,YAML" >}}
{{< tab >}}
*One*
{{< /tab >}}
  {{% tab %}}Two{{% /tab %}}
{{< /tabs >}}

{{< tabpane >}}
{{< tab header="Files:" disabled=true />}}
{{< tab header="a <b>" lang="yaml" >}}
key: *value*
{{< /tab >}}
{{< /tabpane >}}

{{< tabpane text=true >}}
{{% tab "Plain" lang="en" %}}
- item
{{% /tab %}}
{{< /tabpane >}}
`
  const { html, problems } = await render(text)
  expect(html.replaceAll(/\n\s*/g, '\n'))
    .toBe(`<div class="markdown-tab"><p class="markdown-tab-title"><strong>JSON</strong></p>
<p><em>One</em></p>
</div>
<div class="markdown-tab"><p class="markdown-tab-title"><strong>YAML</strong></p>
<p>Two</p>
</div>
<p><strong>Files:</strong></p>
<div class="markdown-tab"><p class="markdown-tab-title"><strong>a &#x3C;b></strong></p>
<pre><code class="language-yaml">key: *value*
</code></pre>
</div>
<div class="markdown-tab"><p class="markdown-tab-title"><strong>Plain</strong></p>
<ul>
<li>item</li>
</ul>
</div>
`)
  expect(problems).toEqual([])
})

const SITE = [
  {
    name: 'hugo.toml',
    text: '[params]\nversion = "1.2"\nhost = "get.acme.example"\n[params.download]\nfile = "a_b_c*.zip"\n[languages.fr.params]\nversion = "1.3-fr"\n',
  },
  { name: 'config/_default/params.yaml', text: 'edition: 7\nversion: "1.4"\nlist: [1, 2]\n' },
  { name: 'config/_default/params.fr.toml', text: 'edition = 8\n' },
]

test('tabs that share lines stay in their list item, even if their text starts before it', async () => {
  const text = `1. One

   {{< tabpane text=true >}} {{% tab Make %}}

   \`\`\`sh
   make
   \`\`\`

   {{% /tab %}} {{% tab Docker %}}

\`\`\`yaml
a:
  b
\`\`\`

    {{% /tab %}} {{< /tabpane >}}

   ## More

   {{< tabpane text=true >}} {{% tab A %}}
   a
   {{% /tab %}} {{< /tabpane >}}

2. {{< tab B >}}
   b
   {{< /tab >}}

> {{< note >}}
> c
> {{< /note >}} d
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<ol>
    <li>
    <p>One</p>
     <div class="markdown-tab"><p class="markdown-tab-title"><strong>Make</strong></p>
    <pre><code class="language-sh">make
    </code></pre>
    </div>
     <div class="markdown-tab"><p class="markdown-tab-title"><strong>Docker</strong></p>
    <pre><code class="language-yaml">a:
      b
    </code></pre>
     </div>
    <h2 id="more">More</h2>
     <div class="markdown-tab"><p class="markdown-tab-title"><strong>A</strong></p>
    <p>a</p>
    </div>
    </li>
    <li>
    <div class="markdown-tab"><p class="markdown-tab-title"><strong>B</strong></p>
    <p>b</p>
    </div>
    </li>
    </ol>
    <blockquote>
    <div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p>
    <p>c</p>
    </div>
     d
    </blockquote>
    "
  `)
})

test('param shows the value of the page, else of the site, in words, code and URLs', async () => {
  const text = `Get {{< param version >}}, edition {{% param "edition" %}}: \`get {{< param "download.file" >}}\`, not {{< param download.file >}}.

\`\`\`sh
curl https://{{< param host >}}/{{< param Name >}} && echo {{< param own.deep >}}
\`\`\`

[load](https://{{< param host >}}/{{< param version >}}) <https://{{< param host >}}/x> <a href="//{{< param quoted >}}">y</a>
`
  const data = { name: 'my tool', own: { deep: true }, params: { quoted: 'a"b' } }
  const { html, problems } = await renderDialect('hugo', text, 'page.md', { data, siteFiles: SITE })
  expect(problems).toEqual([])
  expect(html).toBe(`<p>Get 1.4, edition 7: <code>get a_b_c*.zip</code>, not a_b_c*.zip.</p>
<pre><code class="language-sh">curl https://get.acme.example/my tool &#x26;&#x26; echo true
</code></pre>
<p><a href="https://get.acme.example/1.4">load</a> <a href="https://get.acme.example/x">https://get.acme.example/x</a> <a href="//a&#x22;b">y</a></p>
`)
  const spaced = await renderDialect('hugo', '[a](https://x.example/{{< param Name >}})\n', 'page.md', {
    data,
  })
  expect(spaced.html).toBe('<p><a href="https://x.example/my%20tool">a</a></p>\n')
  const folded = { note: 'One\n`two`\n', list: '- a\n- b\n', apart: 'a\n\nb' }
  const block = await renderDialect(
    'hugo',
    '{{% param note %}} {{% param list %}} {{% param apart %}}\n',
    'a.md',
    { data: folded },
  )
  expect(block.html).toBe('<p>One <code>two</code></p>\n')
  expect(block.problems).toHaveLength(2)
  const french = await renderDialect('hugo', '{{< param version >}} {{< param edition >}}\n', 'fr/page.md', {
    siteFiles: SITE,
  })
  expect(french.html).toBe('<p>1.3-fr 8</p>\n')
})

test('terms of definitions have ids like headings, if the site sets it', async () => {
  const text =
    '## Mode\n\n`mode`\n: See [others](#two-words) and [this](#mode-1).\n\nTwo *words*\n: More.\n\nOwn {#id}\n: Last.\n'
  const termsOf = async (siteFiles: typeof SITE) => {
    const { html, problems } = await renderDialect('hugo', text, 'page.md', { siteFiles })
    return [...(html.match(/<(?:h2|dt)[^>]*>/g) ?? []), problems.length]
  }
  const markup = {
    name: 'config/_default/markup.yaml',
    text: 'goldmark: { parser: { autoDefinitionTermID: true } }',
  }
  expect(await termsOf([...SITE, markup])).toEqual([
    '<h2 id="mode">',
    '<dt id="mode-1">',
    '<dt id="two-words">',
    '<dt id="id">',
    0,
  ])
  expect(await termsOf(SITE)).toEqual(['<h2 id="mode">', '<dt>', '<dt>', '<dt id="id">', 2])
})

test('a command or a URL that contains a shortcode without a value is an error', async () => {
  const text = `\`npm i x@{{< param version >}}\` and \`{{< skew 1 >}}\`

\`\`\`sh
curl {{< param list >}}
{{< include "x.sh" >}}
\`\`\`

- a

      kubectl {{< version >}}

[a](https://{{< param host >}}/b) ![c]({{< img >}}/d.png) <https://x.example/{{< v >}}> https://x.example/{{< v >}}

[e]: {{< url >}}

{{< base >}}/install {{< icon >}} <a href="{{< url >}}" title="{{< t >}}">f</a> <kbd>{{< key >}}</kbd>

<pre>
{{< tool >}} run
</pre>

\`{{< note >}}\`
`
  const { html, problems, messages } = await render(text)
  const at = (code: string) =>
    problems.filter((problem) => problem.endsWith(code)).map((each) => each.split(' ')[0])
  expect(at('value-unresolved')).toEqual([
    '1:10-1:31',
    '1:38-1:52',
    '4:6-4:24',
    '5:1-5:23',
    '10:15-10:30',
    '12:13-12:31',
    '12:40-12:51',
    '12:78-12:87',
    '12:107-12:116',
    '14:6-14:17',
    '16:1-16:13',
    '16:44-16:55',
    '16:86-16:97',
    '19:1-19:13',
    '22:2-22:14',
  ])
  expect(at('shortcode-removed')).toEqual(['16:22-16:34', '16:64-16:73'])
  expect(html)
    .toBe(`<p><code>npm i x@{{&#x3C; param version >}}</code> and <code>{{&#x3C; skew 1 >}}</code></p>
<pre><code class="language-sh">curl {{&#x3C; param list >}}
{{&#x3C; include "x.sh" >}}
</code></pre>
<ul>
<li>
<p>a</p>
<pre><code>kubectl {{&#x3C; version >}}
</code></pre>
</li>
</ul>
<p>a c https://x.example/{{&#x3C; v >}} https://x.example/{{&#x3C; v >}}</p>
<p>{{&#x3C; base >}}/install  <a title="">f</a> <kbd>{{&#x3C; key >}}</kbd></p>
<pre>{{&#x3C; tool >}} run
</pre>
<p><code>{{&#x3C; note >}}</code></p>
`)
  expect(messages).toContain('The shortcode "version" has no value here, so the code would be incomplete.')
})
