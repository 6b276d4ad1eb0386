import * as fc from 'fast-check'

// Documents with every construct of our renderer, and with text that could be mistaken for another construct.

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('one', 'two', 'three', 'café', '日本', 'x2', '😀', 'a-b', "it's") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      String.raw`\*`,
      String.raw`\_`,
      String.raw`\[x]`,
      String.raw`\<b>`,
      '&amp;lt;',
      '1.',
      '-',
      '+',
      '#',
      '|',
      String.raw`\|`,
      '{{ x }}',
      '{% y %}',
      '<%= z %>',
      '!',
      '~',
      '=',
      ':::',
      '&nbsp;',
      '&amp;',
      '$',
      '@',
      'www.example.com',
      'https://example.org/a_b',
      'me@example.org',
      '---',
      '+++',
    ),
  },
)

const plain = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `a ${words.join(' ')} z`)

const inline = fc.oneof(
  { weight: 3, arbitrary: plain },
  plain.map((text) => `**${text}**`),
  plain.map((text) => `*${text}*`),
  plain.map((text) => `~~${text}~~`),
  plain.map((text) => `<kbd>${text}</kbd>`),
  plain.map((text) => `<sub>${text}</sub>`),
  plain.map((text) => `[${text.replaceAll(/www\.\S+|https:\S+|me@\S+/g, 'x')}](other.md#part "A title")`),
  fc.constantFrom(
    '`code`',
    '`` a`b ``',
    '`{{ x }}`',
    '![alt](a.png)',
    '<img src="b.png" width="20" alt="b">',
    '[ref]',
    '[^1]',
    '[^note]',
    'one\\\ntwo',
    'one\ntwo',
  ),
)

const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
const oneLine = line.map((text) => text.replaceAll(/\\?\n/g, ' '))

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

const fence = fc
  .tuple(
    fc.constantFrom('js', 'c++', '', 'md'),
    fc.constantFrom('let a = 1', '{% include %}', '---\n\n# no', '  x\n\ty', '<b>&amp;</b>'),
  )
  .map(([language, code]) => `~~~${language}\n${code}\n~~~`)

const table = fc
  .tuple(oneLine, oneLine)
  .map(([a, b]) => [a, b].map((cell) => cell.replaceAll(/(?<!\\)\|/g, String.raw`\|`)))
  .map(([a, b]) => `| H | J |\n| :-- | --: |\n| ${a} | ${b} |\n| x | y |`)

const { block } = fc.letrec<{ block: string; list: string; quote: string; details: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'blocks' },
    line,
    fc.tuple(fc.integer({ min: 1, max: 6 }), oneLine).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
    fence,
    table,
    fc.constantFrom(
      '---',
      '<!-- a comment -->',
      '<dl><dt>T</dt><dd>D</dd></dl>',
      '<p align="center">mid <b>dle</b></p>',
    ),
    tie('list'),
    tie('quote'),
    tie('details'),
  ),
  list: fc
    .tuple(
      fc.constantFrom('- ', '1. ', '- [ ] ', '- [x] '),
      fc.boolean(),
      fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
    )
    .map(([bullet, isLoose, items]) =>
      items.map((item) => `${bullet}first\n\n   ${indent(item, '   ')}`).join(isLoose ? '\n\n' : '\n'),
    ),
  quote: fc
    .tuple(fc.constantFrom('', '[!NOTE]\n', '[!TIP]\n\n'), tie('block'))
    .map(([mark, text]) => `> ${indent(mark + text, '> ')}`),
  details: tie('block').map((text) => `<details>\n<summary>Sum</summary>\n\n${text}\n\n</details>`),
}))

const DEFINITIONS = '[ref]: https://example.org/ref "Ref"\n\n[^1]: A note.\n\n[^note]: Two\n\n    paragraphs.'

/** Separate blocks; `joinBlocks` joins them to a body. */
export const markdownBlocks = fc.array(block, { minLength: 1, maxLength: 6 })

export function joinBlocks(blocks: readonly string[]): string {
  return `${[...blocks, DEFINITIONS].join('\n\n')}\n`
}
