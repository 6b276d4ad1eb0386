import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIALECTS } from '../../../src/core/dialects/dialects.ts'
import { OTHER_SIGNS } from '../../../src/core/dialects/syntax-signs.ts'
import { readRuns } from '../../support/runs.ts'
import { inputOf, rendererOf } from '../markdown/renderers.ts'

/** `line:column` and the tool of each finding. */
async function findIn(text: string, source: string): Promise<string[]> {
  const render = await rendererOf()
  return render({ ...inputOf(text), source })
    .problems.filter(({ code }) => code === 'tool-syntax')
    .map(
      ({ line, column, end, message }) =>
        `${line}:${column}-${end?.column} ${/wiki|emoji|Mermaid|MDX|Hugo|MkDocs|Liquid|Docusaurus|VitePress|Grav|Nuxt/.exec(message)?.[0]}`,
    )
}

test('syntax of tools in plain Markdown is named, but not in code, nor what only looks like it', async () => {
  const text = `!!! note "Title"
    text

??? tip

=== "Tab"

--8<-- "part.md"

A [button](https://example.com){ .md-button } and {% include x.html %} with {{ site.name }}.

{{< note >}}Hello{{< /note >}} {{% tip a="b" %}}

\`{% raw %}\` and {{ name }}, 100 % } {%

!!! Read this
=== is more than ==

    {% code %}
`
  expect(await findIn(text, 'a.md')).toEqual([
    '1:1-17 MkDocs',
    '4:1-8 MkDocs',
    '6:1-10 MkDocs',
    '8:1-17 MkDocs',
    '10:32-46 MkDocs',
    '10:51-71 Liquid',
    '10:77-92 Liquid',
    '12:1-13 Hugo',
    '12:18-31 Hugo',
    '12:32-49 Hugo',
    '14:17-27 Liquid',
  ])
})

test('the first link of a wiki, emoji and diagram', async () => {
  const text = `See [[Start here]] and [[End]]. Good :smile: and :tada:.

\`\`\`mermaid
graph TD
\`\`\`

> ~~~ mermaid
> graph TD
> ~~~
`
  expect(await findIn(text, 'a.md')).toEqual(['1:5-19 wiki', '1:38-45 emoji', '3:1-11 Mermaid'])
  const others = `[[1]] [[-f x]] [[ a ]] \\[[ab]] [[ab]](c.md) [[ab]][c] [[ab]]: \`[[ab]]\` [[x]]

10:30:45 a:bc:d :a: :b-c: :left: :center: https://x.example:ab:/ :ref:\`x\` \`:smile:\` mermaid, ::ab::

\`\`\`md
\`\` mermaid
[[ab]] :smile:
\`\`\`
`
  expect(await findIn(others, 'a.md')).toEqual([])
})

test('MDX is looked for in files with that ending alone', async () => {
  const text = `import Tabs from '@theme/Tabs'
import './style.css'

export const a = 1

Text {/* a comment */} and import things.

{/*
more
*/}
`
  expect(await findIn(text, 'a.mdx')).toEqual([
    '1:1-31 MDX',
    '2:1-21 MDX',
    '4:1-19 MDX',
    '6:6-23 MDX',
    '8:1-4 MDX',
  ])
  expect(await findIn(text, 'a.md')).toEqual([])
})

test('an import or export of MDX may go over several lines', async () => {
  const text = `import {
  a,
  b
} from "x"

export const a = {
  b: 1,
}
`
  expect(await findIn(text, 'a.mdx')).toEqual(['1:1-11 MDX', '6:1-2 MDX'])
})

test.each([
  ['Text {props.x} and {props.y}.', '1:6-15 MDX'],
  ['Text {`words`} and\n{\n  1 + 2\n}', '1:6-15 MDX'],
  ['A <>fragment</>', '1:3-5 MDX'],
  ['An <A b={1}/> and <A b={2}/>', '1:4-14 MDX'],
  ['<Tabs>\n\nText\n\n</Tabs>', '1:1-7 MDX'],
  ["<div style={{ color: 'red' }}>Text</div>", '1:1-31 MDX'],
  ['`{a}` \\{a} <b>text</b> <https://example.com>\n\n    <A/>', undefined],
])('expressions and components of MDX are named once: %j', async (text, found) => {
  expect(await findIn(text, 'a.mdx')).toEqual(found === undefined ? [] : [found])
  expect(await findIn(text, 'a.md')).toEqual([])
})

test('syntax of tools is found in HTML and in addresses, but not in code and comments there', async () => {
  const text = `<p>{{ site.title }}</p>

<div>{% include x %}
<!-- {% include y %} --> <pre>{{ site.title }}</pre>
</div>

[a](https://example.com/{{site.v}}/y) https://example.com/{{ site.v }}

Text <code>{{ site.title }}</code> <a href="{{ '/a' | relative_url }}">a</a> ![i]({{site.url}}/a.png)

[r]: https://example.com/{{site.v}}/z
`
  expect(await findIn(text, 'a.md')).toEqual([
    '1:4-20 Liquid',
    '3:6-21 Liquid',
    '7:25-35 Liquid',
    '7:59-71 Liquid',
    '9:45-70 Liquid',
    '9:83-95 Liquid',
    '11:26-36 Liquid',
  ])
})

