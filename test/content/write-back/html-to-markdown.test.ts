import { describe, expect, test } from 'vitest'
import { htmlToMarkdown } from '../../../src/content/from-html/html-to-markdown.ts'
import { htmlOf, inputOf, rendererOf } from '../markdown/renderers.ts'

const OURS: Readonly<Record<string, string>> = {
  'headings and marks':
    '# One\n\n### Three *em* **strong** ~~del~~ `code`\n\n---\n\nText\\\nnext line\nand next\n',
  'lists, tight, loose, nested, with boxes':
    '- a\n- b\n  - c\n\n***\n\n3. x\n\n   y\n\n4. z\n\n***\n\n- [ ] open\n- [x] done\n',
  'a table with alignment': '| a    |   b |\n| :--- | --: |\n| 1\\|2 | `x` |\n',
  footnotes: 'One[^1] and two.[^note]\n\n[^1]: First\n\n    second paragraph\n\n[^note]: A [link](b.md)\n',
  alerts: '> [!NOTE]\n> Text\n>\n> more\n\n> [!TIP]\n>\n> - list\n',
  'a tight list with lists, quotes and code in it':
    '- a\n  - b\n  - c\n    1. d\n    2. e\n- f\n  > quote\n- g\n  ```js\n  h\n  ```\n- [ ] i\n  - [x] j\n',
  'a loose list with a list in it': '- a\n\n  - b\n  - c\n\n- d\n',
  'an item with two paragraphs': '- a\n\n  b\n',
  code: '```js\nlet a = `1`\n```\n\n````md\n```\n````\n',
  'links and images':
    '[a](b.md#c "T") <https://example.org/> ![alt](a.png) <img src="b.png" alt="b" width="20">\n',
  'raw HTML of the allow-list':
    '<details open>\n<summary>Sum</summary>\n\nText **bold**\n\n</details>\n\n<kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <mark>m</mark>\n\n' +
    '<dl>\n<dt>T</dt>\n<dd>D</dd>\n</dl>\n\n<p align="center">mid</p>\n',
  'an element around blocks':
    '- a\n\n  <aside>\n\n  b\n\n  </aside>\n\n<aside>\n\nText **bold**\n\n- c\n\n</aside>\n',
  'a link to a heading': '[to](#a-heading)\n\n## A heading\n',
}

describe('output of our renderer', () => {
  test.each(Object.entries(OURS))('%s comes back as it was written', async (_name, markdown) => {
    const render = await rendererOf()
    const written = markdown.replaceAll('\n***\n', '\n---\n')
    expect(htmlToMarkdown(htmlOf(render(inputOf(written))))).toBe(written)
  })
})

const EDITORS: Readonly<Record<string, readonly [html: string, markdown: string]>> = {
  'div soup': ['<div><div>one</div><div><p class="x">two</p>tail</div></div>', 'one\n\ntwo\n\ntail\n'],
  'bold and italic tags': [
    '<p><b> bold </b>text<i>it</i> <b>x</b><b>y</b></p>',
    '**bold** text*it* **xy**\n',
  ],
  'empty paragraphs': ['<p>&nbsp;</p><p><br></p><p>a</p>', 'a\n'],
  'no-break spaces': ['<p>a&nbsp; b&nbsp;c&nbsp;</p>', 'a b\u00A0c\n'],
  'two breaks': ['<p>one<br><br>two<br>three<br></p>', 'one\n\ntwo\\\nthree\n'],
  'inline styles': ['<p style="color:red">a <span style="font-weight:bold">b</span></p>', 'a b\n'],
  'a table without head': [
    '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
    '|   |   |\n| - | - |\n| a | b |\n',
  ],
  'a table in a figure, paragraphs in cells': [
    '<figure class="table"><table><thead><tr><th>h</th></tr></thead><tbody><tr><td><p>a</p><p>b</p></td></tr></tbody></table></figure>',
    '| h      |\n| ------ |\n| a<br>b |\n',
  ],
  'a wide cell': [
    '<table><tr><td colspan="2">w</td></tr><tr><td>a</td><td>b</td></tr></table>',
    '<table>\n<tbody>\n<tr>\n<td colspan="2">w</td>\n</tr>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n',
  ],
  'aligned by style': [
    '<table><thead><tr><th style="text-align: right">h</th></tr></thead></table>',
    '|  h |\n| -: |\n',
  ],
  frames: [
    '<p>a</p><iframe src="https://example.org/film" title="Film"></iframe><object data="https://example.org/a.mp4"></object>',
    'a\n\n[Film](https://example.org/film) <https://example.org/a.mp4>\n',
  ],
  'a video': [
    '<p>a</p><video src="https://example.org/a.mp4" controls autoplay onplay="x()"><track src="a.vtt" kind="captions"></video>',
    'a\n\n<video src="https://example.org/a.mp4" controls><track src="a.vtt" kind="captions"></video>\n',
  ],
  'an anchor that a link needs': [
    '<p><a href="#x1">to</a></p><h2 id="x1">Other</h2><h2 id="x2">Third</h2>',
    '[to](#x1)\n\n## <a id="x1"></a>Other\n\n## Third\n',
  ],
  'a link around blocks': [
    '<a href="https://example.org/"><div>a</div></a>',
    '<div><a href="https://example.org/"><div>a</div></a></div>\n',
  ],
  'marks around paragraphs': ['<b><p>a</p><p>b</p></b>', '**a**\n\n**b**\n'],
  'paragraphs in a heading': ['<h2><p>a</p><p>b</p></h2>', '## a b\n'],
  'an empty paragraph between loose text': ['a<p></p>b', 'a\n\nb\n'],
  'an address that is no link': [
    '<p>https://example.org/ www.example.org me@example.org</p>',
    'https:<!-- -->//example.org/ www<!-- -->.example.org me<!-- -->@example.org\n',
  ],
  'lists of an editor that has no paragraphs in them': [
    '<ul><li><a href="#a">A</a><ul><li>b</li><li>c</li></ul></li><li>d<ol start="3"><li>e</li></ol></li></ul>',
    '- [A](#a)\n  - b\n  - c\n\n- d\n\n  3. e\n',
  ],
  'marks in code': [
    '<p><code>a <i>b</i></code></p><pre><code>c <b>d</b></code></pre>',
    '<code>a *b*</code>\n\n```\nc d\n```\n',
  ],
  'code in lines that are blocks': [
    '<pre>a<div>  b</div><div><span>c</span></div>d<br>e\n\n\n</pre>',
    '```\na\n  b\nc\nd\ne\n\n\n```\n',
  ],
  nothing: ['<!-- c --><p></p>', ''],
}

