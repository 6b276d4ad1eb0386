import { expect, test } from 'vitest'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string): Promise<Rendered> => renderDialect('mkdocs', text)

test('admonitions become alerts and details, including nested ones', async () => {
  const text = `!!! tip "Use [this](./a.md)"
    One

    Two

    ??? question
        Three

        \`\`\`py { .annotate title="x.py" }
        a

        b
        \`\`\`
Not in it.

1. item

    ???+ danger ""

        Four

    after
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Use <a href="./a.md">this</a></p>
    <p>One</p>
    <p>Two</p>
    <details>
    <summary>Question</summary>
    <p>Three</p>
    <p><strong>x.py</strong></p>
    <pre><code class="language-py">a

    b
    </code></pre>
    </details>
    </div>
    <p>Not in it.</p>
    <ol>
    <li>
    <p>item</p>
    <details open>
    <summary>Details</summary>
    <p>Four</p>
    </details>
    <p>after</p>
    </li>
    </ol>
    "
  `)
})

test('tabs are shown one below the other, each with its label', async () => {
  const text = `Text
=== ":material-file: A *b*"
    \`\`\`sh
    one
    \`\`\`

=== "Second"

    - two

      !!! note inline end
          Three

Behind.
`
  expect((await render(text)).html).toMatchInlineSnapshot(`
    "<p>Text</p>
    <div class="markdown-tab">
    <p class="markdown-tab-title"><strong>A <em>b</em></strong></p>
    <pre><code class="language-sh">one
    </code></pre>
    </div>
    <div class="markdown-tab">
    <p class="markdown-tab-title"><strong>Second</strong></p>
    <ul>
    <li>
    <p>two</p>
    <div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Note</p>
    <p>Three</p>
    </div>
    </li>
    </ul>
    </div>
    <p>Behind.</p>
    "
  `)
})

test('blocks between slashes become alerts, details and captions', async () => {
  const text = `Text
/// tip | Use [this](./a.md) :material-file:
One

//// details
    type: warning
    open: true

Two

!!! note

    Three

    /// admonition
        type: danger
        attrs: {class: x}
    Four
    ///
////
///

/// tab | A *b*
Five
///
/// html | div.big

Six
///

- item

    /// caution
    \`\`\`sh
    ///
    \`\`\`
    ///
    Seven

/// unknown
///

/// note
Eight
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<p>Text</p>
    <div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Use <a href="./a.md">this</a></p>
    <p>One</p>
    <details open>
    <summary>Warning</summary>
    <p>Two</p>
    <div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Note</p>
    <p>Three</p>
    <div class="markdown-alert markdown-alert-caution">
    <p class="markdown-alert-title">Danger</p>
    <p>Four</p>
    </div>
    </div>
    </details>
    </div>
    <div class="markdown-tab">
    <p class="markdown-tab-title"><strong>A <em>b</em></strong></p>
    <p>Five</p>
    </div>
    <p>Six</p>
    <ul>
    <li>
    <p>item</p>
    <div class="markdown-alert markdown-alert-warning">
    <p class="markdown-alert-title">Caution</p>
    <pre><code class="language-sh">///
    </code></pre>
    </div>
    <p>Seven</p>
    </li>
    </ul>
    <p>/// unknown
    ///</p>
    <div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Note</p>
    <p>Eight</p>
    </div>
    "
  `)
})

test('cards with icons, whose content is indented below the item', async () => {
  const text = `<div class="grid cards" markdown>

-   :material-clock-fast:{ .lg .middle } __Five minutes__

    ---

    Install it.

-   :material-check: __Done__

    {++New++} and {==seen==}, not {--old--}.

</div>
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<div>
    <ul>
    <li>
    <p><strong>Five minutes</strong></p>
    <hr>
    <p>Install it.</p>
    </li>
    <li>
    <p>✓ <strong>Done</strong></p>
    <p><ins>New</ins> and <mark>seen</mark>, not <del>old</del>.</p>
    </li>
    </ul>
    </div>
    "
  `)
})

