import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRESET_NAMES, type PresetName } from '../../../src/core/dialects/dialects.ts'
import { ownSyntaxOf } from '../../../src/authoring/body/keep-source.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { rendererOf, turn } from '../markdown/renderers.ts'
import { exact, HEAD, type MergedEdit, mergeEdit } from './merge-edit.ts'

async function merge(
  dialect: PresetName,
  body: string,
  edit: (html: string) => string,
  newTitle?: string,
): Promise<MergedEdit> {
  return mergeEdit(await rendererOf({ dialect }), body, edit, newTitle, HEAD, dialect)
}

const HUGO = `Intro.

First see [start]({{< relref "start" >}}) or [posts](/posts/first/),
then __press__ {{< kbd "F1" >}} twice.

{{< figure src="/a.png" alt="A" >}}

- See [start]({{% ref "start" %}}) now
- or [later][l]

{{< note >}}
Read [start]({{< relref "start" >}}) first.

And the rest.
{{< /note >}}

## Title here {#own}

[l]: {{< relref "later" >}}
`

describe('hugo', () => {
  test.each([
    ['First see', 'EDITED. First see'],
    ['twice.', 'two times.'],
    ['or <a', 'or perhaps <a', 'or [posts]', 'or perhaps [posts]'],
    ['now</li>', 'today</li>', '{{% ref "start" %}}) now', '{{% ref "start" %}}) today'],
    ['And the rest', 'And all'],
    ['Title here', 'Title there'],
    ['>later<', '>soon<', '[later][l]', '[soon][l]'],
  ])('%s becomes %s', async (from, to, source = from, wanted = to) => {
    expect(await merge('hugo', HUGO, (html) => html.replace(from, to))).toEqual(
      exact(HUGO.replace(source, wanted)),
    )
  })
})

test('line endings of the file', async () => {
  const body = HUGO.replaceAll('\n', '\r\n')
  expect(await merge('hugo', body, (html) => html.replace('twice.', 'two times.'))).toMatchObject({
    text: HEAD + body.replace('twice.', 'two times.'),
    isExact: true,
  })
})

describe("a link keeps its author's spelling", () => {
  const START = 'https://kb.example/start'

  test('in a new or rewritten block', async () => {
    const added = await merge('hugo', HUGO, (html) => `${html}<p>Go to <a href="${START}">start</a></p>`)
    expect(added).toEqual(exact(HUGO.replace('\n[l]:', '\nGo to [start]({{< relref "start" >}})\n\n[l]:')))
  })

  test('unless it leads elsewhere or is deleted', async () => {
    const body = 'See [start]({{< relref "start" >}}) now.\n\nOther [start]({{< relref "start" >}}).\n'
    const moved = await merge('hugo', body, (html) => html.replace(START, 'https://example.org/'))
    expect(moved).toEqual(exact(body.replace('{{< relref "start" >}}', 'https://example.org/')))
    const gone = await merge('hugo', body, (html) => html.replace(/<a [^>]*>start<\/a> now/, 'it now'))
    expect(gone).toEqual(exact(body.replace('[start]({{< relref "start" >}}) now', 'it now')))
  })
})

const MDX = `import X from './x'

See [a](@site/docs/a.mdx) and [file](pathname:///file.pdf), or {/* why */} ![image](./b.md) more.

:::tip[Careful]
Read [a](@site/docs/a.mdx) first.
:::

## Title here {#own}

<Tabs>
<TabItem value="one">

First tab.

</TabItem>
</Tabs>
`

const VUE = `Since <Badge text="beta" /> it __is__ {{ version }} ready.

## Title here {#own}

::: warning Careful
Read [a](./a) first.
:::
`

test('a heading that repeats the title keeps its id', async () => {
  const body = '# Guide {#own}\n\nText.\n'
  // In plain Markdown, this is not an id.
  for (const dialect of PRESET_NAMES.filter((preset) => preset !== 'folder'))
    expect(await merge(dialect, body, (html) => html.replace('Text', 'Words'), 'New *one*')).toEqual(
      exact(body.replace('Guide', String.raw`New \*one\*`).replace('Text', 'Words')),
    )
})

