import { expect, test } from 'vitest'
import { measureStructure } from '../scripts/measure-structure.mjs'

const LONG = `function long() {\n${'  call()\n'.repeat(59)}}\n`

const FILES = {
  'src/index.ts': "export type { Place } from './core/a.ts'\n",
  'src/core/a.ts': 'export function parse() {}\nexport interface Place {}\nexport const short = () => {}\n',
  'src/sync/b.ts': `import { near } from './near.ts'\nexport async function parse() {}\nexport interface Place {}\n${LONG}`,
  'src/sync/near.ts':
    "export type Near = import('../core/a.ts').Place\nexport const near = await import('../core/a.ts')\n",
  'src/plugins/vite.ts': 'export function kb() {}\n',
  'src/plugins/astro.ts': "export { kb } from './astro/integration.ts'\n",
  'src/plugins/astro/integration.ts': 'export function kb() {}\nfunction parse() {}\n',
  'src/plugins/page.css': 'a {}\n',
}

test('every figure counts what it says', () => {
  expect(measureStructure(FILES)).toEqual({
    lines: { value: 75, of: [] },
    files: { value: 8, of: [] },
    'files under 60 lines beside their one importer': {
      value: 1,
      of: ['src/sync/near.ts (2 lines, for src/sync/b.ts)'],
    },
    rooms: { value: 3, of: ['core', 'plugins', 'sync'] },
    'arrows between rooms': { value: 2, of: ['index.ts -> core', 'sync -> core'] },
    'names exported twice': { value: 1, of: ['parse: src/core/a.ts, src/sync/b.ts'] },
    'functions over 60 lines': { value: 1, of: ['src/sync/b.ts:4 long (61 lines)'] },
    'exported types per 1,000 lines': { value: 40, of: [] },
  })
})
