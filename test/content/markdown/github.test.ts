// GitHub's extensions of Markdown, in contexts where they are easily lost.
import { expect, describe, test } from 'vitest'
import { htmlOf, inputOf, rendererOf } from './renderers.ts'

const alert = (kind: string, inner: string) =>
  `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}">\n<p class="markdown-alert-title">${kind}</p>\n${inner}\n</div>`

const CODE = '<pre><code class="language-js">x\n</code></pre>'

describe.each(['native', 'remark'] as const)('with the %s parser', async (parser) => {
  const render = await rendererOf({ parser })
  const html = (body: string): string => htmlOf(render(inputOf(body)))

  test.each([
    [
      'in a list',
      '- a\n\n  > [!NOTE]\n  > b\n',
      `<ul>\n<li>\n<p>a</p>\n${alert('Note', '<p>b</p>')}\n</li>\n</ul>\n`,
    ],
    [
      'in a quote',
      '> a\n>\n> > [!TIP]\n> > b\n',
      `<blockquote>\n<p>a</p>\n${alert('Tip', '<p>b</p>')}\n</blockquote>\n`,
    ],
    [
      'in <details>',
      '<details>\n\n> [!WARNING]\n> b\n\n</details>\n',
      `<details>\n${alert('Warning', '<p>b</p>')}\n</details>\n`,
    ],
    [
      'with blocks',
      '> [!important]\n>\n> - a\n>\n> ```js\n> x\n> ```\n',
      `${alert('Important', `<ul>\n<li>a</li>\n</ul>\n${CODE}`)}\n`,
    ],
    [
      'with text beside the mark: none',
      '> [!NOTE] a\n> b\n',
      '<blockquote>\n<p>[!NOTE] a\nb</p>\n</blockquote>\n',
    ],
    [
      'with nothing in it: none',
      'a\n\n> [!NOTE]\n\nb\n\n> [!tip]\n>\n>\n\n> [!TIP]\n>\n> c\n',
      `<p>a</p>\n<blockquote>\n<p>[!NOTE]</p>\n</blockquote>\n<p>b</p>\n<blockquote>\n<p>[!tip]</p>\n</blockquote>\n${alert('Tip', '<p>c</p>')}\n`,
    ],
    [
      'with nothing to be seen in it: none',
      '> [!NOTE]\n> <!-- a -->\n\nb\n\n> [!TIP]\n>\n> <!-- c -->\n>\n> [d]: e\n',
      '<blockquote>\n<p>[!NOTE]</p>\n</blockquote>\n<p>b</p>\n<blockquote>\n<p>[!TIP]</p>\n</blockquote>\n',
    ],
    ['of no kind', '> [!HINT]\n> b\n', '<blockquote>\n<p>[!HINT]\nb</p>\n</blockquote>\n'],
  ])('an alert %s', (_name, body, expected) => {
    expect(html(body)).toBe(expected)
  })

  test('a footnote with blocks and several references, one of them in another note', () => {
    const reference = (name: string, id: string, number: number) =>
      `<sup><a href="#user-content-fn-${name}" id="user-content-fnref-${id}" data-footnote-ref aria-describedby="footnote-label">${number}</a></sup>`
    const back = (id: string, label: string, arrow: string) =>
      `<a href="#user-content-fnref-${id}" data-footnote-backref="" aria-label="Back to reference ${label}" class="data-footnote-backref">${arrow}</a>`
    expect(html('a[^n] b[^n]\n\n[^n]: One[^m]\n\n    ```js\n    x\n    ```\n\n    two\n[^m]: z\n')).toBe(
      `<p>a${reference('n', 'n', 1)} b${reference('n', 'n-2', 1)}</p>\n` +
        '<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2>\n<ol>\n' +
        `<li id="user-content-fn-n">\n<p>One${reference('m', 'm', 2)}</p>\n${CODE}\n` +
        `<p>two ${back('n', '1', '↩')} ${back('n-2', '1-2', '↩<sup>2</sup>')}</p>\n</li>\n` +
        `<li id="user-content-fn-m">\n<p>z ${back('m', '2', '↩')}</p>\n</li>\n</ol>\n</section>\n`,
    )
  })

  test('tasks in ordered and nested lists', () => {
    const task = (checked: boolean, inner: string) =>
      `<li class="task-list-item"><input type="checkbox"${checked ? ' checked' : ''} disabled> ${inner}</li>`
    const inner = `b\n<ul class="contains-task-list">\n${task(true, 'c')}\n</ul>\n`
    expect(html('1. [ ] a\n2. [x] b\n   - [X] c\n')).toBe(
      `<ol class="contains-task-list">\n${task(false, 'a')}\n${task(true, inner)}\n</ol>\n`,
    )
  })

  test('Markdown in nested <details>', () => {
    const body =
      '<details>\n<summary>A <b>c</b></summary>\n\n1. *d*\n\n   <details open>\n\n   ```js\n   x\n   ```\n\n   </details>\n\n</details>\n'
    expect(html(body)).toBe(
      `<details>\n<summary>A <b>c</b></summary>\n<ol>\n<li>\n<p><em>d</em></p>\n<details open>\n${CODE}\n</details>\n</li>\n</ol>\n</details>\n`,
    )
  })

  test('the language of code, whatever else is in the fence', () => {
    expect(html('```js {1,3} title="a"\nx\n```\n\n~~~C#\nx\n~~~\n')).toBe(
      `${CODE}\n<pre><code class="language-C#">x\n</code></pre>\n`,
    )
  })
})
