import { expect, test } from 'vitest'
import { readFileHistory } from '../../../../src/core/git/read-file-history.ts'
import type { OwnersShown } from '../../../../src/web/report/report.ts'
import { gitOwners } from '../../../../src/inspect/report/owners/find-owners.ts'
import { cloneProject, createGitProject, type GitProject } from '../../check/history/git-project.ts'

const ADA = 'Ada Smith <ada@example.com>'
const BOB = 'Bob <bob@example.com>'

const LONG = 'A line that stays.\n'.repeat(30)

function commitAs(
  project: GitProject,
  author: string,
  files: Readonly<Record<string, string | undefined>>,
  ...args: readonly string[]
) {
  project.write(files)
  project.git('add', '--all')
  project.git('commit', '--quiet', '--message', 'change', '--author', author, ...args)
}

async function authorsIn(
  project: GitProject,
  sources: readonly string[],
  shown: OwnersShown = 'names',
  env: Readonly<Record<string, string | undefined>> = { PATH: process.env['PATH'] },
) {
  const past = await readFileHistory({ folder: project.contentRoot, sources, wantsAuthors: true, env })
  const { ownersOf, notes } = gitOwners(past, shown)
  return { owners: sources.map((source) => ownersOf(source).map(({ name, email }) => email ?? name)), notes }
}

test('most commits first, the later one among equals, three at most, without bots', async () => {
  const project = createGitProject({ 'a.md': '1', 'b.md': '1' }, 'content')
  commitAs(project, ADA, { 'a.md': '2', 'b.md': '2' })
  commitAs(project, BOB, { 'a.md': '3', 'b.md': '3' })
  commitAs(project, ADA, { 'a.md': '4' })
  commitAs(project, 'renovate[bot] <bot@example.com>', { 'a.md': '5' })
  commitAs(project, 'Cleo <cleo@example.com>', { 'a.md': '6' })
  commitAs(project, 'Dan <dan@example.com>', { 'a.md': '7' })
  project.write({ 'new.md': 'Not committed' })
  expect(await authorsIn(project, ['a.md', 'b.md', 'new.md'])).toEqual({
    owners: [['Ada Smith', 'Dan', 'Cleo'], ['Bob', 'Ada Smith'], []],
    notes: [],
  })
  expect((await authorsIn(project, ['b.md'], 'email')).owners).toEqual([
    ['bob@example.com', 'ada@example.com'],
  ])
})

test('one person with several names counts once, by .mailmap or by the address', async () => {
  const project = createGitProject({ 'a.md': '1' }, 'content')
  commitAs(project, 'ada <ADA@example.com>', {})
  commitAs(project, ADA, { 'a.md': '2' })
  commitAs(project, 'Robert <rob@home.example>', { 'a.md': '3' })
  commitAs(project, BOB, { 'a.md': '4' })
  project.write({
    '../.mailmap': 'Bob Jones <bob@example.com>\nBob Jones <bob@example.com> <rob@home.example>\n',
  })
  expect((await authorsIn(project, ['a.md'], 'email')).owners).toEqual([
    ['bob@example.com', 'ada@example.com'],
  ])
  expect((await authorsIn(project, ['a.md'])).owners).toEqual([['Bob Jones', 'Ada Smith']])
})

test('a moved file keeps its authors, even if its links were rewritten', async () => {
  const project = createGitProject({ 'a.md': LONG, 'é "x".md': LONG.repeat(2) }, 'content')
  commitAs(project, ADA, { 'a.md': `${LONG}1` })
  commitAs(project, ADA, { 'a.md': `${LONG}2` })
  commitAs(project, BOB, { 'a.md': undefined, 'guides/a.md': `${LONG}[x](../2.md)` })
  // Another file at the former path has other authors.
  commitAs(project, 'Cleo <cleo@example.com>', { 'a.md': 'Something else.' })
  expect((await authorsIn(project, ['guides/a.md', 'a.md'])).owners).toEqual([['Ada Smith', 'Bob'], ['Cleo']])
})

test('a file that was moved and not committed yet is found by its former name', async () => {
  const project = createGitProject({}, 'content')
  commitAs(project, ADA, { 'a.md': LONG, 'b.md': LONG.repeat(3) })
  project.move('a.md', 'new-a.md')
  project.write({ 'b.md': undefined, 'new-b.md': `${LONG.repeat(3)}More.`, 'c.md': 'Another' })
  expect((await authorsIn(project, ['new-a.md', 'new-b.md', 'c.md'])).owners).toEqual([
    ['Ada Smith'],
    ['Ada Smith'],
    [],
  ])
})

test('names in any form, whatever the user has configured', async () => {
  const name = 'é "x" $y 価格.md'
  const project = createGitProject({}, 'content')
  commitAs(project, 'Zoë Ünal <zoe@example.com>', { [name.normalize('NFD')]: '1' })
  project.git('config', 'color.ui', 'always')
  project.git('config', 'log.showSignature', 'true')
  project.git('config', 'log.mailmap', 'false')
  project.git('config', 'diff.renames', 'false')
  expect((await authorsIn(project, [name, name.normalize('NFD')])).owners).toEqual([
    ['Zoë Ünal'],
    ['Zoë Ünal'],
  ])
})

test('a name that is an address is shown only with addresses', async () => {
  const project = createGitProject({}, 'content')
  commitAs(project, 'ada@example.com <ada@example.com>', { 'a.md': '1' })
  expect((await authorsIn(project, ['a.md'])).owners).toEqual([[]])
  expect((await authorsIn(project, ['a.md'], 'email')).owners).toEqual([['ada@example.com']])
})

test('a clone without the history names no one instead of the last author', async () => {
  const project = createGitProject({ 'a.md': '1' }, 'content')
  commitAs(project, ADA, { 'a.md': '2' })
  commitAs(project, BOB, { 'a.md': '3' })
  expect((await authorsIn(cloneProject(project), ['a.md'])).owners).toEqual([['Bob', 'Ada Smith']])
  expect(await authorsIn(cloneProject(project, '--depth=1'), ['a.md'])).toEqual({
    owners: [[]],
    notes: ['Authors are unknown: this clone lacks the history (run git fetch --unshallow).'],
  })
})

test('a clone without file contents follows files that were moved unchanged', async () => {
  const project = createGitProject({}, 'content')
  commitAs(project, ADA, { 'a.md': LONG, 'other.md': LONG.repeat(3) })
  project.move('a.md', 'b.md')
  commitAs(project, BOB, {})
  // To recognise the file, git would have to fetch its former text.
  commitAs(project, BOB, { 'other.md': undefined, 'renamed.md': `${LONG.repeat(3)}More.` })
  project.git('config', 'uploadpack.allowFilter', 'true')
  expect((await authorsIn(cloneProject(project, '--filter=blob:none'), ['b.md'])).owners).toEqual([
    ['Bob', 'Ada Smith'],
  ])
})

test('no repository, no commit and no git', async () => {
  const nothing = { owners: [[]], notes: ['Authors are unknown: git has no history of these files.'] }
  const project = createGitProject({ 'a.md': '1' }, 'content')
  expect(await authorsIn(project, ['a.md'])).toEqual(nothing)
  commitAs(project, ADA, {})
  expect((await authorsIn(project, ['a.md'])).notes).toEqual([])
  expect(await authorsIn(project, ['a.md'], 'names', { PATH: '/nowhere' })).toEqual({
    owners: [[]],
    notes: ['Authors are unknown: git was not found (install it, or add its folder to PATH).'],
  })
})
