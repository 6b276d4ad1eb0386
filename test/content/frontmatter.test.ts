import * as fc from 'fast-check'
import matter from 'gray-matter'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseFrontmatter } from '../../src/content/frontmatter/parse-frontmatter.ts'
import { splitFrontmatter } from '../../src/content/frontmatter/split-frontmatter.ts'
import type { Problem } from '../../src/core/model/diagnostic.ts'
import { anyCharacter } from '../support/any-character.ts'
import { temporaryFolder } from '../support/folder.ts'
import { readRuns } from '../support/runs.ts'

const LIST_HINT = 'Put the list below a key of its own, such as tags:, and indent the next key as that one.'
const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  'a bracket is opened and not closed': 'Close every [ and { on the line where it is opened.',
  'a quote is opened and not closed': 'Close it, or leave the opening quote out.',
  'the line is indented with a tab': 'Indent with spaces.',
  'the key was written before': 'Keep one of the two lines.',
  'text follows the closing quote':
    "Write an apostrophe in single quotes twice, as in 'It''s', or use double quotes.",
  'text follows the closing bracket': 'Put text that starts with a bracket in quotes.',
  'the line has no colon with a space after it':
    'Write one `key: value` a line, or put a longer text in quotes.',
  'a space is missing after the -': 'Write each entry of a list with a space, as in - one.',
  'a key follows an entry of a list': LIST_HINT,
  'an entry of a list follows a key with a value': LIST_HINT,
}
const SYNTAX_HINT =
  'Put text in quotes if it contains a colon or a #, or starts with a quote, a bracket or a *.'
const CLOSING_HINT = 'End it with a line that contains only ---.'

function withoutFix(problem: Problem): Problem {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => name !== 'fix')) as unknown as Problem
}

/** Returns the values of a text, or its problems. */
function read(text: string) {
  const split = splitFrontmatter(text)
  if (split.kind === 'problem') return { problems: [split.problem] }
  const parsed = parseFrontmatter(split.yaml)
  // Other tests check fixes of values.
  if (parsed.problems.length > 0) return { problems: parsed.problems.map(withoutFix) }
  if (parsed.kind === 'invalid') return { problems: [] }
  const { body, lineOffset } = split
  return { frontmatter: parsed.frontmatter, body, lineOffset }
}

/** Returns the range of `text` from a position on. */
const spanOf = (line: number, column: number, text: string) => ({
  line,
  column,
  ...(text !== '' && { end: { line, column: column + text.length } }),
})

const block = (...lines: readonly string[]) => ['---', ...lines, '---', ''].join('\n')

const PARTS = ['---', '--- ', '\n', '\r\n', '\r', '# note', 'title: A', 'Text', ' ', '\uFEFF', '----', '---x']

test('the text is what gray-matter returns of the whole file', () => {
  const engines = { yaml: { parse: () => ({}) } }
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS)), fc.boolean(), (parts, hasHeader) => {
      const text = `${hasHeader ? '---\ntitle: A\n---' : '---\n'}${parts.join('')}`
      const split = splitFrontmatter(text)
      fc.pre(split.kind === 'split')
      expect(split).toMatchObject({ body: matter(text, { language: 'yaml', engines }).content })
    }),
    readRuns('FUZZ', 2_000),
  )
})

