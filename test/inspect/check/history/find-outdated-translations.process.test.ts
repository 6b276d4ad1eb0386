import { expect, test } from 'vitest'
import { findOutdatedTranslations } from '../../../../src/inspect/check/history/find-outdated-translations.ts'
import { loadFolder } from '../../../content/load-files.ts'
import { cloneProject, createGitProject, type GitProject } from './git-project.ts'

const ORIGINAL = '---\ntitle: Prices\ncategories: [Guides]\n---\n\nText.\n'
const TRANSLATION = `---\ntitle: Prix\nlanguage: fr\ncategories: [Guides]\ntranslationOf: prices\n---\n\nTexte.\n`
const FILES = { 'en/prices.md': ORIGINAL, 'fr/prix.md': TRANSLATION }

async function findIn(project: GitProject) {
  const { articles } = await loadFolder(project.contentRoot)
  const found = await findOutdatedTranslations({
    git: { folder: project.contentRoot, env: { PATH: process.env['PATH'] } },
    contentPrefix: 'content/',
    articles,
    defaults: { language: 'en', status: 'draft' },
  })
  return found?.map(({ article, translated, ...rest }) => ({
    ...rest,
    file: article.source,
    on: translated.date,
  }))
}

test('outdated translations, with the date and the command that shows the difference', async () => {
  const project = createGitProject(FILES)
  const first = project.commit({}, '2026-03-01T12:00:00Z').slice(0, 7)
  project.commit({ 'en/prices.md': `${ORIGINAL}More.\n` }, '2026-03-05T12:00:00Z')
  const behind = { file: 'fr/prix.md', original: 'en/prices.md', on: '2026-03-01' }
  const diff = `git diff ${first} -- content/en/prices.md`
  expect(await findIn(project)).toEqual([{ ...behind, originalChanged: '2026-03-05', diff }])
  project.write({ 'en/prices.md': `${ORIGINAL}Even more.\n` })
  expect(await findIn(project)).toEqual([{ ...behind, originalChanged: undefined, diff }])
})

test('if git does not know the history, that is reported and does not count as up to date', async () => {
  const project = createGitProject(FILES)
  expect(await findIn(project)).toBeUndefined()
  project.commit()
  expect(await findIn(project)).toEqual([])
  project.commit({ 'en/prices.md': `${ORIGINAL}More.\n` })
  expect(await findIn(cloneProject(project, '--depth=1'))).toBeUndefined()
})

test('without translations, git is not asked', async () => {
  expect(await findIn(createGitProject({ 'en/prices.md': ORIGINAL }))).toEqual([])
})