test('code keeps its attributes for the tool', async () => {
  const body = '```js {1,3} [a.js]\none() // [!code focus]\n  two()\n```\n'
  const edited = (text: string): string => text.replace('  two', '    three()\n  two')
  expect(await merge('vitepress', body, edited)).toEqual(exact(edited(body)))
  const gone = await merge('vitepress', body, () => '<pre><code class="language-js">other\n</code></pre>')
  expect(gone).toMatchObject({
    isExact: true,
    lost: ["the file's own {1,3} [a.js]", "the file's own [!code focus]"],
  })
})

test('losses are reported', async () => {
  const body = 'Press {{< kbd "F1" >}} or {{< key >}} twice.\n\n`{{< code >}}` here.\n'
  const list = await merge('hugo', body, (html) => html.replace(/<p>Press.*?<\/p>/, '<ul><li>Wait</li></ul>'))
  expect(list).toEqual({
    text: `${HEAD}- Wait\n\n\`{{< code >}}\` here.\n`,
    isExact: true,
    lost: [`the file's own {{< kbd "F1" >}}`, "the file's own {{< key >}}"],
  })
  const gone = await merge('hugo', body, (html) => html.replace(/<p>Press.*?<\/p>\n/, ''))
  expect(gone).toEqual(exact('`{{< code >}}` here.\n'))
})

describe.each([
  ['docusaurus', MDX, ['See', ', or', 'more', 'first.', 'Title here', 'First tab']],
  ['vitepress', VUE, ['Since', ' it', 'ready', 'first.', 'Title here']],
] as const)('%s', (dialect, body, words) => {
  test.each(words)('%s', async (word) => {
    const edited = (text: string): string => text.replace(word, `${word} indeed`)
    expect(await merge(dialect, body, edited)).toEqual(exact(edited(body)))
  })
})

const INLINE: Readonly<Record<PresetName, readonly string[]>> = {
  hugo: [
    '[a]({{< relref "start" >}})',
    '{{< kbd "F1" >}}',
    '![i]({{% ref "b.md" %}})',
    '__b__',
    '[c](/posts/)',
    '`d`',
  ],
  docusaurus: [
    '[a](@site/docs/a.mdx)',
    '[f](pathname:///f.pdf)',
    '{/* c */}',
    '__b__',
    "{'e'}",
    '<kbd>k</kbd>',
  ],
  mkdocs: ['[a](./b.md){ .md-button }', '==e *f*==', '++ctrl+c++', ':material-check:', '`d`{ .x }', '__b__'],
  obsidian: ['[[a]]', '[[b#C d|e]]', '![[f.png|300]]', '==g *h*==', '%% i %%', '__b__', '`[[j]]`'],
  starlight: ['[a](/b/)', '__b__', '[c](./b.md "T")', '`d`'],
  vitepress: ['<Badge text="beta" />', '{{ version }}', '[a](/a)', '__b__', '[c](./b.md "T")', '`d`'],
  folder: ['[a](/a)', '__b__', '<kbd>k</kbd>', '[c](./b.md "T")', '`d`'],
}
const BLOCK = ['# ', '## ', '- ', '> ', '1. ', '', '', ''] as const

const RUNS = readRuns('FUZZ', 30)

test.each(PRESET_NAMES)(
  '%s: another word leaves all else to the byte',
  timeoutOf(RUNS, 400),
  async (dialect) => {
    const line = fc.tuple(
      fc.constantFrom(...BLOCK),
      fc.array(fc.constantFrom('', ...INLINE[dialect]), { minLength: 2, maxLength: 6 }),
      fc.constantFrom(' ', '\n'),
    )
    const render = await rendererOf({ dialect })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), fc.nat(), async (lines, pick) => {
        let count = 0
        const blocks = lines.map(([mark, parts, gap], index) => {
          const space = mark === '' ? gap : ' '
          const words = parts.flatMap((part) => [`word${count++}x`, ...(part === '' ? [] : [part])])
          return `${mark}${words.join(space)} end${index}.${mark.startsWith('#') ? ` {#own${index}}` : ''}`
        })
        const body = `Top.\n\n${blocks.join('\n\nBetween.\n\n')}\n`
        const word = `word${pick % count}x`
        const edited = (text: string): string => text.replaceAll(word, 'otherwords')
        expect(mergeEdit(render, body, edited, 'Guide', HEAD, dialect)).toEqual(exact(edited(body)))
        await turn()
      }),
      RUNS,
    )
  },
)