describe('a file is split', () => {
  test.each([
    ['---\ntitle: A\n---\nText\n', 'Text\n', 3],
    ['---\ntitle: A\n---\n\nText', '\nText', 3],
    ['---\ntitle: A\n---', '', 2],
    ['---\r\ntitle: A\r\n---\r\nText\r\n', 'Text\r\n', 3],
    ['--- \ntitle: A\n--- \t\nText', ' \t\nText', 2],
    ['---yaml\ntitle: A\n---\nText', 'Text', 3],
    ['---\ntitle: A\n---\nOne\n---\nTwo', 'One\n---\nTwo', 3],
  ])('%j', (text, body, lineOffset) => {
    expect(read(text)).toEqual({ frontmatter: { title: 'A' }, body, lineOffset })
  })

  test('with CRLF into the same values as with LF, whichever key is the last', () => {
    const lines = ['title: "A"', 'order: 3', 'hideFromSearch: true', 'slug: a', 'tags: [b]', 'excerpt: c']
    for (const last of lines) {
      const text = block(...lines.filter((line) => line !== last), last)
      const withFeed = read(text)
      expect(withFeed.frontmatter).toBeDefined()
      expect(read(text.replaceAll('\n', '\r\n'))).toEqual(withFeed)
    }
  })
})

const MISSING_HINT =
  "Start the file with a line ---, then `title: …`, then a line ---. To read files without it, set preset: 'folder'."

describe('a block that is not frontmatter', () => {
  test.each([
    ['Text', MISSING_HINT],
    ['\n---\ntitle: A\n---\n', 'Delete the blank lines and spaces above the first ---.'],
    ['----\ntitle: A\n---\n', MISSING_HINT],
    [
      '+++\ntitle = "A"\n+++\n',
      "This is TOML: set preset: 'hugo', or write it as YAML between two lines ---.",
    ],
  ])('%j', (text, hint) => {
    const code = 'frontmatter-missing'
    const message = 'The file does not begin with frontmatter.'
    const [written = ''] = text.split('\n')
    expect(read(text)).toEqual({ problems: [{ code, message, hint, ...spanOf(1, 1, written) }] })
  })

  test.each([
    ['---\ntitle: A\n\nText\n', 1, '---', 'The frontmatter is not closed.'],
    ['---', 1, '---', 'The frontmatter is not closed.'],
    ['---\ntitle: A\n----\nText\n', 3, '----', 'The frontmatter is not closed by "----".'],
    [
      '---\r\ntitle: A\r\n\r\n|a|b|\r\n---|---\r\n',
      5,
      '---|---',
      'The frontmatter is not closed by "---|---".',
    ],
  ])('is not closed: %j', (text, line, fence, message) => {
    const problem = { code: 'frontmatter-syntax', message, hint: CLOSING_HINT, ...spanOf(line, 1, fence) }
    expect(read(text)).toEqual({ problems: [problem] })
  })

  test.each(['js', 'javascript', 'json', 'coffee', 'cson', 'toml', 'JS', ' js', 'constructor', '# comment'])(
    'is marked as %j, and is not run',
    (language) => {
      const planted = join(temporaryFolder(), 'planted')
      const code = `globalThis.planted = 1; require('node:fs').writeFileSync(${JSON.stringify(planted)}, '')`
      for (let run = 1; run <= 2; run++) {
        expect(read(`---${language}\n${code}\n---\n`)).toEqual({
          problems: [
            {
              code: 'frontmatter-engine',
              message: `The frontmatter is marked as "${language.trim()}". kb-sync reads only YAML and never runs code.`,
              hint: 'Write the values as YAML between two --- lines.',
              ...spanOf(1, 4, language),
            },
          ],
        })
      }
      expect(existsSync(planted)).toBe(false)
      expect('planted' in globalThis).toBe(false)
    },
  )

  test.each([
    '!!js/function "() => { globalThis.planted = 1 }"',
    '!!js/undefined ""',
    '!!python/object:os.system x',
  ])('has a YAML tag that other parsers run: %s', (title) => {
    read(block(`title: ${title}`))
    expect('planted' in globalThis).toBe(false)
  })
})

