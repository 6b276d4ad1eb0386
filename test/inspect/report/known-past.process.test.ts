// Data of git, CODEOWNERS and the target about articles.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeTrend } from '../../../src/cli/report/describe-changes.ts'
import type { HistoryPoint, OwnerSource } from '../../../src/web/report/report.ts'
import { runIn } from '../check/history/git-project.ts'
import { article, type Files } from '../../support/project.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { startListingService } from './listing-service.ts'
import { createReportProject } from './report-project.ts'

const PATH = process.env['PATH']
const FILES = {
  'content/a.md': article('A'),
  'content/fr/a.md': article('A fr').replace('---\n', '---\nlanguage: fr\ntranslationOf: a\n'),
}
const dated = (id: string, creator?: object) => ({
  id,
  name: id,
  article_review_date: '2027-01-31',
  users_articles_created_byTousers: creator,
})

async function setUp(files: Files = FILES, creator?: object) {
  const reviewDates = [dated('a', creator), dated('f', creator)]
  const service = await startListingService({ reviewDates })
  onTestFinished(service.close)
  const project = createReportProject(service.url, files)
  await project.know({ 'a.md': 'a', 'fr/a.md': 'f' })
  const owners = (from: OwnerSource) => ({ owners: { shown: 'names', from }, env: { PATH } }) as const
  return { ...project, owners }
}

function commit(root: string, ...files: readonly string[]): void {
  runIn(root, ['init', '--quiet'])
  runIn(root, ['add', ...files])
  runIn(root, ['commit', '--quiet', '--message', 'x'])
}

test('reading the log once provides ages, translations and authors', async () => {
  const { root, report, owners } = await setUp()
  commit(root, 'content')
  const trace = join(temporaryFolder(), 'trace')
  const made = await report({ ...owners('git'), env: { PATH, GIT_TRACE: trace } })
  expect(made.ages?.bands.find(({ count }) => count > 0)).toMatchObject({ label: '1 to 2 years', count: 2 })
  expect(made.reviews.overdue.entries.map((each) => each.owners)).toEqual([[{ name: 'A' }], [{ name: 'A' }]])
  expect([made.counts.outdatedTranslations, made.notes]).toEqual([0, []])
  expect(readFileSync(trace, 'utf8').match(/built-in: git log/g)).toHaveLength(1)
})

test.each<[OwnerSource, Files, string]>([
  ['target', {}, 'the target does not send who created its articles'],
  ['codeowners', { CODEOWNERS: 'src/ @dev\n' }, 'CODEOWNERS lists none for these files'],
  ['git', {}, 'git has no author for these files'],
])('if %s names no one, that is reported', async (from, files, reason) => {
  const { root, report, owners } = await setUp({ ...FILES, ...files, README: 'x' })
  commit(root, 'README')
  const { notes } = await report(owners(from))
  expect(notes.filter((note) => note.startsWith('No owner is shown'))).toEqual([
    expect.stringContaining(`: ${reason}`),
  ])
})

test('authors of files without an article are not counted', async () => {
  const { root, report, owners, remove } = await setUp()
  commit(root, 'content')
  remove('.kb')
  const { notes } = await report(owners('git'))
  expect(notes).toContainEqual(expect.stringContaining('2 of 2 files have no article'))
  expect(notes).not.toContainEqual(expect.stringContaining('No owner'))
})

test('with at least one owner, there is no note', async () => {
  const { report, owners } = await setUp(FILES, { username: 'ada' })
  expect((await report(owners('target'))).notes).not.toContainEqual(expect.stringContaining('No owner'))
})

test.each<[string, string, { readonly isShallow?: boolean; readonly path?: string }]>([
  [
    'the clone lacks the history',
    'this clone lacks the history (run git fetch --unshallow)',
    { isShallow: true },
  ],
  ['there is no git', 'git was not found (install it, or add its folder to PATH)', { path: '/nowhere' }],
])('if %s, each note that needs it contains the fix, and no number is stated', async (_, reason, given) => {
  const { root, report, owners, write } = await setUp()
  commit(root, 'content')
  write({ 'content/b.md': article('B') })
  commit(root, 'content')
  await report({ ...owners('git'), keepsHistory: true, now: () => new Date('2027-03-14T12:00:00Z') })
  if (given.isShallow === true) write({ '.git/shallow': `${runIn(root, ['rev-parse', 'HEAD'])}\n` })
  const env = { PATH: given.path ?? PATH }
  const made = await report({ ...owners('git'), env, keepsHistory: true })
  expect(made.notes.filter((note) => note.includes(': '))).toEqual([
    `Authors are unknown: ${reason}.`,
    `Translations are not compared with their originals: ${reason}.`,
    `The age of articles is unknown: ${reason}.`,
  ])
  const numbers = [...made.history, made.counts].map((each) => each.outdatedTranslations)
  expect([numbers, made.translations, made.ages]).toEqual([[0, undefined, undefined], undefined, undefined])
  const sameEnd = { ...made.history[0], ...made.history[1], overdue: 7 } as HistoryPoint
  expect(describeTrend([...made.history.slice(0, 1), sameEnd])).toBe(
    'Over 2 reports since 2027-03-14: overdue 2 to 7.',
  )
})