const ADMONITIONS = `First.

!!! tip "Use it"
    Words one with \`code\`.

    - an item

    \`\`\`py
    code()

    more()
    \`\`\`

=== "Tab"

    Words two.

??? note
    Words three.

    !!! danger
        Words four.

Last.
`

test.each(['First', 'Use', 'one', 'item', 'more', 'two', 'three', 'four', 'Last'])(
  'a word in an indented block: %s',
  async (word) => {
    const edited = (text: string): string => text.replace(word, `${word}s`)
    expect(await merge('mkdocs', ADMONITIONS, edited)).toEqual(exact(edited(ADMONITIONS)))
  },
)

test("a new alert is written in the tool's syntax", async () => {
  const alert =
    '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Stop <em>it</em></p><p>One</p><ul><li>two</li></ul>' +
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><pre><code>x\n</code></pre></div></div>'
  const merged = await merge('mkdocs', 'Above.\n', (html) => `${html}${alert}`)
  expect(merged).toEqual(
    exact(
      'Above.\n\n!!! danger "Stop *it*"\n\n    One\n\n    - two\n\n    !!! tip\n\n        ```\n        x\n        ```\n',
    ),
  )
})

test('a nested alert is written with fewer colons', async () => {
  const alert =
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>One</p>' +
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Two</p><p>Three</p></div></div>'
  expect(await merge('starlight', 'Above.\n', (html) => `${html}${alert}`)).toEqual(
    exact('Above.\n\n::::caution[Warning]\nOne\n\n:::tip[Two]\nThree\n:::\n::::\n'),
  )
})

test('edits around indented blocks leave them unchanged', async () => {
  const body = '!!! tip\n    One.\n\n    Two.\n\nAbove.\n\n=== "A"\n    Three.\n'
  expect(
    await merge('mkdocs', body, (html) => html.replace('<p>Above.</p>', '<ul><li>New</li></ul>')),
  ).toEqual(exact(body.replace('Above.', '- New')))
})

describe('nothing is duplicated, and nothing is left unclosed', () => {
  test.each<readonly [PresetName, string, string, string, string]>([
    [
      'hugo',
      '1. Open the file\n2. Press {{< kbd "Enter" >}}\n3. Save',
      'the file',
      'this file',
      '{{< kbd "Enter" >}}',
    ],
    [
      'vitepress',
      '- Open the file\n- Version {{ version }} <!-- note -->',
      'the file',
      'this file',
      '{{ version }}',
    ],
    ['docusaurus', '- Open the file\n- See <Icon /> {/* d */}', 'the file', 'this file', '<Icon />'],
  ])('%s: %j', async (dialect, body, from, to, own) => {
    const { text } = await merge(dialect, `${body}\n`, (html) => html.replace(from, to))
    expect(text).toContain(to)
    expect(text.split(own).length).toBeLessThanOrEqual(2)
  })

  test.each<readonly [PresetName, string, string, string]>([
    ['hugo', 'Alpha {{< span >}}beta{{< /span >}} gamma.', 'beta gamma', 'delta'],
    ['hugo', 'Alpha {{< span >}}beta{{< /span >}} gamma.', 'Alpha beta', 'delta'],
    ['vitepress', 'Alpha <Foo>beta</Foo> gamma.', 'beta gamma', 'gamma beta'],
  ])('%s: %j', async (dialect, body, from, to) => {
    const { text, lost } = await merge(dialect, `${body}\n`, (html) => html.replace(from, to))
    expect(text).toContain(to)
    expect(text).not.toMatch(/span|Foo/)
    expect(lost).toHaveLength(1)
  })
})

test('long runs of special characters take little time', async () => {
  const body = ['`', '~'].map((sign) => `${sign.repeat(40_000)}\n\nWords here.\n`).join('\n')
  expect(ownSyntaxOf(body, 'hugo')).toEqual([])
})
