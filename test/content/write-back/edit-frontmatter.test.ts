import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseFrontmatter } from '../../../src/content/frontmatter/parse-frontmatter.ts'
import { splitFrontmatter } from '../../../src/content/frontmatter/split-frontmatter.ts'
import { createArticleFile, editFrontmatter } from '../../../src/content/write-back/edit-frontmatter.ts'
import type { Frontmatter } from '../../../src/core/model/document.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'

const FILE = `---
# About this file
title: "Old" # shown everywhere

# Where it stands
categories:
  - Guides # first
  - 'A: b'
  # and
  - Third

tags: [one, "two"] # few
excerpt: >-
  Some
  words
status:
reviewDate: 2027-01-01
# the end
---

Body
---
title: not frontmatter
`

const yamlOf = (text: string): string => /^\uFEFF?---\r?\n(.*?)\r?\n---/s.exec(text)?.[1] ?? ''

describe('editFrontmatter', () => {
  test('edits frontmatter with thousands of keys', () => {
    // The check of the YAML parser for repeated keys compares each with all before it.
    const keys = Array.from({ length: 12_000 }, (_, index) => `  key${index}: ${index}\n`).join('')
    const fileOf = (title: string) => `---\nmeta:\n${keys}title: ${title}\n---\n\nBody\n`
    expect(editFrontmatter(fileOf('Old'), { title: 'New' }) === fileOf('New')).toBe(true)
  })

  test('changes values and nothing else', () => {
    const changes = {
      title: 'New: "x"',
      categories: ['Guides', 'Third', 'Fourth'],
      tags: ['two', 'a, b'],
      status: 'draft',
    } as const
    expect(editFrontmatter(FILE, changes)).toBe(
      FILE.replace('"Old"', String.raw`"New: \"x\""`)
        .replace("  - 'A: b'\n", '')
        .replace('  - Third\n', '  - Third\n  - Fourth\n')
        .replace('[one, "two"]', `["two", 'a, b']`)
        .replace('status:', 'status: draft'),
    )
  })

  test('removes keys and adds others at the end, in the order of the schema', () => {
    const changes = {
      excerpt: null,
      reviewDate: undefined,
      order: 3,
      slug: 'yes',
      hideFromSearch: true,
      categories: ['New'],
    }
    expect(editFrontmatter(FILE, changes)).toBe(
      FILE.replace('excerpt: >-\n  Some\n  words\n', '')
        .replace('reviewDate: 2027-01-01\n', '')
        .replace("  - Guides # first\n  - 'A: b'\n  # and\n  - Third\n", '  - New\n  # and\n')
        .replace('# the end\n', "# the end\nslug: 'yes'\norder: 3\nhideFromSearch: true\n"),
    )
  })

  test('keeps line endings and byte order mark', () => {
    const file = `\uFEFF${FILE.replaceAll('\n', '\r\n')}`
    expect(editFrontmatter(file, { title: 'T', order: 1, excerpt: 'e' })).toBe(
      file
        .replace('"Old"', '"T"')
        .replace('excerpt: >-\r\n  Some\r\n  words\r\n', 'excerpt: e\r\n')
        .replace('# the end\r\n', '# the end\r\norder: 1\r\n'),
    )
  })

  test('another order of a list', () => {
    const text = editFrontmatter(FILE, { categories: ['Third', 'New', 'Guides'] })
    expect(text).toBe(
      FILE.replace(
        "  - Guides # first\n  - 'A: b'\n  # and\n  - Third\n",
        '  - Third\n  - New\n  - Guides # first\n  # and\n',
      ),
    )
  })

  test('new lists are written in the style of the others', () => {
    expect(editFrontmatter('---\ntitle: x\ncategories:\n- a\n---\n', { tags: ['b'] })).toBe(
      '---\ntitle: x\ncategories:\n- a\ntags:\n  - b\n---\n',
    )
    expect(editFrontmatter('---\ntitle: x\n---\n', { tags: ['b', '#c'] })).toBe(
      "---\ntitle: x\ntags: [b, '#c']\n---\n",
    )
  })

  test('a text that cannot be edited in parts is written from scratch', () => {
    expect(editFrontmatter('---\n{title: x, slug: y}\n---\nb', { title: 'z' })).toBe(
      '---\n{ title: z, slug: y }\n---\nb',
    )
    expect(editFrontmatter('---\ntitle: &t x\nslug: *t\n---\nb', { title: 'z' })).toBe(
      '---\ntitle: z\nslug: x\n---\nb',
    )
  })

  test('an equal value changes nothing', () => {
    const same = {
      title: 'Old',
      categories: ['Guides', 'A: b', 'Third'],
      excerpt: 'Some words',
      tags: ['one', 'two'],
    }
    expect(editFrontmatter(FILE, same)).toBe(FILE)
  })
})

