// Configurations that are edited while a program runs.
import { mkdirSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import type { Settings } from '../../../src/core/config/settings.ts'
import { createProject, type Files } from '../../support/project.ts'

interface Loaded {
  readonly settings: Settings | undefined
  readonly files: readonly string[]
  readonly failure: unknown
}

function openConfig(files: Files) {
  const project = createProject(files)
  mkdirSync(project.path('content'), { recursive: true })
  const load = async (): Promise<Loaded> => {
    let told: readonly string[] = []
    const onFiles = (paths: readonly string[]) => {
      told = paths.map((path) => relative(project.root, path)).toSorted()
    }
    try {
      const settings = await loadConfig({ cwd: project.root, onFiles })
      return { settings, files: told, failure: undefined }
    } catch (failure) {
      return { settings: undefined, files: told, failure }
    }
  }
  return { ...project, load }
}

const link = (settings: Settings | undefined) => settings?.articleUrl({ slug: 'a', language: 'en' })

test.each([
  { config: 'kb.config.ts', imported: 'links.ts' },
  { config: 'kb.config.ts', imported: 'settings/links.mjs' },
  { config: 'kb.config.mjs', imported: 'settings/links.mjs' },
  { config: 'kb.config.ts', imported: 'links.js', packageJson: '{"type":"module"}' },
  { config: 'kb.config.js', imported: 'links.js', packageJson: '{"type":"module"}' },
])('$config and $imported are run again', async ({ config, imported, packageJson }) => {
  const path = `./${imported}`
  const project = openConfig({
    [config]: `import { base } from '${path}'\nexport default { links: { article: ({ slug }) => base + slug } }\n`,
    [imported]: `export const base = '/one/'\n`,
    ...(packageJson !== undefined && { 'package.json': packageJson }),
  })
  const first = await project.load()
  project.write({ [imported]: `export const base = '/two/'\n` })
  const second = await project.load()
  project.write({ [config]: `export default { links: { article: '/three/{slug}' } }\n` })
  const third = await project.load()
  expect([first, second, third].map(({ settings, files }) => ({ link: link(settings), files }))).toEqual([
    { link: '/one/a', files: [config, imported].toSorted() },
    { link: '/two/a', files: [config, imported].toSorted() },
    { link: '/three/a', files: [config] },
  ])
})

test.each(['links.cjs', 'links.json'])('%s is read again', async (imported) => {
  const text = (base: string) =>
    imported.endsWith('json') ? `{"base":"${base}"}` : `module.exports = { base: '${base}' }\n`
  const project = openConfig({
    'kb.config.ts': `import links from './${imported}'\nexport default { links: { article: links.base + '{slug}' } }\n`,
    [imported]: text('/one/'),
  })
  const first = await project.load()
  project.write({ [imported]: text('/two/') })
  const second = await project.load()
  expect([first, second].map(({ settings, files }) => ({ link: link(settings), files }))).toEqual([
    { link: '/one/a', files: ['kb.config.ts', imported] },
    { link: '/two/a', files: ['kb.config.ts', imported] },
  ])
})

test('a file with a top-level await is run again', async () => {
  const text = (base: string) =>
    `const base = await Promise.resolve('${base}')\nexport default { links: { article: base + '{slug}' } }\n`
  const project = openConfig({ 'kb.config.ts': text('/one/') })
  expect(link((await project.load()).settings)).toBe('/one/a')
  project.write({ 'kb.config.ts': text('/two/') })
  expect(await project.load()).toMatchObject({ files: ['kb.config.ts'] })
  expect(link((await project.load()).settings)).toBe('/two/a')
})

test('the files include a plugin in a file, but no packages', async () => {
  const project = openConfig({
    'kb.config.ts': `import gone from 'gone'\nimport { shout } from './plugins/shout.mjs'\nexport default { markdown: { remarkPlugins: [gone, shout] } }\n`,
    'plugins/shout.mjs': `export function shout() { return () => undefined }\n`,
    'node_modules/gone/package.json': '{"name":"gone","type":"module","exports":"./index.js"}',
    'node_modules/gone/index.js': 'export default () => () => undefined\n',
  })
  const { settings, files } = await project.load()
  expect(files).toEqual(['kb.config.ts', 'plugins/shout.mjs'])
  expect(settings?.render.remarkPlugins).toHaveLength(2)
})

test('reports the files even if one of them is broken', async () => {
  const project = openConfig({
    'kb.config.ts': `import { base } from './settings/links.ts'\nexport default { content: base }\n`,
    'settings/links.ts': `export const base = \n`,
  })
  const { failure, files } = await project.load()
  expect(failure).toMatchObject({ code: 'CONFIG_UNREADABLE' })
  expect(files.map((file) => basename(file))).toEqual(['kb.config.ts', 'links.ts'])
})
