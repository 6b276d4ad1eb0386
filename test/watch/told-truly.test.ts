// Each change is reported once, and correctly.
import { expect, test } from 'vitest'
import { article } from '../support/project.ts'
import { createWatchedProject, startWatching } from '../support/watched-project.ts'

const RULES = { rules: { 'heading-skipped': 'warning' } }
const DOUBTFUL = article('One', { body: 'Text.\n\n## A\n\n#### B' })
const BROKEN = '---\ntitel: Broken\ncategories: [Guides]\n---\n\nBroken.\n'
const TWO = { 'content/one.md': DOUBTFUL, 'content/two.md': article('Two') }

test('a file without its error is reported as fixed, although it still has a warning', async () => {
  const project = createWatchedProject(TWO, RULES)
  const watch = await startWatching(project)
  project.write({ 'content/one.md': BROKEN })
  await watch.settled()
  watch.told()
  project.write({ 'content/one.md': DOUBTFUL })
  await watch.settled()
  expect(watch.told()).toEqual([
    'problems heading-skipped content/one.md fixed content/one.md',
    'unchanged one.md',
    'settled',
  ])
})

test('of two files with one slug, the remaining one is released when the other is removed', async () => {
  const project = createWatchedProject(TWO, RULES)
  const watch = await startWatching(project)
  project.write({ 'content/three.md': article('Three', { slug: 'two' }) })
  const writtenMs = Date.now()
  const { heldBack } = await watch.next('problems', (event) => event.heldBack.length > 0)
  await watch.settled(writtenMs)
  watch.told()
  project.remove('content/three.md')
  await watch.settled()
  const told = watch.told()
  expect([heldBack.length > 0, told.at(-2)]).toEqual([true, 'gone three.md'])
  expect(told.join('\n')).not.toContain('fixed content/three.md')
})

test('a file with an error and without an article is removed silently', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({ 'content/three.md': BROKEN })
  await watch.settled()
  watch.told()
  project.remove('content/three.md')
  await watch.settled()
  expect(watch.told()).toEqual(['problems', 'gone three.md', 'settled'])
})

test('a renamed file with another slug is reported once', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.move('content/two.md', 'content/deux.md')
  await watch.settled()
  expect(watch.told()).toEqual(['sent move deux.md', 'settled'])
})

test('moved files are reported as moved, and their warnings not again', async () => {
  const project = createWatchedProject(TWO, RULES)
  const watch = await startWatching(project)
  project.move('content/one.md', 'content/deep/one.md')
  await watch.settled()
  expect(watch.told()).toEqual(['moved one.md to deep/one.md', 'problems', 'settled'])
  project.write({ 'content/copy.md': DOUBTFUL.replace('title: One', 'title: Copy') })
  await watch.settled()
  expect(watch.told()).toContain('problems heading-skipped content/copy.md')
})

test('the warnings of a restored file are not new', async () => {
  const project = createWatchedProject(TWO, RULES)
  const watch = await startWatching(project)
  project.remove('content/one.md')
  await watch.settled()
  expect(watch.told()).toEqual(['problems', 'orphaned one.md', 'settled'])
  project.write({ 'content/one.md': DOUBTFUL })
  await watch.settled()
  expect(watch.told()[0]).toBe('problems')
})

test('files saved while everything is held back are reported, with the time since the fix', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  const sound = '- name: Guides\n  slug: guides\n'
  project.write({ 'content/_categories.yml': '- name: [\n' })
  await watch.next('problems', ({ everythingHeldBy }) => everythingHeldBy.includes('_categories.yml'))
  project.write({ 'content/two.md': article('Two', { body: 'Meanwhile.' }) })
  expect(await watch.next('held')).toEqual({
    kind: 'held',
    sources: ['two.md'],
    everythingHeldBy: ['_categories.yml'],
  })
  await watch.settled()
  const mendedMs = Date.now()
  project.write({ 'content/_categories.yml': sound })
  await watch.next('problems', ({ fixed }) => fixed.includes('content/_categories.yml'))
  const { durationMs } = await watch.next('sent')
  expect(durationMs).toBeLessThanOrEqual(Date.now() - mendedMs)
})

test('a problem that is saved again is reported as held back', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({ 'content/two.md': BROKEN })
  const writtenMs = Date.now()
  await watch.next('problems')
  await watch.settled(writtenMs)
  watch.told()
  project.write({ 'content/two.md': `${BROKEN}More.\n` })
  await watch.settled()
  expect(watch.told()).toEqual(['held two.md', 'settled'])
})

test('a missing category is one problem', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({ 'content/two.md': article('Two').replace('Guides', 'Giudes') })
  await watch.settled()
  expect(watch.told()).toEqual(['problems category-unknown content/two.md', 'settled'])
  expect(watch.view()?.diagnostics).toMatchObject([{ code: 'heading-skipped' }, { code: 'category-unknown' }])
})

test('an article saved with its new category is sent, and no problem is reported', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project)
  project.write({
    'content/two.md': article('Two').replace('Guides', 'News'),
    'content/_categories.yml': '- name: Guides\n  slug: guides\n- name: News\n  slug: news\n',
  })
  await watch.settled()
  expect(watch.told()).toEqual(['sent create _categories.yml, update two.md', 'settled'])
})

test('deletions held back by a guard happen when the guard allows them', async () => {
  const project = createWatchedProject({ 'content/one.md': article('One') }, { sync: { maxDeletes: '100%' } })
  const watch = await startWatching(project, { prune: true })
  project.remove('content/one.md')
  await watch.next('guarded')
  await watch.next('settled')
  expect(watch.told()).not.toContain('sent delete-orphan one')
  project.write({ 'content/two.md': article('Two') })
  await watch.next('sent', ({ operations }) =>
    operations.some(({ action, outcome }) => action === 'delete-orphan' && outcome === 'done'),
  )
  expect(await watch.stop()).toMatchObject({ isComplete: true })
})

function withoutProblems(told: readonly string[]): string[] {
  return told.filter((line) => !line.startsWith('problems'))
}

test.each([true, false])(
  'a renamed file with an error leaves its article published (prune: %s)',
  async (prune) => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project, { prune })
    project.remove('content/two.md')
    project.write({ 'content/deux.md': BROKEN })
    await watch.settled()
    expect(withoutProblems(watch.told())).toEqual(['sent skip two skipped', 'settled'])
    project.write({ 'content/deux.md': article('Deux') })
    await watch.settled()
    expect(withoutProblems(watch.told())).toEqual([
      'sent create deux.md',
      prune ? 'sent delete-orphan two' : 'orphaned two.md',
      'settled',
    ])
  },
)

test('with prune, the article of a removed file stays while another article is held back', async () => {
  const project = createWatchedProject(TWO)
  const watch = await startWatching(project, { prune: true })
  project.write({ 'content/one.md': BROKEN })
  await watch.settled()
  watch.told()
  project.remove('content/two.md')
  await watch.settled()
  expect(watch.told()).toEqual(['orphaned two.md delayed', 'settled'])
  project.write({ 'content/one.md': article('One') })
  await watch.settled()
  expect(withoutProblems(watch.told())).toEqual(['sent update one.md', 'sent delete-orphan two', 'settled'])
})
