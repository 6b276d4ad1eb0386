// The tables of the dialects in both directions: a key that was read is written back to the same bytes.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldRule } from '../../../src/core/dialects/dialect.ts'
import { dialectOf, PRESET_NAMES } from '../../../src/core/dialects/dialects.ts'
import { fieldRules } from '../../../src/content/preset/readings.ts'
import { readRuns } from '../../support/runs.ts'
import { filesOf, readWith } from './mapping.ts'

const BODY = '# Heading\n\nText.\n'

const words = fc.stringMatching(/^[A-Z][a-zà-ü]{3,9}(?: [a-zà-ü]{2,9}){0,3}$/)
const name = fc.stringMatching(/^t[a-z]{4,8}(?:-[a-z]{2,5})?$/)
const url = name.map((path) => `https://example.com/${path}.png`)
const list = fc.uniqueArray(name, { minLength: 1, maxLength: 3 })

/** Values of our own fields. */
const FIELDS: Readonly<Record<FieldRule['field'], fc.Arbitrary<unknown>>> = {
  title: words,
  slug: name,
  categories: list,
  tags: list,
  excerpt: words,
  status: fc.constantFrom('draft', 'published'),
  reviewDate: fc.constantFrom('never', '2027-01-31', '2028-02-29'),
  language: fc.constantFrom('fr', 'pt-BR'),
  translationOf: name,
  order: fc.integer({ min: -5, max: 1000 }),
  hideFromSearch: fc.constant(true),
  seoBannerUrl: url,
  aliases: list,
}

/** Values as a tool has them. */
const READ: Readonly<Record<FieldRule['reading'], fc.Arbitrary<unknown> | undefined>> = {
  own: undefined,
  text: words,
  list,
  number: FIELDS.order,
  flag: fc.constant(true),
  draft: fc.boolean(),
  status: fc.constantFrom('draft', 'published'),
  shown: fc.constant(false),
  published: fc.boolean(),
  image: url,
  address: name.map((slug) => `/${slug}`),
  name,
  paths: list.map((slugs) => slugs.map((slug) => `/${slug}`)),
  addresses: list.map((slugs) => slugs.map((slug) => `/${slug}`)),
  'nested-order': fc.record({ order: fc.integer({ min: -5, max: 1000 }) }),
}

/** A file with a single key, in the formats that the tool reads. */
const FORMATS = {
  yaml: (key: string, value: unknown) =>
    `---\n# a comment\n${key}: ${Array.isArray(value) ? `[${value.join(', ')}]` : JSON.stringify(value)}\n---\n`,
  toml: (key: string, value: unknown) => `+++\n# a comment\n${key} = ${inLine(value)}\n+++\n`,
  json: (key: string, value: unknown) => `{\n  "x": 1,\n  "${key}": ${inLine(value)}\n}\n`,
} as const

function inLine(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
    : JSON.stringify(value)
}

test.each(PRESET_NAMES)('%s: what each key says is changed and put back to the byte', (preset) => {
  const dialect = dialectOf(preset)
  const files = filesOf({ preset })
  const { formats = [], foldsKeys = false } = dialect.frontmatter
  const drawn = fc
    .constantFrom(...fieldRules(dialect))
    .chain((rule) =>
      fc.record({
        rule: fc.constant(rule),
        value: READ[rule.reading] ?? FIELDS[rule.field],
        other: FIELDS[rule.field],
        format: fc.constantFrom('yaml' as const, ...formats),
        inOtherCase: foldsKeys ? fc.boolean() : fc.constant(false),
      }),
    )
  fc.assert(
    fc.property(drawn, ({ rule: { field, key, reading }, value, other, format, inOtherCase }) => {
      const text = `${FORMATS[format](inOtherCase ? key.toUpperCase() : key, value)}${BODY}`
      const fieldsOf = (each: string) => readWith(files, each, 'a/b.md') as Record<string, unknown>
      const read = fieldsOf(text)[field]
      expect(files.edit(text, { [field]: read }, 'a/b.md')).toEqual({ text, unwritten: [] })
      const changed = files.edit(text, { [field]: other }, 'a/b.md')
      expect(changed.unwritten).toEqual([])
      expect(fieldsOf(changed.text)[field]).toEqual(other)
      const back = files.edit(changed.text, { [field]: read }, 'a/b.md')
      expect(fieldsOf(back.text)[field]).toEqual(read)
      // A key that replaces the file name cannot set a whole path, and a mapping is not written: another key is.
      if (reading !== 'name' && reading !== 'nested-order') expect(back.text).toBe(text)
    }),
    readRuns('FUZZ', 400),
  )
})
