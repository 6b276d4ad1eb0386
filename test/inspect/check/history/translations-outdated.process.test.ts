import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SourceProblem } from '../../../../src/content/source/source-problem.ts'
import { cloneProject, createGitProject, type GitProject } from './git-project.ts'

const original = (text = 'Text.') => `---\ntitle: Prices\ncategories: [Guides]\n---\n\n${text}\n`
const translation = (text = 'Texte.', of = 'prices') =>
  `---\ntitle: Prix\nlanguage: fr\ncategories: [Guides]\ntranslationOf: ${of}\n---\n\n${text}\n`

const BOTH = { 'en/prices.md': original(), 'fr/prix.md': translation() }

async function sources(project: GitProject): Promise<string[]> {
  return (await project.outdated()).map(({ source }) => source)
}

test('an original changed after its translation, with position and advice', async () => {
  const project = createGitProject(BOTH)
  const first = project.commit()
  project.commit({ 'en/prices.md': original('More text.') })
  expect(await project.outdated()).toEqual([
    {
      source: 'fr/prix.md',
      problem: {
        code: 'translation-outdated',
        line: 5,
        column: 16,
        end: { line: 5, column: 22 },
        message: 'The original en/prices.md was changed on 2026-03-01, after its translation (2026-03-01).',
        hint: `\`git diff ${first.slice(0, 7)} -- content/en/prices.md\` shows what to translate. Any change of this file marks the translation as up to date.`,
      },
    },
  ] satisfies SourceProblem[])
  project.commit({ 'fr/prix.md': translation('Plus de texte.') })
  expect(await project.outdated()).toEqual([])
})

test('a commit that changes both needs no comparison', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.commit({ 'en/prices.md': original('2'), 'fr/prix.md': translation('2') })
  expect(await project.outdated()).toEqual([])
})

test('uncommitted changes are the newest', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.write({ 'en/prices.md': original('2') })
  const [found, ...others] = await project.outdated()
  expect(others).toEqual([])
  expect(found?.problem.message).toBe(
    'The original en/prices.md was changed and is not committed yet, after its translation (2026-03-01).',
  )
  project.write({ 'fr/prix.md': translation('2') })
  expect(await sources(project)).toEqual([])
  project.commit({ 'en/prices.md': original('2'), 'fr/prix.md': translation() })
  project.write({ 'fr/prix.md': translation('2') })
  expect(await sources(project)).toEqual([])
})

test('a new file that git does not track is the newest, too', async () => {
  const project = createGitProject({ 'en/prices.md': original() })
  project.commit()
  project.commit({ 'en/prices.md': original('2') })
  project.write({ 'fr/prix.md': translation() })
  expect(await sources(project)).toEqual([])
})

test('a translation on another branch lacks the change, whatever the dates are', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.git('checkout', '--quiet', '-b', 'french')
  project.commit({ 'fr/prix.md': translation('2') })
  project.git('checkout', '--quiet', 'main')
  project.commit({ 'en/prices.md': original('2') })
  project.git('merge', '--quiet', '--no-edit', 'french')
  expect(await sources(project)).toEqual(['fr/prix.md'])
  project.commit({ 'fr/prix.md': translation('3') })
  expect(await sources(project)).toEqual([])
})

test('a translation made on a branch with the change is up to date after the merge', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.commit({ 'en/prices.md': original('2') })
  project.git('checkout', '--quiet', '-b', 'french')
  project.commit({ 'fr/prix.md': translation('2') })
  project.git('checkout', '--quiet', 'main')
  project.commit({ 'en/other.md': original('Other.').replace('Prices', 'Other') })
  project.git('merge', '--quiet', '--no-edit', 'french')
  expect(await sources(project)).toEqual([])
})

test('moving a file does not change its text, committed or not', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.move('en/prices.md', 'en/costs.md')
  project.write({ 'fr/prix.md': translation('Texte.', 'en/costs.md') })
  project.commit()
  expect(await sources(project)).toEqual([])
  project.move('en/costs.md', 'en/prices.md')
  project.commit({ 'fr/prix.md': translation('Texte.') })
  project.move('fr/prix.md', 'fr/tarifs.md')
  expect(await sources(project)).toEqual([])
  project.commit()
  expect(await sources(project)).toEqual([])
  project.commit({ 'en/prices.md': original('2') })
  project.move('fr/tarifs.md', 'fr/prix.md')
  expect(await sources(project)).toEqual(['fr/prix.md'])
  project.commit()
  expect(await sources(project)).toEqual(['fr/prix.md'])
})

