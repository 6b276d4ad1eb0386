// Problems of authors: they are reported, hold articles back, and are resolved by the next save.
import { expect, test } from 'vitest'
import { article } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { CATEGORIES, createWatchedProject, startWatching } from '../support/watched-project.ts'

const TWO = { 'content/one.md': article('One'), 'content/two.md': article('Two') }
const BROKEN = '---\ntitel: One\ncategories: [Guides]\n---\n\nBroken.\n'

test('a problem is reported, holds its article back, and is resolved by the next save', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({ 'content/one.md': BROKEN })
  await watch.settled()
  expect(watch.told()).toEqual(['problems title-missing content/one.md', 'settled'])
  expect(watch.view()).toMatchObject({ heldBack: new Set(['one.md']), diagnostics: [{}] })
  expect(watch.view()?.content?.articles.map(({ source }) => source)).toEqual(['one.md', 'two.md'])
  project.write({ 'content/two.md': article('Two', { body: 'Sent meanwhile.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update two.md', 'settled'])
  project.write({ 'content/one.md': article('One', { body: 'Mended.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['problems fixed content/one.md', 'sent update one.md', 'settled'])
  expect(await watch.stop()).toEqual({ sent: 4, pending: 0, heldBack: [], failures: [], isComplete: true })
})

test('a problem at the start holds only its article back', async () => {
  const project = createWatchedProject({ ...TWO, 'content/one.md': BROKEN })
  const watch = project.watch()
  const { heldBack } = await watch.next('problems')
  expect(heldBack).toEqual(['one.md'])
  expect((await watch.next('ready')).result.summary).toMatchObject({ created: 1 })
  project.write({ 'content/one.md': article('One') })
  expect((await watch.next('sent')).operations).toMatchObject([{ action: 'create', source: 'one.md' }])
})

test('a broken link to a removed file is a problem of the file that contains it', async () => {
  const project = createWatchedProject({
    ...TWO,
    'content/one.md': article('One', { body: 'See [two](two.md).' }),
  })
  const watch = await startWatching(project)
  project.remove('content/two.md')
  const { appeared, heldBack } = await watch.next('problems')
  expect(appeared.map(({ code, file }) => `${code} ${file}`)).toEqual(['link-file-missing content/one.md'])
  expect(heldBack).toEqual(['one.md'])
  project.write({ 'content/two.md': article('Two') })
  expect((await watch.next('problems')).fixed).toEqual(['content/one.md'])
})

test('a problem in the categories holds everything back', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({ 'content/_categories.yml': '- name: [\n' })
  await watch.next('problems')
  project.write({ 'content/one.md': article('One', { body: 'It waits.' }) })
  await watch.settled()
  expect(watch.told().filter((line) => line.startsWith('sent'))).toEqual([])
  expect(watch.view()?.sync).toMatchObject({ state: 'syncing', pending: 2 })
  project.write({ 'content/_categories.yml': `${CATEGORIES}- name: News\n  slug: news\n` })
  await watch.settled()
  const sent = watch.told().find((line) => line.startsWith('sent'))
  expect(sent).toBe('sent create _categories.yml, update one.md')
})

test('a warning is reported, and its article sent', async () => {
  const project = createWatchedProject(TWO, { rules: { 'heading-skipped': 'warning' } })
  const watch = await startWatching(project)
  project.write({ 'content/one.md': article('One', { body: 'Text.\n\n## A\n\n#### B' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['problems heading-skipped content/one.md', 'sent update one.md', 'settled'])
})

test('an article that is held back does not count as one whose file is gone', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project, { prune: true })
  project.write({ 'content/one.md': BROKEN })
  await watch.settled()
  await watch.stop()
  const again = project.watch({ prune: true })
  await again.next('ready')
  await again.next('settled')
  await again.stop()
  expect([...(await builtinArticles(project)).keys()]).toEqual(['one', 'two'])
})
