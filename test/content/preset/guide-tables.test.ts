// Compares the guide's tables of presets with the rules, in both directions.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ValueReading } from '../../../src/core/dialects/dialect.ts'
import { dialectOf, PRESET_NAMES } from '../../../src/core/dialects/dialects.ts'

const PAGE = readFileSync(new URL('../../../content/configuration/presets.md', import.meta.url), 'utf8')

const READ_AS: Readonly<Record<Exclude<ValueReading, 'own'>, string>> = {
  text: 'text',
  list: 'a list',
  number: 'a number',
  flag: '`true` or `false`',
  draft: '`true` is a draft',
  status: '`draft` or `published`; a similar word is an error, others are ignored',
  shown: '`false` is hidden',
  image: 'the URL of an image',
  address: 'a URL path',
  published: '`false` is a draft; a date is ignored',
  name: 'in place of the file name',
  paths: 'the URL paths in a list',
  addresses: 'a list of URL paths',
  'nested-order': 'its `order`, a number',
}

/** Returns the rows of the first table below a heading, without its header. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`)
  const [, table = ''] = /(?:^|\n)((?:\|.*\n)+)/.exec(section) ?? []
  const rows = table.trim().split('\n')
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

test.each(PRESET_NAMES)('every rule of %s is in the guide, and no other', (preset) => {
  const { label, frontmatter } = dialectOf(preset)
  expect(rowsBelow(label.charAt(0).toUpperCase() + label.slice(1))).toEqual(
    frontmatter.fields.map(({ field, key, reading }) => [
      `\`${field}\``,
      `\`${key}\``,
      reading === 'own' ? '' : READ_AS[reading],
    ]),
  )
})

test('the guide shows the actual defaults', () => {
  const shown = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')
  const row = (name: string, of: (preset: (typeof PRESET_NAMES)[number]) => string) => [
    name,
    ...PRESET_NAMES.map(of),
  ]
  expect(rowsBelow('What a preset changes')).toEqual([
    row('`content`', (preset) => shown([dialectOf(preset).defaults.content])),
    row('`include`', (preset) => shown(dialectOf(preset).defaults.include)),
    row('`exclude`', (preset) => shown(dialectOf(preset).defaults.exclude)),
    row('`defaults.status`', (preset) => shown([dialectOf(preset).defaults.status])),
    row('`rules`', (preset) =>
      Object.entries(dialectOf(preset).defaults.rules)
        .map(([code, severity]) => `\`${code}\` ${severity === 'off' ? 'is off' : `is a ${severity}`}`)
        .join(', '),
    ),
  ])
})
