import { expect, test } from 'vitest'
import { readShortcodes } from '../../../src/content/dialect/hugo/read-shortcodes.ts'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string): Promise<Rendered> => renderDialect('hugo', text)

test('ref and relref are addresses', async () => {
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

test('arguments may hold what ends them, in quotes, and a slash of their own', async () => {
  const text =
    '[a]({{< ref "x>}}y" >}}) [b]({{< relref docs/ >}}) [c]({{<ref `d"` >}}) {{< unknown / >}}{{< open "never {{< ref "e" >}}\n'
  const { html, problems } = await render(text)
  expect(html).toBe(
    '<p><a href="x%3E%7D%7Dy">a</a> <a href="docs/">b</a> <a href="d%22">c</a> {{&#x3C; open "never e</p>\n',
  )
  expect(problems).toEqual(['1:73-1:90 shortcode-removed'])
})

test.each([
  ['spaces', `{{< a${' '.repeat(100_000)}x`],
  ['openings', '{{< a '.repeat(20_000)],
  ['openings and quotes', '{{< a "'.repeat(20_000)],
  ['openings and escaped quotes', '{{< a \\"'.repeat(20_000)],
  ['unclosed raw text', '{{< a `'.repeat(20_001)],
])('is found in a time in proportion to the text: %s', (_, text) => {
  const start = performance.now()
  readShortcodes(text)
  expect(performance.now() - start).toBeLessThan(1000)
})

test('figures and highlighted code', async () => {
  const text =
    '{{< figure src="x.png" alt="X" caption="Cap" >}}\n\n{{< highlight go "linenos=table" >}}\nfmt.Println("`")\n{{< /highlight >}}\n'
  expect((await render(text)).html).toBe(
    '<figure><img src="x.png" alt="X"><figcaption>Cap</figcaption></figure>\n' +
      '<pre><code class="language-go">fmt.Println("`")\n</code></pre>\n',
  )
})

test('of other shortcodes, what stands in them stays, with a warning; places behind them are right', async () => {
  const text = 'Text {{< my-box a="}}" >}}*words*{{< /my-box >}} {{< youtube abc >}} [x](#no){{< /stray >}}\n'
  const { html, problems } = await render(text)
  expect(html).toBe('<p>Text <em>words</em>  <a href="#no">x</a></p>\n')
  expect(problems).toEqual([
    '1:6-1:27 shortcode-removed',
    '1:50-1:69 shortcode-removed',
    '1:74-1:77 link-heading-missing',
  ])
})

test('comments are left out, and shortcodes that are to be shown are shown', async () => {
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

test('headings have the ids that are written for them', async () => {
  expect((await render('## One {#first .big}\n\n## Two things\n')).anchors).toEqual(['first', 'two-things'])
})