test('marks, keys, icons and attributes', async () => {
  const text = `## One { #first .big }

**:simple-git: A** *B :simple-git:* Press ++ctrl+alt+"x"++ for ==this *one*==, H~2~O, x^2^ and ^^new^^.

[Button :octicons-link-16:](https://example.com){ .md-button target="_blank" } \`a{ .b }\` \`#!py x = 1\`{ .c }

[:octicons-home-16:](https://a.example){ .card-link title=Home } [:simple-git: :simple-x:](https://b.example "[Code]") [:octicons-x-16:](https://c.example){ rel="me" title='A b' }

![A](https://example.com/a.png){ width="300" #pic }

| a | b |
|---|---|
| :material-check: | :material-close:{ .red } |

<div class="grid" markdown>
- *one*
</div>

Term

:   What it means
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<h2 id="first">One</h2>
    <p><strong>A</strong> <em>B</em> Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>X</kbd> for <mark>this <em>one</em></mark>, H<sub>2</sub>O, x<sup>2</sup> and <ins>new</ins>.</p>
    <p><a href="https://example.com">Button </a> <code>a{ .b }</code> <code>x = 1</code></p>
    <p><a href="https://a.example">Home</a> <a href="https://b.example" title="[Code]">[Code]</a> <a href="https://c.example">A b</a></p>
    <p><img src="https://example.com/a.png" alt="A" width="300"><a id="pic"></a></p>
    <table>
    <thead>
    <tr>
    <th>a</th>
    <th>b</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td>✓</td>
    <td>✗</td>
    </tr>
    </tbody>
    </table>
    <div>
    <ul>
    <li><em>one</em></li>
    </ul>
    </div>
    <dl>
    <dt>Term</dt>
    <dd>What it means</dd>
    </dl>
    "
  `)
})

test('code examples stay unchanged', async () => {
  const text = '```md\n!!! note\n    ==a==\n```\n\n    !!! note\n        b\n\n`==c== ++d++`\n'
  expect((await render(text)).html).toBe(
    '<pre><code class="language-md">!!! note\n    ==a==\n</code></pre>\n' +
      '<pre><code>!!! note\n    b\n</code></pre>\n<p><code>==c== ++d++</code></p>\n',
  )
})

test('snippets and abbreviations are reported', async () => {
  const text = 'HTML is.\n\n--8<-- "a/b.md"\n\n*[HTML]: Hyper Text\n'
  expect(await render(text)).toMatchObject({
    html: '<p>HTML is.</p>\n',
    problems: ['3:1-3:16 component-removed', '5:1-5:20 component-removed'],
    messages: ['The snippet a/b.md was not included.', 'The abbreviation of HTML was removed.'],
  })
})

test('a further indented fence is code, and attributes are not a language', async () => {
  const text = `=== "Tab"

    \`\`\` title="In a tab"
    !!! note

        \`\`\` sh
        a
        \`\`\`

    === "No tab"
    \`\`\`

    After

!!! tip "Last"
    Text
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<div class="markdown-tab">
    <p class="markdown-tab-title"><strong>Tab</strong></p>
    <p><strong>In a tab</strong></p>
    <pre><code>!!! note

        \`\`\` sh
        a
        \`\`\`

    === "No tab"
    </code></pre>
    <p>After</p>
    </div>
    <div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Last</p>
    <p>Text</p>
    </div>
    "
  `)
})

test('mkdocstrings blocks are removed with their options, and reported', async () => {
  const text = `Before

::: typer.Typer
    options:
        members:
            - "++ctrl+c++"

::: typer.run

::: warning
`
  const { html, problems } = await render(text)
  expect(html).toBe('<p>Before</p>\n<p>::: warning</p>\n')
  expect(problems).toEqual(['3:1-6:27 component-removed', '8:1-8:14 component-removed'])
})

test('an element with Markdown in a tab is not code', async () => {
  const text = `=== "Tab"

    <div class="result" markdown>

    *One*

    </div>

    Two
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toBe(
    '<div class="markdown-tab">\n<p class="markdown-tab-title"><strong>Tab</strong></p>\n<div>\n<p><em>One</em></p>\n</div>\n<p>Two</p>\n</div>\n',
  )
})

test('attributes are read as in Python-Markdown', async () => {
  const text = `## Changes { data-search-exclude }

## Plain{#no}

## *Id* {: id="own" }

Text {: .cls } and \`code\`{: .lang title="a b" }, *one*{X}, f(x){y}, <b>b</b>{ .z }, [a](b.md){:target="_blank"}

Text {: .cls }

Text
{: #last .cls }

{: .alone }

Text
{ .first }
goes on { data-x }

- item {: .cls }
- item
{: .cls }
    - inner
    { hidden }

| a { #cell } | b |
|---|---|
| *c* {: .red } | {: .d } |
`
  expect((await render(text)).html).toMatchInlineSnapshot(`
    "<h2 id="changes">Changes</h2>
    <h2 id="plainno">Plain{#no}</h2>
    <h2 id="own"><em>Id</em></h2>
    <p>Text {: .cls } and <code>code</code>, <em>one</em>, f(x){y}, <b>b</b>{ .z }, <a href="b.md">a</a></p>
    <p>Text {: .cls }</p>
    <p id="last">Text</p>
    <p>{: .alone }</p>
    <p>Text
    { .first }
    goes on { data-x }</p>
    <ul>
    <li>item {: .cls }</li>
    <li>item
    <ul>
    <li>inner</li>
    </ul>
    </li>
    </ul>
    <table>
    <thead>
    <tr>
    <th id="cell">a</th>
    <th>b</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td><em>c</em></td>
    <td>{: .d }</td>
    </tr>
    </tbody>
    </table>
    "
  `)
})
