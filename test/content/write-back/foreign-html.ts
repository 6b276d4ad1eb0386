import * as fc from 'fast-check'

// HTML by editors and attackers: any element in any other, with text that Markdown or a site builder would interpret.

const TEXT = [
  'a',
  'b c',
  ' ',
  '&nbsp;',
  '1.',
  '*x*',
  '_y_',
  '# z',
  '- q',
  '[l](m)',
  '`',
  '{{v}}',
  '{% w %}',
  '\n',
  '&lt;b&gt;',
  '|',
  '---',
  '+++',
  '~~',
  'https://example.org/x',
  'www.example.org',
  'me@example.org',
  '&amp;amp;',
  '!',
  '\\',
  '=',
  'a_b_c',
  '2)',
  '\t',
  'import x',
]
const VOID = ['<br>', '<hr>', '<img src="i.png" alt="i">', '<img src="j.png" width="3">', '<!-- c -->']
const PHRASES = ['b', 'strong', 'i', 'em', 's', 'u', 'code', 'span', 'kbd', 'sup', 'mark', 'font']
const BLOCKS = ['p', 'div', 'blockquote', 'section', 'article', 'center', 'figure']

const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TEXT) }, fc.constantFrom(...VOID))
const words = fc.array(fc.constantFrom(...TEXT), { maxLength: 4 }).map((parts) => parts.join(''))
const wrap = (tag: string, inner: string): string => `<${tag}>${inner}</${tag}>`

const { node } = fc.letrec<{ node: string; nodes: readonly string[] }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'foreign' },
    { weight: 4, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('h1', 'h3', 'pre'), words).map(([tag, inner]) => wrap(tag, inner)),
    },
    words.map((inner) => `<a href="/u">${inner}</a>`),
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...PHRASES, ...BLOCKS), tie('nodes'))
        .map(([tag, inner]) => wrap(tag, inner.join(''))),
    },
    fc
      .tuple(fc.constantFrom('ul', 'ol'), tie('nodes'))
      .map(([tag, items]) => wrap(tag, items.map((item) => wrap('li', item)).join(''))),
    tie('nodes').map((cells) => wrap('table', wrap('tr', cells.map((cell) => wrap('td', cell)).join('')))),
    tie('nodes').map((inner) => `<dl><dt>t</dt><dd>${inner.join('')}</dd></dl>`),
    tie('nodes').map((inner) => `<details><summary>s</summary>${inner.join('')}</details>`),
  ),
  nodes: fc.array(tie('node'), { maxLength: 4 }),
}))

export const foreignHtml = fc.array(node, { minLength: 1, maxLength: 5 }).map((nodes) => nodes.join(''))
