// Everything specific to a tool is in its dialect: no other source knows of the tool.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dialectOf, PRESET_NAMES } from '../../../src/core/dialects/dialects.ts'

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url))

// `folder` is not a tool.
const TOOLS = PRESET_NAMES.filter((preset) => preset !== 'folder')

const NAMES = new RegExp(
  [
    ...TOOLS,
    ...TOOLS.map((preset) => dialectOf(preset).label),
    String.raw`mkdocs|jekyll|gitbook|starlight|obsidian|eleventy|\bastro\b|liquid`,
  ].join('|'),
  'i',
)

test('only dialects and plugins name a tool', () => {
  const named = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !/^(?:core\/dialects|plugins)\//.test(name))
    .filter((name) => NAMES.test(name) || NAMES.test(readFileSync(SOURCES + name, 'utf8')))
  expect(named).toEqual([])
})

test.each(PRESET_NAMES)('%s says of each field where it is written at most once', (preset) => {
  const { fields } = dialectOf(preset).frontmatter
  const written = fields.flatMap(({ field, isWritten }) => (isWritten === true ? [field] : []))
  expect(written).toEqual([...new Set(written)])
  expect(fields.map(({ key }) => key)).toEqual([...new Set(fields.map(({ key }) => key))])
})
