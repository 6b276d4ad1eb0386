import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { copyAssets, copyWhole } from '../../../../src/inspect/check/assets/copy-assets.ts'
import { loadConfig } from '../../../../src/core/config/load-config.ts'
import { digest } from '../../../../src/core/digest.ts'
import { type Files, writeFiles } from '../../../content/load-files.ts'
import { png } from '../../../support/images.ts'
import { temporaryFolder } from '../../../support/folder.ts'

const article = (title: string, body: string, head = '') =>
  `---\ntitle: ${title}\ncategories: [g]\n${head}---\n${body}\n`

const FILES: Files = {
  'content/_categories.yml': '- name: G\n  slug: g\n  longDescription: "[terms](files/terms.pdf)"\n',
  'content/published.md': article('P', '![a](a.png) [f](files/form.pdf)', 'status: published\n'),
  'content/draft.md': article('D', '![a](a.png) [z](files/all.zip) [copy](files/copy/form.pdf)'),
  'content/a.png': png(),
  'content/unused.png': png('unused'),
  'content/files/form.pdf': 'form',
  'content/files/copy/form.pdf': 'form',
  'content/files/terms.pdf': 'terms',
  'content/files/all.zip': Buffer.alloc(3_000_000, 'z'),
}

const NAMES = {
  a: `a-${digest(png()).slice(0, 16)}.png`,
  all: `all-${digest(Buffer.alloc(3_000_000, 'z')).slice(0, 16)}.zip`,
  form: `form-${digest('form').slice(0, 16)}.pdf`,
  terms: `terms-${digest('terms').slice(0, 16)}.pdf`,
}

async function createProject(files: Files = {}, assets: object = { baseUrl: 'https://f.example/' }) {
  const root = temporaryFolder()
  writeFiles(root, { 'kb.config.ts': `export default ${JSON.stringify({ assets })}\n`, ...FILES, ...files })
  const settings = await loadConfig({ cwd: root })
  const folder = join(root, 'out', 'files')
  const copy = async (
    changes: { readonly folder?: string; readonly dryRun?: boolean; readonly signal?: AbortSignal } = {},
  ) => {
    const { files: copied, diagnostics } = await copyAssets({ settings, folder, ...changes })
    return { outcomes: copied.map(({ name, outcome }) => `${outcome} ${name}`), copied, diagnostics }
  }
  return { root, folder, settings, copy }
}

test('files of articles and descriptions are copied completely, including those of drafts, and then stay', async () => {
  const { folder, root, copy } = await createProject()
  const expected = [NAMES.a, NAMES.all, NAMES.form, NAMES.terms]
  expect((await copy({ dryRun: true })).outcomes).toEqual(expected.map((name) => `planned ${name}`))
  expect(readdirSync(root)).not.toContain('out')
  const { outcomes, copied } = await copy()
  expect(outcomes).toEqual(expected.map((name) => `copied ${name}`))
  expect(copied[0]).toEqual({
    source: 'a.png',
    name: NAMES.a,
    url: `https://f.example/${NAMES.a}`,
    bytes: png().length,
    outcome: 'copied',
  })
  expect(readdirSync(folder).toSorted()).toEqual(expected)
  expect(readFileSync(join(folder, NAMES.a))).toEqual(png())
  expect(digest(readFileSync(join(folder, NAMES.all)))).toBe(digest(Buffer.alloc(3_000_000, 'z')))
  const before = new Date('2020-01-01T00:00:00Z')
  for (const name of expected) utimesSync(join(folder, name), before, before)
  expect((await copy()).outcomes).toEqual(expected.map((name) => `present ${name}`))
  expect(expected.map((name) => statSync(join(folder, name)).mtime)).toEqual(expected.map(() => before))
})

test('nothing is deleted; a damaged file or a link is copied again', async () => {
  const { root, folder, copy } = await createProject()
  await copy()
  writeFileSync(join(folder, NAMES.form), 'f0rm')
  writeFileSync(join(folder, 'older-0123.png'), 'older')
  writeFiles(root, { 'content/a.png': png('new'), 'elsewhere.pdf': 'terms' })
  symlinkSync(join(root, 'elsewhere.pdf'), join(folder, 'link'))
  const fresh = `a-${digest(png('new')).slice(0, 16)}.png`
  expect((await copy()).outcomes).toEqual([
    `copied ${fresh}`,
    `present ${NAMES.all}`,
    `copied ${NAMES.form}`,
    `present ${NAMES.terms}`,
  ])
  expect(readFileSync(join(folder, NAMES.form), 'utf8')).toBe('form')
  expect(readdirSync(folder).toSorted()).toEqual(
    [fresh, NAMES.a, NAMES.all, NAMES.form, NAMES.terms, 'link', 'older-0123.png'].toSorted(),
  )
})

test('an error in the content prevents copying', async () => {
  const { folder, copy } = await createProject({ 'content/bad.md': article('B', '![x](none.png)') })
  const { outcomes, diagnostics } = await copy()
  expect([outcomes, diagnostics.map(({ code }) => code).filter((code) => code === 'asset-missing')]).toEqual([
    [],
    ['asset-missing'],
  ])
  expect(readdirSync(folder)).toEqual([])
})

test('unsuitable folders are rejected', async () => {
  const { root, folder, copy } = await createProject()
  const content = join(root, 'content')
  symlinkSync(content, join(root, 'alias'))
  writeFileSync(join(root, 'file'), '')
  const refused = ['content', 'content/new/deep', 'alias/out', 'file'].map((path) => join(root, path))
  for (const path of refused) await expect(copy({ folder: path })).rejects.toMatchObject({ code: 'USAGE' })
  await expect(copy({ folder: join(root, 'file', 'below') })).rejects.toMatchObject({
    code: 'ASSETS_NOT_COPIED',
  })
  expect(readdirSync(content)).not.toContain('new')
  // A folder has the name of the file.
  mkdirSync(join(folder, NAMES.a, 'x'), { recursive: true })
  await expect(copy()).rejects.toMatchObject({ code: 'ASSETS_NOT_COPIED' })
  expect(readdirSync(folder)).toEqual([NAMES.a])
})

test('without a base URL there is nothing to copy', async () => {
  const { copy } = await createProject({}, {})
  await expect(copy()).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('assets.baseUrl') as string,
  })
})

test('an interrupted run leaves only complete files', async () => {
  const { folder, settings } = await createProject()
  const stopper = new AbortController()
  const run = copyAssets({
    settings,
    folder,
    signal: stopper.signal,
    onProgress: (phase, done) => {
      if (phase === 'copy' && done === 2) stopper.abort()
    },
  })
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED', message: 'Stopped after 2 of 4 files.' })
  expect(readdirSync(folder).toSorted()).toEqual([NAMES.a, NAMES.all])
})

test('a file that has changed since the check is not published', async () => {
  const { root, folder, settings } = await createProject()
  const asset = { source: 'a.png', bytes: 5, hash: digest('other') }
  mkdirSync(folder, { recursive: true })
  const copying = (source: string) =>
    copyWhole(settings.contentRoot, { ...asset, source }, join(folder, 'a.png'))
  await expect(copying('a.png')).rejects.toMatchObject({ code: 'ASSETS_NOT_COPIED' })
  writeFileSync(join(root, 'secret'), 'other')
  symlinkSync(join(root, 'secret'), join(settings.contentRoot, 'secret.png'))
  await expect(copying(basename('secret.png'))).rejects.toMatchObject({ code: 'ASSETS_NOT_COPIED' })
  expect(readdirSync(folder)).toEqual([])
})
