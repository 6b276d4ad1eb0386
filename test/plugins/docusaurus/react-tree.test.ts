import { expect, test } from 'vitest'
import { type RouteLink, toReactTree } from '../../../src/plugins/docusaurus/react-tree.ts'

const asIs = (href: string): RouteLink => ({ kind: 'page', href })
const element = (name: string, properties: object, ...children: unknown[]) => ({ name, properties, children })

test("attributes of elements have React's names", () => {
  const html =
    '<p id="a" class="b c">One <label for="x" tabindex="1">two</label></p><input type="checkbox" checked disabled>'
  expect(toReactTree(html, asIs)).toEqual([
    element(
      'p',
      { id: 'a', className: 'b c' },
      'One ',
      element('label', { htmlFor: 'x', tabIndex: 1 }, 'two'),
    ),
    element('input', { type: 'checkbox', checked: true, disabled: true }),
  ])
})

test('a single child element stays a single child', () => {
  expect(toReactTree('<p><em>a</em></p>', asIs)).toEqual([element('p', {}, element('em', {}, 'a'))])
})

test('links lead where they are placed', () => {
  const place = (href: string): RouteLink => ({ kind: href === '/fr/x' ? 'away' : 'page', href: `${href}!` })
  expect(toReactTree('<a href="/x">a</a><a href="/fr/x">b</a><a name="c">c</a>', place)).toEqual([
    element('a', { href: '/x!' }, 'a'),
    element('AwayLink', { href: '/fr/x!' }, 'b'),
    element('a', { name: 'c' }, 'c'),
  ])
})

test.each([
  ['note', 'note'],
  ['tip', 'tip'],
  ['important', 'info'],
  ['warning', 'warning'],
  ['caution', 'danger'],
])('the alert %s is the admonition %s', (kind, type) => {
  const html = `<div class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title">Title</p>\n<p>Text</p>\n</div>`
  expect(toReactTree(html, asIs)).toEqual([
    element('Admonition', { type, title: 'Title' }, element('p', {}, 'Text')),
  ])
})

test('a code block stays one, with any markup, and inline code does not', () => {
  const html = '<pre><code class="language-js">a <span class="k">b</span>\n</code></pre><p><code>c</code></p>'
  expect(toReactTree(html, asIs)).toEqual([
    element('CodeBlock', { className: 'language-js' }, 'a b\n'),
    element('p', {}, element('code', {}, 'c')),
  ])
})
