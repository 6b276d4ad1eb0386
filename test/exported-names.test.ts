import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

/** Sources that users import, by the `exports` of package.json: several build tools know their plugin as `kb`. */
const isEntryPoint = (file: string) => /^(?:index|plugins\/\w+)\.ts$/.test(file)

/** By exported name, the files that define it. */
function findDefinitions(files: Readonly<Record<string, string>>): Map<string, string[]> {
  const definitions = new Map<string, string[]>()
  for (const [file, text] of Object.entries(files))
    for (const [, name = ''] of text.matchAll(DECLARED))
      definitions.set(name, [...(definitions.get(name) ?? []), file])
  return definitions
}

/** Names that more than one file defines, those of the package's entry points aside. */
function findHomonyms(files: Readonly<Record<string, string>>): string[] {
  const published = new Set<string | undefined>()
  for (const [file, text] of Object.entries(files)) {
    if (!isEntryPoint(file)) continue
    for (const [, name] of text.matchAll(DECLARED)) published.add(name)
    for (const [, names = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
      for (const [name] of names.matchAll(/\w+/g)) published.add(name)
  }
  return [...findDefinitions(files)]
    .filter(([name, { length }]) => length > 1 && !published.has(name))
    .map(([name, definedIn]) => `${name}: ${definedIn.join(', ')}`)
}

test('an exported name is defined once', () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  const files = sources.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(SOURCES, name), 'utf8')])
  expect(findHomonyms(Object.fromEntries(files) as Record<string, string>)).toEqual([])
})

test('two definitions of one name are found, unless they are those of entry points', () => {
  const files = {
    'core/a.ts': 'export function parse() {}\nexport interface Place {}\n',
    'sync/b.ts':
      'export async function parse() {}\nfunction local() {}\nexport type { Place } from "../core/a.ts"\n',
    'plugins/vite.ts': 'export function kb() {}\n',
    'plugins/astro.ts': "export { kb } from './astro/integration.ts'\n",
    'plugins/astro/integration.ts': 'export function kb() {}\nexport const local = 1\n',
  }
  expect(findHomonyms(files)).toEqual(['parse: core/a.ts, sync/b.ts'])
})
