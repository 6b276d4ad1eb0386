import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SWIZZLE_CONFIG } from '../../../src/plugins/docusaurus/plugin.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('every component of the theme can be replaced, and the guide names it', () => {
  const theme = readdirSync(new URL('../../../src/plugins/docusaurus/theme/', import.meta.url))
  const { components } = SWIZZLE_CONFIG
  expect(Object.keys(components).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    theme.toSorted((a, b) => (a < b ? -1 : 1)),
  )
  const rows = read('content/automation/docusaurus.md').matchAll(/^\| `(Kb\w+)` \| (.*) \|$/gm)
  const described = Object.entries(components).map(([name, { description }]) => [
    name,
    description.toLowerCase(),
  ])
  expect([...rows].map(([, name = '', text = '']) => [name, text.toLowerCase()])).toEqual(described)
})