describe('broken YAML', () => {
  test.each([
    ['an open bracket', ['title: A', 'tags: [b'], spanOf(3, 7, '[b'), 'a bracket is opened and not closed'],
    [
      'an open bracket above other keys',
      ['title: A', 'tags: [b, [c],', '  d', '', 'slug: e', 'categories: [f]'],
      spanOf(3, 7, '[b, [c],'),
      'a bracket is opened and not closed',
    ],
    [
      'an open brace in brackets',
      ['title: A', 'tags: [b, { c: d', 'slug: e'],
      spanOf(3, 11, '{ c: d'),
      'a bracket is opened and not closed',
    ],
    [
      'an open quote',
      ['title: "Reset', 'slug: a', 'tags: [b]'],
      spanOf(2, 8, '"Reset'),
      'a quote is opened and not closed',
    ],
    [
      'an open quote above other quotes',
      ["title: 'Reset", "slug: 'a'", 'tags: [b]'],
      spanOf(2, 8, "'Reset"),
      'a quote is opened and not closed',
    ],
    [
      'an open quote in a list',
      ['title: A', 'tags:', '  - "b', '  - c'],
      spanOf(4, 5, '"b'),
      'a quote is opened and not closed',
    ],
    [
      'a colon in a value',
      ['title: A: b'],
      spanOf(2, 8, 'A'),
      'the value contains a colon, or the next line is indented too far',
    ],
    ['an apostrophe', ["title: 'It's'"], spanOf(2, 12, "s'"), 'text follows the closing quote'],
    ['a bracket at the start', ['title: [A] b'], spanOf(2, 12, 'b'), 'text follows the closing bracket'],
    [
      'no space after the colon',
      ['title: A', 'tags:[b]'],
      spanOf(3, 1, 'tags:[b]'),
      'the line has no colon with a space after it',
    ],
    [
      'a list without a key',
      ['- a', 'categories: [b]'],
      spanOf(3, 1, 'categories'),
      'a key follows an entry of a list',
    ],
    [
      'a key among the entries of a list',
      ['title: A', 'tags:', '  - a', '', '  categories: [b]'],
      spanOf(5, 1, ''),
      'a key follows an entry of a list',
    ],
    [
      'a list below a value',
      ['title: A', '- a', 'categories: [b]'],
      spanOf(3, 1, '-'),
      'an entry of a list follows a key with a value',
    ],
    [
      'entries of a list without a space',
      ['title: A', 'tags:', '-a', '-b', 'slug: c'],
      spanOf(4, 1, '-a'),
      'a space is missing after the -',
    ],
    ['a tab', ['title: A', '\tslug: b'], spanOf(3, 1, ''), 'the line is indented with a tab'],
    [
      'a key that comes twice',
      ['title: A', 'slug: b', 'title: C'],
      spanOf(4, 1, 'title'),
      'the key was written before',
    ],
    [
      'an alias of nothing',
      ['title: *nobody'],
      spanOf(2, 8, '*nobody'),
      'the name after * is defined nowhere',
    ],
    [
      'an alias of itself',
      ['title: A', 'tags: &a [*a]', 'x: *b'],
      spanOf(4, 4, '*b'),
      'the name after * is defined nowhere',
    ],
  ])('%s', (_, lines, span, reason) => {
    const message = `The frontmatter is not valid YAML: ${reason}.`
    const hint = SYNTAX_HINTS[reason] ?? SYNTAX_HINT
    expect(read(block(...lines))).toEqual({
      problems: [{ code: 'frontmatter-syntax', message, hint, ...span }],
    })
  })

  test('an alias bomb is rejected before it expands', () => {
    const tenfold = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(of).join(', ')}]`
    const bomb = block(
      tenfold('a', 'lol'),
      tenfold('b', '*a'),
      tenfold('c', '*b'),
      tenfold('d', '*c'),
      'title: *d',
    )
    const message = 'The frontmatter is not valid YAML: its aliases expand to too much data.'
    const hint = 'Write the values out instead of repeating them with * and &.'
    expect(read(bomb)).toEqual({
      problems: [{ code: 'frontmatter-syntax', message, hint, line: 1, column: 1 }],
    })
  })

  test('each broken line is reported once, even in a block of brackets', () => {
    expect(read(block('title: A', 'title: B', 'slug: c', 'slug: d')).problems).toMatchObject([
      { line: 3 },
      { line: 5 },
    ])
    expect(read(block(`title: ${'['.repeat(20_000)}`)).problems).toHaveLength(1)
  })

  test.each(['a: {\n', 'a: {a: b\n', 'a: "a\n'])('many lines of %j, each unclosed, take a moment', (line) => {
    expect(read(block(line.repeat(16_000))).problems).not.toHaveLength(0)
  })

  test('stays broken the second time (gray-matter caches headers that failed)', () => {
    const text = block('title: [A')
    expect(read(text)).toEqual(read(text))
    expect(read(text).problems).toHaveLength(1)
  })

  test.each(['- A', 'just text', '[title, A]', '42'])('%j is no list of keys', (line) => {
    expect(read(block(line))).toEqual({
      problems: [
        {
          code: 'frontmatter-syntax',
          message: 'The frontmatter is not a list of keys with values.',
          hint: 'Write one `key: value` per line, such as `title: Reset your password`.',
          ...spanOf(2, 1, line),
        },
      ],
    })
  })
})

const MISSING_TITLE = {
  code: 'title-missing',
  message: 'The article has no title.',
  hint: 'Add a line `title: …` to the frontmatter.',
  ...spanOf(1, 1, '---'),
}

test('a list with one item needs no brackets', () => {
  const split = splitFrontmatter(block('title: A', 'categories: Guides', 'tags: "a, b"'))
  expect(split.kind === 'split' && parseFrontmatter(split.yaml)).toMatchObject({
    kind: 'valid',
    frontmatter: { categories: ['Guides'], tags: ['a, b'] },
    positions: { 'categories[0]': { line: 3, column: 13 }, 'tags[0]': { line: 4, column: 7 } },
  })
})

describe('an invalid value', () => {
  test.each([[block()], [block('# title: A')], ['---\n---'], [block('   ')]])('no title: %j', (text) => {
    expect(read(text)).toEqual({ problems: [MISSING_TITLE] })
  })

  const quotes = 'must be text; put it in quotes.'
  const slugHint = { hint: 'Use lower-case words joined by hyphens, such as reset-password.' }
  const titleHint = { hint: 'Shorten it, and move the rest to the text or the excerpt.' }
  const dateHint = { hint: 'Use an existing date as YYYY-MM-DD, such as 2027-01-31.' }
  const excerptHint = { hint: 'Shorten it, or remove it to use the beginning of the first paragraph.' }
  const noSlug =
    'must be 1 to 200 characters without white space, control characters or any of / ? #, neither . nor .. alone.'
  const noDate = 'must be an existing date, such as 2027-01-31, or never.'
  const list = 'must be a list, such as [Guides, Accounts].'
  test.each([
    ['title: 2024', 'frontmatter-value', 8, `title ${quotes}`, {}],
    ['title: true', 'frontmatter-value', 8, `title ${quotes}`, {}],
    ['title: [a]', 'frontmatter-value', 8, 'title must be text, not a list.', {}],
    ['title: {a: b}', 'frontmatter-value', 8, 'title must be text, not a map.', {}],
    ['tags: [a, ~]', 'frontmatter-value', 11, 'tags[1] must not be empty.', {}],
    ['seoBannerUrl: 7', 'frontmatter-value', 15, 'seoBannerUrl must be the path of an image, or a URL.', {}],
    [
      'title:',
      'title-missing',
      7,
      'title has no value.',
      { hint: 'Write the title of the article after the colon.' },
    ],
    [
      'excerpt:',
      'frontmatter-value',
      9,
      'excerpt has no value.',
      { hint: 'Add a value, or remove the line.' },
    ],
    ['title: " "', 'title-missing', 8, 'title must not be empty.', {}],
    [
      `title: ${'é'.repeat(501)}`,
      'title-too-long',
      8,
      'title must be at most 500 characters long.',
      titleHint,
    ],
    [
      `title: ${'😀'.repeat(501)}`,
      'title-too-long',
      8,
      'title must be at most 500 characters long.',
      titleHint,
    ],
    ['slug: a b', 'slug-invalid', 7, `slug ${noSlug}`, slugHint],
    ['slug: a/b', 'slug-invalid', 7, `slug ${noSlug}`, slugHint],
    [`slug: ${'a'.repeat(201)}`, 'slug-invalid', 7, `slug ${noSlug}`, slugHint],
    ['slug: 42', 'frontmatter-value', 7, `slug ${quotes}`, {}],
    ['categories: {a: b}', 'frontmatter-value', 13, `categories ${list}`, {}],
    ['categories: []', 'category-missing', 13, 'categories must name at least one category.', {}],
    ['categories: [a, 7]', 'frontmatter-value', 17, `categories[1] ${quotes}`, {}],
    ['categories: [""]', 'frontmatter-value', 14, 'categories[0] must not be empty.', {}],
    ['tags: {a: b}', 'frontmatter-value', 7, `tags ${list}`, {}],
    [
      `excerpt: ${'é'.repeat(161)}`,
      'excerpt-too-long',
      10,
      'excerpt has 161 characters; at most 160 are allowed.',
      excerptHint,
    ],
    [
      `excerpt: ${'😀'.repeat(161)}`,
      'excerpt-too-long',
      10,
      'excerpt has 161 characters; at most 160 are allowed.',
      excerptHint,
    ],
    ['status: live', 'frontmatter-value', 9, 'status must be draft or published.', {}],
    [
      'status: publishd',
      'frontmatter-value',
      9,
      'status must be draft or published.',
      { hint: 'Did you mean "published"?' },
    ],
    ['status: unpublished', 'frontmatter-value', 9, 'status must be draft or published.', {}],
    [
      'hideFromSearch: yes',
      'frontmatter-value',
      17,
      'hideFromSearch must be true or false.',
      { hint: 'Write true, without quotes.' },
    ],
    ['reviewDate: 2027-02-30', 'date-invalid', 13, `reviewDate ${noDate}`, dateHint],
    ['reviewDate: 31.01.2027', 'date-invalid', 13, `reviewDate ${noDate}`, dateHint],
    [
      'reviewDate: 2027',
      'frontmatter-value',
      13,
      'reviewDate must be a date such as 2027-01-31, or never.',
      {},
    ],
    [
      'language: French',
      'frontmatter-value',
      11,
      'language must be a language code such as fr or pt-BR.',
      {},
    ],
    [
      'language: xx-yy-zz',
      'frontmatter-value',
      11,
      'language must be a language code such as fr or pt-BR.',
      {},
    ],
    ['language: en_US', 'frontmatter-value', 11, 'language must be a language code such as fr or pt-BR.', {}],
    ['translationOf: ""', 'frontmatter-value', 16, 'translationOf must not be empty.', {}],
    ['order: first', 'frontmatter-value', 8, 'order must be a number.', {}],
    ['order: .inf', 'frontmatter-value', 8, 'order must be a number.', {}],
    [
      'seoBannerUrl: data:image/png;base64,AAAA',
      'frontmatter-value',
      15,
      'seoBannerUrl must be the path of an image, or a URL without white space that starts with http://, https:// or a slash.',
      {},
    ],
    ...['https://example.com/a b.png', '/a b.png', 'ftp://example.com/a.png'].map(
      (url): [string, 'frontmatter-value', number, string, object] => [
        `seoBannerUrl: ${url}`,
        'frontmatter-value',
        15,
        'seoBannerUrl must be the path of an image, or a URL without white space that starts with http://, https:// or a slash.',
        {},
      ],
    ),
    [
      'seoBannerUrl: javascript:x',
      'frontmatter-value',
      15,
      'seoBannerUrl must be the path of an image, or a URL without white space that starts with http://, https:// or a slash.',
      {},
    ],
  ])('%s', (line, code, column, message, hint) => {
    const others = line.startsWith('title') ? [] : ['title: A']
    // An item of a list is in brackets.
    const written = line.slice(column - 1)
    const value = column > line.indexOf('[') + 1 ? written.replace(/\]$/, '') : written
    const problem = { code, message, ...hint, ...spanOf(others.length + 2, column, value) }
    expect(read(block(...others, line))).toEqual({ problems: [problem] })
  })

  test.each([
    ['title: yes', { title: 'yes' }],
    ['title: 1.0.0', { title: '1.0.0' }],
    ['title: 2027-01-31', { title: '2027-01-31' }],
    ['title: "2024"', { title: '2024' }],
    [`title: A\nexcerpt: ${'😀'.repeat(160)}`, { title: 'A', excerpt: '😀'.repeat(160) }],
    ['title: A\nreviewDate: 2028-02-29', { title: 'A', reviewDate: '2028-02-29' }],
    ['title: A\nreviewDate: never', { title: 'A', reviewDate: 'never' }],
    ['title: A\ntags: []', { title: 'A', tags: [] }],
    ['title: &t A\nexcerpt: *t', { title: 'A', excerpt: 'A' }],
  ])('but not %j', (line, frontmatter) => {
    expect(read(block(line))).toMatchObject({ frontmatter })
  })

  test('every unknown key is reported, with a suggestion', () => {
    const allKeys =
      'The known keys are title, slug, aliases, categories, tags, excerpt, status, reviewDate, language, translationOf, order, hideFromSearch, seoBannerUrl.'
    const unknown = (key: string, line: number, hint: string) => ({
      code: 'frontmatter-unknown-key',
      message: `Unknown key "${key}".`,
      hint,
      ...spanOf(line, 1, key),
    })
    expect(
      read(block('titel: A', '__proto__: {title: A}', 'constructor: 1', '<<: {title: A}', 'Slug: a')),
    ).toEqual({
      problems: [
        // A typo in this key is one problem.
        {
          ...unknown('titel', 2, 'Did you mean "title"?'),
          code: 'title-missing',
          message: 'The article has no title.',
        },
        unknown('__proto__', 3, allKeys),
        unknown('constructor', 4, allKeys),
        unknown('<<', 5, allKeys),
        unknown('Slug', 6, 'Did you mean "slug"?'),
      ],
    })
  })
})

test('any value is read back as written', () => {
  const words = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  const title = words.filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(title, fc.array(words), fc.integer(), fc.boolean(), (name, tags, order, hideFromSearch) => {
      const values = { title: name, tags, order, hideFromSearch }
      const lines = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      expect(read(`${block(...lines)}Body`)).toEqual({ frontmatter: values, body: 'Body', lineOffset: 6 })
    }),
  )
})

test('no text makes the reader fail', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    '\r\n',
    'title: ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&a ',
    '*a',
    '"',
    "'",
    '|',
    '>',
    '!!x ',
    ': ',
    '#',
    '  ',
    'x',
    '\t',
    '?',
    '%',
    '\u0000',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { problems = [] } = read(`---\n${pieces.join('')}\n---\n`)
      for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThan(0)
    }),
    readRuns('FUZZ', 1000),
  )
})

test('carriage returns as line endings are reported, and a long first line is cut', () => {
  expect(read('---\rtitle: A\r---\rText.\r').problems).toMatchObject([
    {
      code: 'frontmatter-syntax',
      message: 'The lines of the file end with carriage returns only, so the whole file is one line.',
    },
  ])
  const { problems = [] } = read(`---${'x'.repeat(1000)}\n---\n`)
  expect(problems[0]?.message).toContain(`"${'x'.repeat(40)}…"`)
})
