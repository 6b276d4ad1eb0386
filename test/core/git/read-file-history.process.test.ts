import { expect, test } from 'vitest'
import { readFileHistory } from '../../../src/core/git/read-file-history.ts'
import { cloneProject, createGitProject, type GitProject } from '../../inspect/check/history/git-project.ts'

const LONG = 'A line that stays.\n'.repeat(30)
const ENV = { PATH: process.env['PATH'] }

async function pastOf({ contentRoot }: GitProject, sources: readonly string[]) {
  const past = await readFileHistory({ folder: contentRoot, sources, wantsAuthors: false, env: ENV })
  if (past.kind !== 'whole') return past.kind
  return sources.map((source) => [past.lastCommitOf(source)?.date, past.isEdited(source)])
}

test('finds the last change of each file by its current name on disk', async () => {
  const project = createGitProject({})
  project.commit(
    { 'kept.md': `${LONG}1`, 'moved.md': `${LONG}2`, 'edited.md': `${LONG}3` },
    '2026-01-10T12:00:00Z',
  )
  project.commit({ 'gone.md': `${LONG}4`, 'both.md': `${LONG}5` }, '2026-02-10T12:00:00Z')
  project.move('moved.md', 'moved-here.md')
  project.write({
    'edited.md': 'Another text.',
    'gone.md': undefined,
    'both.md': undefined,
    'both-here.md': `${LONG}6`,
    'new.md': 'New.',
  })
  expect(
    await pastOf(project, ['kept.md', 'moved-here.md', 'edited.md', 'both-here.md', 'new.md', 'never.md']),
  ).toEqual([
    ['2026-01-10', false],
    ['2026-01-10', false],
    ['2026-01-10', true],
    ['2026-02-10', true],
    [undefined, true],
    [undefined, false],
  ])
})

test('dates are in UTC, wherever a commit was made', async () => {
  const project = createGitProject({})
  project.commit({ 'east.md': '1' }, '2026-05-01T01:30:00+12:00')
  project.commit({ 'west.md': '1' }, '2026-05-01T23:30:00-08:00')
  expect(await pastOf(project, ['east.md', 'west.md'])).toEqual([
    ['2026-04-30', false],
    ['2026-05-02', false],
  ])
})

test('a file that one branch deleted and another kept was changed by the latter', async () => {
  const project = createGitProject({})
  project.commit({ 'a.md': '1', 'b.md': '1' }, '2026-01-10T12:00:00Z')
  project.git('checkout', '--quiet', '-b', 'other')
  project.commit({ 'a.md': undefined, 'b.md': '2' }, '2026-01-12T12:00:00Z')
  project.git('checkout', '--quiet', 'main')
  project.commit({ 'a.md': '2' }, '2026-01-11T12:00:00Z')
  project.git('merge', '--quiet', '--strategy=ours', '--no-commit', 'other')
  project.commit({ 'b.md': '2' }, '2026-01-13T12:00:00Z')
  expect(await pastOf(project, ['a.md', 'b.md'])).toEqual([
    ['2026-01-11', false],
    ['2026-01-12', false],
  ])
})

test('distinguishes a folder outside a repository from a clone without history', async () => {
  const project = createGitProject({ 'a.md': '1' })
  expect(await pastOf(project, ['a.md'])).toBe('none')
  project.commit({}, '2026-01-10T12:00:00Z')
  project.commit({ 'a.md': '2' }, '2026-01-11T12:00:00Z')
  expect(await pastOf(project, ['a.md'])).toEqual([['2026-01-11', false]])
  expect(await pastOf(cloneProject(project, '--depth=1'), ['a.md'])).toBe('shallow')
})