test('variables of Liquid are named where a text has Liquid for sure', async () => {
  const text =
    'Install {{ product.name }} {{version}}, `{{ code }}` and {{{ x }}} {{ 1 + 2 }} {{ names[0] | join: ", " }}.\n'
  expect(await findIn(text, 'a.md')).toEqual([])
  expect(await findIn(`{% assign version = '2' %}\n\n${text}`, 'a.md')).toEqual([
    '1:1-27 Liquid',
    '3:9-27 Liquid',
    '3:28-39 Liquid',
    '3:80-107 Liquid',
  ])
})

const OF_TOOLS = `# Title {#id}

[TOC]

![x](a.png){ width="300" } and [a](https://b.example){: .btn } and \`a\`{.b}

Text
{: .no_toc }

Press ++ctrl+alt++ or ++enter++ :material-account: now.

*[HTML]: HyperText

::: foo.bar

/// note | Title
text
///

> Text
> :::tip[Title]

1. ::: warning

<<< ./x.js{2}

[[toc]]
`

test('of MkDocs, Jekyll, Docusaurus and VitePress, each is named', async () => {
  expect(await findIn(OF_TOOLS, 'a.md')).toEqual([
    '1:9-14 MkDocs',
    '3:1-6 MkDocs',
    '5:12-27 MkDocs',
    '5:54-63 MkDocs',
    '5:71-75 MkDocs',
    '8:1-13 MkDocs',
    '10:7-19 MkDocs',
    '10:23-32 MkDocs',
    '10:33-51 MkDocs',
    '12:1-19 MkDocs',
    '14:1-12 MkDocs',
    '16:1-17 MkDocs',
    '21:3-16 Docusaurus',
    '23:4-15 Docusaurus',
    '25:1-14 VitePress',
    '27:1-8 VitePress',
  ])
})

test("ordinary Markdown that only looks like it is nobody's", async () => {
  const text = `C++ and g++, i++ ++j, ++a++ in one, ::: and :: and a:b:c.

A set {a, b}, {a=b}, {name}, \${x}, {{#if}}, #{a} and f{x}

A list of [toc], [TOC] in a line and [[toc]] too

${'<'.repeat(7)} HEAD

[HTML]: https://example.com
//// /// note that
a::: b
`
  expect(await findIn(text, 'a.md')).toEqual([])
})

test('both parsers agree on it', async () => {
  const [native, remark] = await Promise.all(
    (['native', 'remark'] as const).map(async (parser) => {
      const render = await rendererOf({ parser })
      return render({ ...inputOf(OF_TOOLS), source: 'a.md' }).problems
    }),
  )
  expect(native).toEqual(remark)
})

test('blocks of Nuxt Content and shortcodes in brackets are named once', async () => {
  const text =
    '[div class="a"]\n\nText\n\n[/div] [/div]\n\n::card{to="/"}\nText\n::\n\n`[/a]` [/b](c.md) a::b [a/b]\n'
  expect(await findIn(text, 'a.md')).toEqual(['5:1-7 Grav', '7:1-15 Nuxt'])
})

test('every match of a sign contains one of the texts that are searched first', () => {
  const signs = [...Object.values(DIALECTS).flatMap((dialect) => dialect.signs), ...OTHER_SIGNS]
  const samples = String.raw`
!!! note|!!! a "b"|??? tip|???+ tip|=== "Tab"|===! "Tab"|--8<-- "a.md"|-8<-|[TOC]|/// note|::: a.b|++ctrl+a++|++enter++
:material-a:|{ .md-button }|*[HTML]: a|{% include a %}|{{ site.name }}|{{ a }}|{{< a >}}|{{% a %}}|{:toc}|{: .a }|]{ .a }
){a=b}|a {.a}|a {#b}|::: tip|:::note[a]|<<< @/a.js|[[toc]]|![[a]]|import a from "b"|import 'a'|export const a|{/* a */}
[a](b c.md)|<Tabs a>|</Tabs>|<a b={c}>|<></>|a {b}|::card{a}|[/div]`
    .split(/[|\n]/)
    .concat('{{ a | markdownify }}', '[[a|b]]', '[[ab c]]', ':smile:', '```mermaid')
  const texts = fc.array(
    fc.tuple(fc.constantFrom(...samples, ''), fc.nat(30), fc.nat(2), fc.string({ maxLength: 1 })),
    { minLength: 1, maxLength: 12 },
  )
  const met = new Set<RegExp>()
  fc.assert(
    fc.property(texts, fc.constantFrom('\n', ' '), (parts, between) => {
      const text = parts
        .map(([sample, at, removed, added]) => sample.slice(0, at) + added + sample.slice(at + removed))
        .join(between)
      for (const { pattern, contains } of signs)
        for (const [match] of text.matchAll(pattern)) {
          met.add(pattern)
          if (!contains.some((part) => match.includes(part))) throw new Error(`${pattern} matches ${match}`)
        }
    }),
    readRuns('FUZZ', 5000),
  )
  expect(signs.filter(({ pattern }) => !met.has(pattern))).toEqual([])
})