describe('output of editors', () => {
  test.each(Object.entries(EDITORS))('%s', (_name, [html, markdown]) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })
})

const HOSTILE: Readonly<Record<string, readonly [html: string, markdown: string]>> = {
  frontmatter: ['<p>---</p><p>title: x</p><p>---</p>', '\\---\n\ntitle: x\n\n\\---\n'],
  'frontmatter on one paragraph': ['<p>---\ntitle: x\n---</p>', '\\---\ntitle: x\n\\---\n'],
  'a rule at the top': ['<hr><p>title: x</p><hr>', '***\n\ntitle: x\n\n---\n'],
  'other frontmatter': ['<p>+++</p>', '\\+++\n'],
  'a byte order mark': ['<p>\uFEFF---</p>', '\\---\n'],
  'site builders': [
    '<p>{% include "x" %} {{ y }} {# z #} &lt;%= w %> {v}</p><p>import a from "b"</p><p>export default 1</p>',
    '\\{\\% include "x" %} \\{\\{ y }} \\{\\# z #} <\\%= w %> \\{v}\n\n&#x69;mport a from "b"\n\n&#x65;xport default 1\n',
  ],
  'site builders in code': [
    '<p><code>{{ x }}</code></p><pre><code class="language-liquid">{% y %}\n\nz\n</code></pre>',
    '<code>\\{\\{ x }}</code>\n\n<pre><code class="language-liquid">&#123;% y %}\n\nz\n</code></pre>\n',
  ],
  'site builders in attributes': [
    '<p><a href="/{{x}}" title="{{y}}">a</a> <img src="a.png" width="1" alt="{{z}}"></p>',
    '[a](/%7B%7Bx%7D%7D "\\{\\{y}}") <img src="a.png" alt="&#123;&#123;z}}" width="1">\n',
  ],
  includes: [
    '<p>--8&lt;-- "f"</p><p>&lt;&lt;&lt; @/f</p><p>:::include f</p><p>@include f</p><p>!include f</p>',
    '\\--8<-- "f"\n\n\\<<< @/f\n\n\\:::include f\n\n\\@include f\n\n\\!include f\n',
  ],
  'Markdown as text': [
    '<p># a</p><p>1. *b* _c_ [d](e) `f` ![g](h)</p><p>- i</p><p>&gt; j</p><p>a | b\n--- | ---</p><p>    k</p>',
    '\\# a\n\n1\\. \\*b\\* \\_c\\_ \\[d]\\(e) \\`f\\` !\\[g]\\(h)\n\n\\- i\n\n\\> j\n\na | b\n\\--- | ---\n\nk\n',
  ],
  'HTML as text': [
    '<p>&lt;script&gt;x&lt;/script&gt; &amp;lt; &lt;!-- c</p>',
    '\\<script>x\\</script> \\&lt; \\<!-- c\n',
  ],
  scripts: [
    '<script>x</script><style>y</style><p onclick="z">a <a href="javascript:x">b</a><img src="data:text/html,x" alt="c"></p>',
    'a bc\n',
  ],
  'an alert as text': ['<blockquote><p>[!NOTE]\ntext</p></blockquote>', '> \\[<wbr>!NOTE]\n> text\n'],
  'a marker': ['<p>a</p><!--kb1.00-->', 'a\n'],
  'stand-ins of ours': [
    '<kb-footnote title="x">a</kb-footnote><p><output title="y">b</output></p>',
    'a\n\nb\n',
  ],
}

describe('input of attackers stays text', () => {
  test.each(Object.entries(HOSTILE))('%s', (_name, [html, markdown]) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })
})

test('URLs are written as by an author', () => {
  const linkOf = (url: string): string | undefined =>
    ({ '/articles/b': 'b file.md', 'data:image/png;base64,AA': 'a.png' })[url]
  const html =
    '<p><a href="/articles/b">b</a> <a href="/c">c</a> <img src="data:image/png;base64,AA" alt=""> <a href="#d">d</a></p>'
  expect(htmlToMarkdown(html, { linkOf })).toBe('[b](<b file.md>) [c](/c) ![](a.png) [d](#d)\n')
})

test('HTML that the configuration allows stays', () => {
  const html = '<p>a</p><iframe src="https://example.org/"></iframe>'
  const allow = { tags: ['iframe'], attributes: { iframe: ['src'] } }
  expect(htmlToMarkdown(html, { allow })).toBe('a\n\n<iframe src="https://example.org/"></iframe>\n')
})
