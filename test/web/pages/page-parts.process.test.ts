import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildCategoryTree, pathTo } from '../../../src/web/pages/category-tree.ts'
import {
  dateInWords,
  languageName,
  ownLanguageName,
  textDirection,
} from '../../../src/web/pages/text-direction.ts'

const category = (id: string, parentId: string | undefined, articles = 0) => ({
  id,
  parentId,
  slug: id,
  name: id.toUpperCase(),
  description: '',
  icon: '',
  thumbnail: '',
  articles,
})

test('a tree has total counts, and shows readers non-empty categories', () => {
  const categories = [
    category('c', 'b', 2),
    category('a', undefined),
    category('b', 'a', 1),
    category('d', 'a'),
  ]
  const { roots, bySlug } = buildCategoryTree(categories, 'reader')
  const [a] = roots
  expect([roots.length, a?.category.id, a?.total]).toEqual([1, 'a', 3])
  expect(a?.children.map((node) => node.category.id)).toEqual(['b'])
  const c = bySlug.get('c')
  expect(c && pathTo(c).map((node) => node.category.id)).toEqual(['a', 'b', 'c'])
  expect(buildCategoryTree(categories, 'author').roots[0]?.children.length).toBe(2)
})

test('categories in a cycle, or without their parent, are at the top level', () => {
  const { roots } = buildCategoryTree(
    [category('a', 'b', 1), category('b', 'a', 1), category('c', 'gone', 1)],
    'reader',
  )
  expect(roots.map((node) => [node.category.id, node.total])).toEqual([
    ['b', 2],
    ['c', 1],
  ])
})

test('languages have a direction and a name', () => {
  expect(['ar', 'he', 'fa-IR', 'en', 'uz-Arab', 'no such code!'].map(textDirection)).toEqual([
    'rtl',
    'rtl',
    'rtl',
    'ltr',
    'rtl',
    'ltr',
  ])
  expect(['fr', 'en', 'no such code!'].map(ownLanguageName)).toEqual(['Français', 'English', 'no such code!'])
  expect(['fr', 'de', 'no such code!'].map((language) => languageName('de', language))).toEqual([
    'allemand',
    'Deutsch',
    'de',
  ])
  expect(dateInWords('2026-02-28T23:30:00Z', 'fr')).toBe('28 février 2026')
  expect([dateInWords('soon', 'en'), dateInWords('2026-02-28', 'no such code!')]).toEqual([
    '',
    'February 28, 2026',
  ])
})

test('the scripts of the pages pass the type checker', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  )
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', join(root, 'src/web/pages/assets')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})
