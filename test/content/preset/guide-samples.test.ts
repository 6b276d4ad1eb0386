// Runs the configurations in the guide unchanged.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { createFrontmatterFiles } from '../../../src/content/preset/frontmatter-files.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { readWith } from './mapping.ts'

const PAGE = readFileSync(new URL('../../../content/configuration/presets.md', import.meta.url), 'utf8')
const SAMPLES = [...PAGE.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

async function run(code: string) {
  const root = temporaryFolder()
  writeFileSync(join(root, 'kb.config.ts'), code)
  const { render, preset } = await loadConfig({ cwd: root })
  return { preset, mapping: render.frontmatter }
}

async function sample(having: string) {
  const { mapping } = await run(SAMPLES.find((code) => code.includes(having)) ?? '')
  if (mapping === undefined) throw new Error('The sample maps nothing.')
  return createFrontmatterFiles(mapping)
}

test('all are valid configurations', async () => {
  const all = await Promise.all(SAMPLES.map(run))
  expect(all.map(({ preset }) => preset)).toEqual([
    'docusaurus',
    'vitepress',
    'hugo',
    undefined,
    'docusaurus',
    'hugo',
    'vitepress',
  ])
})

test('custom keys beside those of Hugo', async () => {
  const files = await sample('...mapped')
  const text = '+++\ntitle = "A"\nweight = 2\nreview_by = 2027-01-31\n+++\n'
  expect(readWith(files, text, 'b/a.md')).toEqual({
    title: 'A',
    slug: 'b-a',
    order: 2,
    reviewDate: '2027-01-31',
  })
})

test('custom keys, in both directions', async () => {
  const files = await sample('write:')
  const text = '---\ntitle: A\nreview_by: 2027-01-31 # soon\n---\nText.\n'
  expect(readWith(files, text, 'a.md')).toEqual({ title: 'A', reviewDate: '2027-01-31' })
  expect(files.edit(text, { title: 'B', reviewDate: 'never' }, 'a.md')).toEqual({
    unwritten: [],
    text: '---\ntitle: B\nreview_by: never # soon\n---\nText.\n',
  })
  expect(files.edit(text, { reviewDate: null }, 'a.md')).toEqual({
    unwritten: [],
    text: '---\ntitle: A\n---\nText.\n',
  })
})