test('names in any form, and a hint that is safe for a shell', async () => {
  const name = 'en/Prix "d\'été" $(x) 価格.md'
  const decomposed = 'fr/e\u0301te\u0301.md'
  const project = createGitProject({
    [name]: original().replace('title', 'slug: prices\ntitle'),
    [decomposed]: translation('1', `'${name.replaceAll("'", "''")}'`),
  })
  const first = project.commit()
  project.commit({ [name]: original('2').replace('title', 'slug: prices\ntitle') })
  const [found] = await project.outdated()
  expect(found?.source).toBe(decomposed)
  expect(found?.problem.hint).toContain(`\`git diff ${first.slice(0, 7)}\` shows`)
})

test('a slow clock makes no translation outdated', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.commit({ 'en/prices.md': original('2') }, '2026-03-02T12:00:00Z')
  project.commit({ 'fr/prix.md': translation('2') }, '2026-03-02T11:00:00Z')
  expect(await sources(project)).toEqual([])
})

test('if dates hide the path from one commit to the other, git is asked', async () => {
  const other = (name: string) => original(name).replace('Prices', name)
  const project = createGitProject(BOTH)
  project.commit({}, '2026-02-01T12:00:00Z')
  project.commit({ 'en/prices.md': original('2') }, '2026-03-02T12:00:00Z')
  project.git('checkout', '--quiet', '-b', 'french')
  project.commit({ 'en/old.md': other('Old') }, '2026-01-01T12:00:00Z')
  project.commit({ 'fr/prix.md': translation('2') }, '2026-03-04T12:00:00Z')
  project.git('checkout', '--quiet', 'main')
  project.commit({ 'en/new.md': other('New') }, '2026-03-05T12:00:00Z')
  project.git('merge', '--quiet', '--no-edit', 'french')
  expect(await sources(project)).toEqual([])
})

test('the history is read only as far back as needed', async () => {
  const project = createGitProject({})
  const root = project.commit({}, '2026-01-01T12:00:00Z')
  for (const text of ['1', '2', '3'])
    project.commit({ 'en/other.md': original(text).replace('Prices', 'Other') }, '2026-01-20T12:00:00Z')
  project.commit(BOTH, '2026-02-01T12:00:00Z')
  project.commit({ 'fr/prix.md': translation('2') }, '2026-02-10T12:00:00Z')
  project.commit({ 'en/prices.md': original('2') }, '2026-02-20T12:00:00Z')
  rmSync(join(project.root, '.git/objects', root.slice(0, 2), root.slice(2)))
  expect(() => project.git('log', 'HEAD')).toThrow('git log HEAD')
  expect(await sources(project)).toEqual(['fr/prix.md'])
})

test('a shallow clone, a folder without repository and one without commit report nothing', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.commit({ 'en/prices.md': original('2') })
  expect(await sources(cloneProject(project))).toEqual(['fr/prix.md'])
  expect(await sources(cloneProject(project, '--depth=1'))).toEqual([])
  expect(await createGitProject(BOTH).outdated()).toEqual([])
})

test('git started by a git hook, and no git at all', async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.commit({ 'en/prices.md': original('2') })
  const ofHook = { GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index', GIT_PREFIX: '' }
  expect(await project.outdated(ofHook)).toHaveLength(1)
  expect(await project.outdated({ PATH: '/nowhere' })).toEqual([])
})

test("the user's display settings have no effect", async () => {
  const project = createGitProject(BOTH)
  project.commit()
  project.git('config', 'log.showSignature', 'true')
  project.git('config', 'log.follow', 'true')
  project.git('config', 'color.ui', 'always')
  project.git('config', 'diff.noprefix', 'true')
  project.git('config', 'diff.renames', 'false')
  project.git('config', 'log.diffMerges', 'first-parent')
  project.commit({ 'en/prices.md': original('2') })
  expect(await sources(project)).toEqual(['fr/prix.md'])
})

test('an original that was moved, or whose links were rewritten, has not changed', async () => {
  const linking = (address: string, words = 'Text') =>
    original(
      `${words} with [a link](${address}) and <a href="${address}">another</a>.\n\n${'It stays. '.repeat(50)}`,
    )
  const project = createGitProject({ 'en/prices.md': linking('shop.md'), 'fr/prix.md': translation() })
  const first = project.commit()
  project.write({ 'en/prices.md': linking('../store.md') })
  expect(await sources(project)).toEqual([])
  project.commit({ 'en/prices.md': linking('../store.md').replace('title:', 'slug: prices\ntitle:') })
  expect(await sources(project)).toEqual([])
  project.write({ 'en/prices.md': undefined, 'en/new/prices.md': linking('../../store.md') })
  expect(await sources(project)).toEqual([])
  project.commit({ 'en/new/prices.md': linking('../../store.md', 'Other text') })
  expect((await project.outdated()).map(({ problem }) => problem.hint)).toEqual([
    `\`git diff -M ${first.slice(0, 7)} -- content/en/prices.md content/en/new/prices.md\` shows what to translate. Any change of this file marks the translation as up to date.`,
  ])
})
