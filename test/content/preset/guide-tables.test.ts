// The guide's tables of presets against the rules themselves, both ways.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownRules } from '../../../src/content/preset/own-rules.ts'
import { PRESET_RULES } from '../../../src/content/preset/preset-rules.ts'
import type { ValueReading } from '../../../src/content/preset/readings.ts'
import { PRESET_DEFAULTS } from '../../../src/core/model/preset-defaults.ts'
import { PRESET_NAMES } from '../../../src/core/model/preset-name.ts'

const PAGE = readFileSync(new URL('../../../content/configuration/presets.md', import.meta.url), 'utf8')

const NAMES = { docusaurus: 'Docusaurus', vitepress: 'VitePress', hugo: 'Hugo' } as const

const READ_AS: Readonly<Record<Exclude<ValueReading, 'own'>, string>> = {
  text: 'text',
  list: 'a list',
  number: 'a number',
  flag: '`true` or `false`',
  draft: '`true` is a draft',
  shown: '`false` is hidden',
  image: 'the URL of an image',
  address: 'a URL path',
  name: 'in place of the file name',
}

/** Rows of the first table below a heading, without its head. */
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
  const own = new Set(ownRules().map(({ field, key }) => `${field} ${key}`))
  const rules = PRESET_RULES[preset].fields.filter(
    ({ reading, field, key }) => !(reading === 'own' && own.has(`${field} ${key}`)),
  )
  expect(rowsBelow(NAMES[preset])).toEqual(
    rules.map(({ field, key, reading }) => [
      `\`${field}\``,
      `\`${key}\``,
      reading === 'own' ? '' : READ_AS[reading],
    ]),
  )
})

test('the defaults are those that the guide shows', () => {
  const shown = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')
  const row = (name: string, of: (preset: (typeof PRESET_NAMES)[number]) => string) => [
    name,
    ...PRESET_NAMES.map(of),
  ]
  expect(rowsBelow('What a preset changes')).toEqual([
    row('`content`', (preset) => shown([PRESET_DEFAULTS[preset].content])),
    row('`include`', (preset) => shown(PRESET_DEFAULTS[preset].include)),
    row('`exclude`', (preset) => shown(PRESET_DEFAULTS[preset].exclude)),
    row('`defaults.status`', (preset) => shown([PRESET_DEFAULTS[preset].status])),
    row('`rules`', (preset) =>
      Object.entries(PRESET_DEFAULTS[preset].rules)
        .map(([code, severity]) => `\`${code}\` ${severity === 'off' ? 'is off' : `is a ${severity}`}`)
        .join(', '),
    ),
  ])
})
