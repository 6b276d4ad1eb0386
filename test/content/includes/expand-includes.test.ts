// Text of other files, inserted before anything is parsed.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createIncludeExpander } from '../../../src/content/includes/expand-includes.ts'
import { createParse, resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { contentFolder, type Files } from '../load-files.ts'

const PARSERS = ['native', 'remark'] as const

async function expanderFor(root: string, parser: (typeof PARSERS)[number] = 'native') {
  return createIncludeExpander(root, createParse(await resolveParser({ parser, remarkPlugins: [] })))
}

/** Expands the body of `guides/a.md` (after three lines of frontmatter). */
async function expand(body: string, files: Files = {}, parser?: (typeof PARSERS)[number]) {
  const root = contentFolder({ '_s/x.md': 'one\n\ntwo\n', ...files })
  mkdirSync(join(root, 'guides'), { recursive: true })
  return (await expanderFor(root, parser))(body, 'guides/a.md', 3)
}

const problemsOf = async (body: string, files?: Files) => (await expand(body, files))?.problems

describe.each(PARSERS)('with the %s parser', (parser) => {
  const bodyOf = async (body: string, files?: Files) => (await expand(body, files, parser))?.body

  test.each([
    ['relative to the file', '<!-- include: ../_s/x.md -->\n', 'one\n\ntwo\n'],
    ['from the content root', 'a\n\n<!-- include: /_s/x.md -->\n\nb\n', 'a\n\none\n\ntwo\n\nb\n'],
    ['without spaces', '<!--include:/_s/x.md-->', 'one\n\ntwo'],
    ['indented', '   <!-- include: /_s/x.md -->   \n', 'one\n\ntwo\n'],
    [
      'one after the other',
      '<!-- include: /_s/x.md -->\n<!-- include: /_s/x.md -->\n',
      'one\n\ntwo\none\n\ntwo\n',
    ],
    ['in a quote', '> <!-- include: /_s/x.md -->\n> end\n', '> one\n>\n> two\n> end\n'],
    ['in an alert', '> [!NOTE]\n> <!-- include: /_s/x.md -->\n', '> [!NOTE]\n> one\n>\n> two\n'],
    ['in a list item', '1. a\n\n   <!-- include: /_s/x.md -->\n2. b\n', '1. a\n\n   one\n\n   two\n2. b\n'],
    ['as a list item', '- <!-- include: /_s/x.md -->\n- b\n', '- one\n\n  two\n- b\n'],
    ['indented more than its item', '- a\n\n    <!-- include: /_s/x.md -->\n', '- a\n\n  one\n\n  two\n'],
    ['in a list in a quote', '> 10) <!-- include: /_s/x.md -->\n', '> 10) one\n>\n>     two\n'],
    ['in a footnote', '[^n]: <!-- include: /_s/x.md -->\n\n[^n]\n', '[^n]: one\n\n    two\n\n[^n]\n'],
    [
      'in <details>',
      '<details>\n\n<!-- include: /_s/x.md -->\n\n</details>\n',
      '<details>\n\none\n\ntwo\n\n</details>\n',
    ],
    ['CRLF', 'a\r\n\r\n<!-- include: /_s/x.md -->\r\n', 'a\r\n\r\none\r\n\r\ntwo\r\n'],
  ])('%s', async (_name, body, expected) => {
    expect(await bodyOf(body)).toBe(expected)
  })

  test.each([
    ['no comment', 'text\n'],
    ['the word alone', 'include: /_s/x.md\n'],
    ['another comment', '<!-- includes: /_s/x.md -->\n'],
    ['fenced code', '```\n<!-- include: /_s/x.md -->\n```\n'],
    ['indented code', 'a\n\n    <!-- include: /_s/x.md -->\n'],
    ['inline code', '`<!-- include: /_s/x.md -->`\n'],
    ['a list item that is code', '-     <!-- include: /_s/x.md -->\n'],
    ['within a line', 'a <!-- include: /_s/x.md --> b\n'],
    ['with text behind it', '<!-- include: /_s/x.md --> b\n'],
    ['in other HTML', '<div>\n<!-- include: /_s/x.md -->\n</div>\n'],
    ['in another comment', '<!--\n<!-- include: /_s/x.md -->\n'],
    ['in a table', '| a |\n|---|\n| <!-- include: /_s/x.md --> |\n'],
    ['on three lines', '<!--\ninclude: /_s/x.md\n-->\n'],
  ])('nothing is included: %s', async (_name, body) => {
    expect(await bodyOf(body)).toBeUndefined()
  })

  test('rows are inserted into a table, items into a list', async () => {
    const files = { '_rows.md': '| c |\n| d |\n', '_items.md': '- two\n- three\n' }
    const body = '| a |\n|---|\n<!-- include: /_rows.md -->\n\n- one\n<!-- include: /_items.md -->\n'
    expect(await bodyOf(body, files)).toBe('| a |\n|---|\n| c |\n| d |\n\n- one\n- two\n- three\n')
  })

  test('a tab in code stays, a tab that makes code becomes its spaces', async () => {
    const files = { '_t.md': '```make\nall:\n\techo\n```\n\n\tcode\tx\n' }
    const body = '- a\n\n  <!-- include: /_t.md -->\n'
    expect(await bodyOf(body, files)).toBe('- a\n\n  ```make\n  all:\n  \techo\n  ```\n\n      code\tx\n')
  })
})

test('frontmatter, byte order mark, line endings and outer empty lines are removed', async () => {
  const files = {
    '_a.md': '\uFEFF---\r\ntitle: A\r\n---\r\n\r\none\r\n\r\n  two\r\n\r\n\r\n',
    '_rule.md': '---\nafter a rule\n',
    '_empty.md': '\n \n',
  }
  const body = '<!-- include: /_a.md -->\n<!-- include: /_rule.md -->\n<!-- include: /_empty.md -->\nend\n'
  expect(await expand(body, files)).toMatchObject({
    body: 'one\n\n  two\n---\nafter a rule\n\nend\n',
    problems: [],
  })
})

test('a name is found in either Unicode form, with spaces and beside an article of its folder', async () => {
  const files = {
    'guides/e\u0301 x.md': 'accent\n',
    '_s/y.md': '<!-- include: x.md -->\n<!-- include: ../guides/\u00E9 x.md -->\n',
  }
  expect(await expand('<!-- include: ./\u00E9 x.md -->\n<!-- include: /_s/y.md -->\n', files)).toMatchObject({
    body: 'accent\none\n\ntwo\naccent\n',
    includes: new Map([
      ['guides/e\u0301 x.md', expect.any(String)],
      ['_s/y.md', expect.any(String)],
      ['_s/x.md', expect.any(String)],
    ]),
  })
})

test('every line knows its file, line and column', async () => {
  const files = { '_s/y.md': '---\nt: 1\n---\n\ny5\n- <!-- include: x.md -->\ny7\n' }
  const expanded = await expand('a4\n> 1. <!-- include: /_s/y.md -->\na6\n', files)
  expect(expanded?.body.split('\n')).toEqual([
    'a4',
    '> 1. y5',
    '>    - one',
    '>',
    '>      two',
    '>    y7',
    'a6',
    '',
  ])
  const at = (line: number, column: number) =>
    expanded?.lines.toRange({ line, column, end: { line, column: column + 1 } })
  const place = (line: number, column: number, source?: string) => ({
    line,
    column,
    end: { line, column: column + 1 },
    ...(source !== undefined && { source }),
  })
  expect([at(1, 1), at(2, 6), at(3, 8), at(5, 9), at(6, 6), at(7, 2)]).toEqual([
    place(4, 1),
    place(5, 1, '_s/y.md'),
    place(1, 1, '_s/x.md'),
    place(3, 2, '_s/x.md'),
    place(7, 1, '_s/y.md'),
    place(6, 2),
  ])
  // A range that starts in one file and ends in another has only its start.
  expect(expanded?.lines.toRange({ line: 1, column: 1, end: { line: 2, column: 7 } })).toEqual({
    line: 4,
    column: 1,
  })
})

describe('invalid includes', () => {
  const place = { line: 4, column: 1 }

  test('a missing file, with a suggestion', async () => {
    expect(await problemsOf('<!-- include: ../s/x.md -->\n')).toEqual([
      {
        code: 'include-missing',
        ...place,
        end: { line: 4, column: 28 },
        message: 'There is no file "s/x.md" to include.',
        hint: 'Did you mean ../_s/x.md?',
      },
    ])
    const hints = [
      ...((await problemsOf('<!-- include: /x.md -->\n<!-- include: _s/x.md -->\n')) ?? []),
      ...((await problemsOf('<!-- include: /completely/different.txt -->\n')) ?? []),
    ].map(({ hint }) => hint)
    expect(hints).toEqual([
      'Did you mean /_s/x.md?',
      'Did you mean ../_s/x.md?',
      'The path is relative to the file with the comment, or to the content folder if it starts with /.',
    ])
  })

  test('a folder', async () => {
    expect(await problemsOf('<!-- include: /_s -->\n')).toMatchObject([{ code: 'include-missing' }])
  })

  test.each(['../../x.md', '/../x.md', '/_s/../../x.md', '../..'])('a file outside: %s', async (path) => {
    const body = `> a\n>\n> <!-- include: ${path} -->\n`
    expect(await problemsOf(body)).toEqual([
      {
        code: 'include-outside',
        line: 6,
        column: 3,
        end: { line: 6, column: path.length + 21 },
        message: `"${path}" points to a file outside the content folder.`,
        hint: 'Copy the file into the content folder.',
      },
    ])
  })

  test('a file outside behind a symbolic link, and a hidden one', async () => {
    const outside = contentFolder({ 'secret.md': 'secret\n', 'folder/b.md': 'secret\n' })
    const root = contentFolder({
      '.env': 'SECRET=1\n',
      '_s/.hidden/a.md': 'x\n',
      'inside.md': 'fine\n',
      'a.md': '',
    })
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'))
    symlinkSync(join(outside, 'folder'), join(root, 'folder'))
    symlinkSync(join(root, '.env'), join(root, 'env.md'))
    symlinkSync(join(root, 'inside.md'), join(root, 'also.md'))
    const paths = ['link.md', 'folder/b.md', '.env', '_s/.hidden/a.md', 'env.md', 'also.md']
    const expanded = (await expanderFor(root))(
      paths.map((path) => `<!-- include: ${path} -->\n`).join(''),
      'a.md',
      0,
    )
    expect([expanded?.body.trim(), expanded?.problems.map(({ code, line }) => `${line} ${code}`)]).toEqual([
      'fine',
      [1, 2, 3, 4, 5].map((line) => `${line} include-outside`),
    ])
  })

  test('a circle, with its files', async () => {
    const files = { '_b.md': 'b\n<!-- include: _c.md -->\n', '_c.md': '<!-- include: _b.md -->\n' }
    expect(await problemsOf('<!-- include: /_b.md -->\n', files)).toEqual([
      {
        code: 'include-circular',
        source: '_c.md',
        line: 1,
        column: 1,
        end: { line: 1, column: 24 },
        message: '_b.md includes itself: _b.md → _c.md → _b.md.',
        hint: 'Remove one of these comments.',
      },
    ])
    const root = contentFolder({ 'a.md': '---\ntitle: A\n---\n<!-- include: a.md -->\n' })
    const own = (await expanderFor(root))('<!-- include: a.md -->\n', 'a.md', 3)
    expect(own?.problems.map(({ message }) => message)).toEqual(['a.md includes itself: a.md → a.md.'])
  })

  test('too many, too deep and too much', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`_${index}.md`, `<!-- include: _${index + 1}.md -->\n`]),
    )
    const bomb = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [
        `_${index}.md`,
        `<!-- include: _${index + 1}.md -->\n\n<!-- include: _${index + 1}.md -->\n`,
      ]),
    )
    const large = {
      '_0.md': '<!-- include: _1.md -->\n\n<!-- include: _1.md -->\n',
      '_1.md': 'x'.repeat(1_500_000),
    }
    const tooLarge = { '_0.md': 'x'.repeat(2_000_001) }
    const body = '<!-- include: /_0.md -->\n'
    const codes = async (files: Files) => new Set((await problemsOf(body, files))?.map(({ code }) => code))
    expect(await Promise.all([chain, { ...bomb, '_15.md': 'x' }, large, tooLarge].map(codes))).toEqual(
      Array.from({ length: 4 }, () => new Set(['include-too-large'])),
    )
  })

  test('bytes that are not text', async () => {
    expect(
      await problemsOf('<!-- include: /_b.md -->\n', { '_b.md': Buffer.from([0x61, 0x0a, 0xff]) }),
    ).toMatchObject([{ code: 'file-not-utf8', source: '_b.md', line: 2, column: 1 }])
  })
})
