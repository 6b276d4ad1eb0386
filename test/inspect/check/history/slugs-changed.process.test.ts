import { expect, test } from 'vitest'
import type { SourceProblem } from '../../../../src/content/source/source-problem.ts'
import { cloneProject, createGitProject, type GitProject } from './git-project.ts'

const TEXT = 'All our prices.\n\n'.repeat(20)
const article = (fields: string, text = TEXT) =>
  `---\ntitle: Prices\ncategories: [Guides]\n${fields}---\n\n${text}`
const published = (fields = '', text?: string) => article(`status: published\n${fields}`, text)

type Environment = Readonly<Record<string, string>>

async function sources(project: GitProject, env?: Environment): Promise<string[]> {
  return (await project.changedSlugs(env)).map(({ source }) => source)
}

test('a slug that changed since the last commit, with position and advice', async () => {
  const project = createGitProject({ 'prices.md': published() })
  project.commit()
  expect(await project.changedSlugs()).toEqual([])
  project.write({ 'prices.md': published('slug: costs\n') })
  expect(await project.changedSlugs()).toEqual([
    {
      source: 'prices.md',
      problem: {
        code: 'slug-changed',
        line: 5,
        column: 7,
        end: { line: 5, column: 12 },
        message:
          'The article is published as "prices" and gets the slug "costs": links from elsewhere break.',
        hint: 'To keep the URL, set `slug: prices`.',
      },
    },
  ] satisfies SourceProblem[])
  project.commit()
  expect(await project.changedSlugs()).toEqual([])
})

test.each(['told', 'not told'])(
  'a moved file has a slug derived from its name; git was %s of it',
  async (told) => {
    const project = createGitProject({ 'prices.md': published(), 'other.md': published('', 'Other.\n') })
    project.commit()
    const index = project.git('ls-files', '--stage')
    project.move('prices.md', 'prix "été" $x.md'.normalize('NFD'))
    project.write({ ['prix "été" $x.md'.normalize('NFD')]: published('slug: prix\n') })
    if (told === 'told') project.git('add', '--all', ':!*/.kb')
    expect(await sources(project)).toEqual(['prix "été" $x.md'.normalize('NFD')])
    if (told !== 'told') expect(project.git('ls-files', '--stage')).toBe(index)
  },
)

test('a moved file that keeps its slug is valid', async () => {
  const project = createGitProject({ 'prices.md': published() })
  project.commit()
  project.move('prices.md', 'costs.md')
  project.write({ 'costs.md': published('slug: prices\n') })
  expect(await sources(project)).toEqual([])
})

test('a slug that another article has taken had to change', async () => {
  const project = createGitProject({ 'prices.md': published() })
  project.commit()
  project.write({
    'prices.md': published('slug: old-prices\n'),
    'new.md': published('slug: prices\n', 'New.\n'),
  })
  expect(await sources(project)).toEqual([])
  project.write({ 'new.md': published('slug: prices\nlanguage: fr\n', 'New.\n') })
  expect(await sources(project)).toEqual(['prices.md'])
})

test('drafts, articles in another language, and other files have no URL to keep', async () => {
  const project = createGitProject({
    'was-draft.md': article(''),
    'is-draft.md': published('', 'B\n'),
    'french.md': published('', 'C\n'),
    '_hidden.md': published('', `D\n${TEXT}`),
    'broken.md': `---\ntitle: [\nstatus: published\n---\n`,
  })
  project.commit()
  project.move('_hidden.md', 'hidden.md')
  project.write({
    'was-draft.md': published('slug: a\n'),
    'is-draft.md': article('slug: b\n', 'B\n'),
    'french.md': published('slug: c\nlanguage: fr\n', 'C\n'),
    'broken.md': published('slug: e\n'),
  })
  expect(await sources(project)).toEqual([])
})

test('a pull request is compared with its base commit', async () => {
  const origin = createGitProject({ 'prices.md': published() })
  const start = origin.commit()
  const project = cloneProject(origin)
  origin.commit({ 'prices.md': published('slug: taken-elsewhere\n') })
  project.git('checkout', '--quiet', '-b', 'feature')
  project.commit({ 'prices.md': published('slug: costs\n') })
  project.git('fetch', '--quiet')
  expect(await sources(project)).toEqual([])
  expect(await sources(project, { GITHUB_BASE_REF: '' })).toEqual([])
  expect(await sources(project, { GITHUB_BASE_REF: 'main' })).toEqual(['prices.md'])
  expect(await sources(project, { CI_MERGE_REQUEST_DIFF_BASE_SHA: start })).toEqual(['prices.md'])
  expect(await sources(project, { GITHUB_BASE_REF: 'gone' })).toEqual([])
  expect(await sources(project, { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'f'.repeat(40) })).toEqual([])
  expect(await sources(project, { CI_MERGE_REQUEST_DIFF_BASE_SHA: '--output=x' })).toEqual([])
})

test('a byte that is not UTF-8, CRLF and a byte order mark in the previous text', async () => {
  const project = createGitProject({
    'prices.md': `\uFEFF${published().replaceAll('\n', '\r\n')}`,
    'b.md': published('', 'B\n'),
  })
  project.git('config', 'core.autocrlf', 'false')
  project.commit()
  project.write({ 'prices.md': published('slug: costs\n'), 'b.md': published('slug: c\n', 'B\n') })
  expect(await sources(project)).toEqual(['b.md', 'prices.md'])
})

test('without repository or commit there is nothing to compare with', async () => {
  const project = createGitProject({ 'prices.md': published() })
  expect(await sources(project)).toEqual([])
  expect(await sources(project, { PATH: '/nowhere' })).toEqual([])
})
