// Folders that are removed and created again: the watch must not lose them.
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { article } from '../support/project.ts'
import { CATEGORIES, createWatchedProject, startWatching } from '../support/watched-project.ts'

const FILES = { 'content/one.md': article('One'), 'content/guides/two.md': article('Two') }

test('the content folder is removed and created again', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project, { prune: true })
  project.remove('content')
  expect((await watch.next('unreadable')).failure.code).toBe('CONTENT_UNREADABLE')
  project.write({ ...FILES, 'content/_categories.yml': CATEGORIES })
  await watch.next('readable')
  await watch.next('settled')
  watch.told()
  project.write({ 'content/guides/two.md': article('Two', { body: 'Seen.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update guides/two.md', 'settled'])
})

test('a folder is removed and created again at once', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  for (let time = 0; time < 5; time++) {
    rmSync(project.path('content/guides'), { recursive: true })
    mkdirSync(project.path('content/guides/deep'), { recursive: true })
    project.write({
      'content/guides/two.md': article('Two'),
      'content/guides/deep/three.md': article('Three'),
    })
    await watch.settled()
    project.write({ 'content/guides/deep/three.md': article('Three', { body: `Time ${time}.` }) })
    await watch.settled()
    expect(watch.told().at(-2)).toMatch(/^sent (create|update) guides\/deep\/three\.md/)
  }
})

test('a folder above the content is moved away and back', async () => {
  const project = createWatchedProject(
    { 'docs/help/_categories.yml': CATEGORIES, 'docs/help/one.md': article('One') },
    { content: 'docs/help' },
  )
  const watch = await startWatching(project)
  renameSync(project.path('docs'), project.path('away'))
  expect((await watch.next('unreadable')).failure.code).toBe('CONTENT_UNREADABLE')
  renameSync(project.path('away'), project.path('docs'))
  await watch.next('readable')
  await watch.next('settled')
  watch.told()
  project.write({ 'docs/help/one.md': article('One', { body: 'Seen.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
})

test('a content folder that is a link is watched at its target', async () => {
  const project = createWatchedProject({
    'elsewhere/one.md': article('One'),
    'elsewhere/_categories.yml': CATEGORIES,
  })
  rmSync(project.path('content'), { recursive: true })
  symlinkSync(project.path('elsewhere'), project.path('content'))
  const watch = await startWatching(project)
  project.write({ 'elsewhere/one.md': article('One', { body: 'Seen.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
})

test('a content folder outside of the project is watched', async () => {
  const shared = createWatchedProject({ 'content/one.md': article('One') })
  const project = createWatchedProject({}, { content: shared.path('content') })
  rmSync(project.path('content'), { recursive: true })
  const watch = await startWatching(project)
  writeFileSync(shared.path('content/one.md'), article('One', { body: 'Seen.' }))
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
})

test('a project whose content folder is the project folder is watched without its .kb', async () => {
  const project = createWatchedProject(
    { '_categories.yml': CATEGORIES, 'one.md': article('One') },
    { content: '.', exclude: ['content/**'] },
  )
  const watch = await startWatching(project)
  expect(existsSync(project.path('.kb/kb.db'))).toBe(true)
  project.write({ 'one.md': article('One', { body: 'Seen.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
})

test('a watch in a folder without content ends with an explanation', async () => {
  const project = createWatchedProject({})
  rmSync(project.path('content'), { recursive: true })
  const watch = project.watch()
  await expect(watch.next('ready')).rejects.toMatchObject({ code: 'CONTENT_UNREADABLE' })
})