const text = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Guide',
      'yes',
      'null',
      '1',
      '2027-01-31',
      '0x1',
      '1_0',
      '@x',
      '*x',
      '&x',
      '- x',
      'a: b',
      'a #b',
      "it's",
      '"q"',
      '[x]',
      '{x}',
      '#x',
      '~',
      '<<',
      '|',
      '>',
      '%x',
      '!x',
      '---',
      ' x ',
      'a\nb',
      '\u202Ex',
      'é',
      '😀',
      'x,y',
      'True',
      '1:30',
      '.5',
      '=',
      '? x',
      'x:',
    ),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
)
const list = fc.uniqueArray(text, { minLength: 1, maxLength: 4 })

const fields = {
  title: text,
  slug: text,
  categories: list,
  tags: list,
  excerpt: text,
  status: fc.constantFrom('draft', 'published'),
  reviewDate: fc.constantFrom('2027-01-31', 'never'),
  language: fc.constantFrom('fr', 'no'),
  order: fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((value) => value + 0),
  hideFromSearch: fc.boolean(),
}

const values = fc.record(fields, { requiredKeys: ['title'] })
const changes = fc.record(
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, fc.option<unknown>(value as fc.Arbitrary<unknown>)]),
  ),
  { requiredKeys: [] },
)

type Layout = { readonly block: boolean; readonly quote: boolean; readonly comments: boolean }
const layout = fc.record<Layout>({ block: fc.boolean(), quote: fc.boolean(), comments: fc.boolean() })

/** Formats frontmatter with one key per line, in one of several styles. */
function writeYaml(data: Readonly<Record<string, unknown>>, { block, quote, comments }: Layout): string {
  return Object.entries(data)
    .map(([key, value], index) => {
      const lead = comments ? `# before ${key}\n${index % 2 === 0 ? '\n' : ''}` : ''
      const tail = comments ? ` # beside ${key}` : ''
      const one = (item: unknown): string =>
        typeof item === 'string' || quote ? JSON.stringify(item) : String(item)
      const isBlock = Array.isArray(value) && block
      if (isBlock) return `${lead}${key}:\n${value.map((item) => `  - ${one(item)}${tail}\n`).join('')}`
      return `${lead}${key}: ${Array.isArray(value) ? `[${value.map(one).join(', ')}]` : typeof value === 'string' ? one(value) : String(value)}${tail}\n`
    })
    .join('')
}

const RUNS = readRuns('FUZZ', 1000)

function apply(data: Readonly<Record<string, unknown>>, edits: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries({ ...data, ...edits }).filter(([, value]) => value !== null && value !== undefined),
  )
}

test(
  'any change of any frontmatter results in the old values with the new ones, and keeps the rest',
  timeoutOf(RUNS, 20),
  () => {
    fc.assert(
      fc.property(values, changes, layout, fc.constantFrom('\n', '\r\n'), (data, edits, how, eol) => {
        const yaml = writeYaml(data, how).replaceAll('\n', eol)
        const body = `${eol}body # x${eol}`
        const edited = editFrontmatter(`---${eol}${yaml}---${body}`, edits)
        expect(parse(yamlOf(edited))).toEqual(apply(data, edits))
        expect(edited.endsWith(`---${body}`)).toBe(true)
        const untouched = yaml.split(eol).filter((line) => {
          const key = /^(\w+):/.exec(line)?.[1]
          return line.startsWith('#') || (key !== undefined && !(key in edits))
        })
        const lines = new Set(edited.split(eol))
        expect(untouched.filter((line) => !lines.has(line))).toEqual([])
      }),
      RUNS,
    )
  },
)

describe('createArticleFile', () => {
  test('quotes only if necessary, in the order of the schema', () => {
    const frontmatter: Frontmatter = {
      status: 'draft',
      title: 'Say: "yes"',
      reviewDate: '2027-01-31',
      tags: ['a', 'no'],
      order: 2,
    }
    expect(createArticleFile(frontmatter, 'Body\n')).toBe(
      `---\ntitle: 'Say: "yes"'\ntags: [a, 'no']\nstatus: draft\nreviewDate: 2027-01-31\norder: 2\n---\n\nBody\n`,
    )
    expect(createArticleFile({ title: 'x' }, '')).toBe('---\ntitle: x\n---\n')
  })

  test('any frontmatter is read back as it was', () => {
    fc.assert(
      fc.property(text, list, fc.constantFrom('Body\n', '---\ntitle: y\n---\n', ''), (title, tags, body) => {
        const split = splitFrontmatter(createArticleFile({ title, tags }, body))
        if (split.kind === 'problem') throw new Error(split.problem.message)
        const parsed = parseFrontmatter(split.yaml)
        if (title.trim() !== '') expect(parsed).toMatchObject({ kind: 'valid', frontmatter: { title, tags } })
        expect(split.body.trimStart()).toBe(body)
      }),
      RUNS,
    )
  })
})
