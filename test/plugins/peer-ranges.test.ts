// A peer range covers exactly the major versions of the sites in test/sites.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const SITES = fileURLToPath(new URL('../sites/', import.meta.url))

const read = (path: string): Manifest =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')) as Manifest

const majorOf = (version: string): number => Number(/^\^?(\d+)\./.exec(version.trim())?.[1])

test('peers are limited to the major versions that sites are built with', () => {
  // A site whose tool is not an npm package has no package.json.
  const names = readdirSync(SITES).filter((name) => existsSync(join(SITES, name, 'package.json')))
  const sites = names.map((name) => read(`test/sites/${name}/package.json`))
  const { peerDependencies = {} } = read('package.json')
  expect(Object.keys(peerDependencies)).not.toEqual([])
  for (const [name, range] of Object.entries(peerDependencies)) {
    const built = sites.flatMap(({ dependencies, devDependencies }) => {
      const version = dependencies?.[name] ?? devDependencies?.[name]
      return version === undefined ? [] : [majorOf(version)]
    })
    expect([name, range.split('||').map(majorOf)]).toEqual([
      name,
      [...new Set(built)].toSorted((a, b) => a - b),
    ])
  }
})
