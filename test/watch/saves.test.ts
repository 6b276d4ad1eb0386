// The effects of one save.
import { renameSync, truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { article } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { createWatchedProject, startWatching, type WatchedProject } from '../support/watched-project.ts'

const words = async (project: WatchedProject) =>
  Object.fromEntries(
    [...(await builtinArticles(project))].map(([slug, { content }]) => [
      slug,
      content.replaceAll(/<[^>]*>/g, '').trim(),
    ]),
  )

const TWO = { 'content/one.md': article('One'), 'content/two.md': article('Two') }

test('a watch begins with a sync, sends saved files, and ends with a summary', async () => {
  const project = createWatchedProject(TWO)
  const watch = project.watch()
  expect((await watch.next('ready')).result.summary).toMatchObject({ created: 2 })
  await watch.next('settled')
  expect(watch.told()).toEqual(['started', 'ready', 'settled'])
  project.write({ 'content/one.md': article('One', { body: 'Another text.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update one.md', 'settled'])
  expect(await watch.stop()).toEqual({ sent: 3, pending: 0, heldBack: [], failures: [], isComplete: true })
  expect(await words(project)).toEqual({ one: 'Another text.', two: 'Text of Two.' })
})

describe('a save', () => {
  test('by an editor that renames a temporary file is sent', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    project.write({ 'content/one.md.tmp': article('One', { body: 'Renamed over.' }) })
    renameSync(project.path('content/one.md.tmp'), project.path('content/one.md'))
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md', 'settled'])
    expect(await words(project)).toMatchObject({ one: 'Renamed over.' })
  })

  test('by an editor that keeps the old file beside the new one is sent', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    project.move('content/one.md', 'content/one.md~')
    project.write({ 'content/one.md': article('One', { body: 'With a backup.' }) })
    project.remove('content/one.md~')
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md', 'settled'])
  })

  test('that empties the file for a moment reports no problem', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    truncateSync(project.path('content/one.md'))
    await watch.next('standing', ({ standing }) => standing.pending === 1)
    project.write({ 'content/one.md': article('One', { body: 'Written in two steps.' }) })
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md', 'settled'])
  })

  test('without a change is reported and sends nothing', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    project.write({ 'content/one.md': article('One') })
    await watch.settled()
    expect(watch.told().filter((line) => line !== 'unchanged one.md')).toEqual(['settled'])
    expect(await watch.stop()).toMatchObject({ sent: 2, pending: 0 })
  })

  test('right after another one of the same file is not lost', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    for (let number = 1; number <= 30; number++) {
      project.write({ 'content/one.md': article('One', { body: `Number ${number}.` }) })
      await new Promise((resolve) => setImmediate(resolve))
    }
    await watch.settled()
    expect(await words(project)).toMatchObject({ one: 'Number 30.' })
  })

  test('with another slug updates the links to it', async () => {
    const project = createWatchedProject({
      ...TWO,
      'content/one.md': article('One', { body: 'See [two](two.md).' }),
    })
    const watch = await startWatching(project)
    project.write({ 'content/two.md': article('Two', { slug: 'second' }) })
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md, move two.md', 'settled'])
    expect(
      [...(await builtinArticles(project)).values()].map(
        ({ content }) => /href="([^"]*)"/.exec(content)?.[1],
      ),
    ).toEqual(['/articles/second', undefined])
  })

  test('of a file that is no article does nothing', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    project.write({ 'content/notes.txt': 'Nothing.', 'content/.hidden/one.md': 'Nothing.' })
    await watch.settled()
    expect(watch.told()).toEqual(['settled'])
  })

  test.each([
    ['a snippet', 'content/_snippets/note.md', 'Another note.\n'],
    ['an image', 'content/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2"/>'],
  ])('of %s sends the articles that use it', async (_what, file, text) => {
    const project = createWatchedProject({
      ...TWO,
      'content/_snippets/note.md': 'A note.\n',
      'content/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'content/one.md': article('One', { body: '<!-- include: _snippets/note.md -->\n\n![Dot](dot.svg)' }),
    })
    const watch = await startWatching(project)
    project.write({ [file]: text })
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md', 'settled'])
  })
})

describe('many changes', () => {
  test('of a checkout are sent together', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    const pages = Array.from({ length: 150 }, (_, index) => [
      `content/new/page-${index}.md`,
      article(`Page ${index}`),
    ])
    project.write(Object.fromEntries(pages) as Record<string, string>)
    await watch.settled()
    const runs = watch.events.filter(({ kind }) => kind === 'sent')
    expect(runs.length).toBeLessThanOrEqual(3)
    expect((await watch.stop()).sent).toBe(152)
    expect((await builtinArticles(project)).size).toBe(152)
  })

  test('of a renamed folder keep the articles', async () => {
    const project = createWatchedProject({
      'content/guides/one.md': article('One'),
      'content/guides/two.md': article('Two', { body: 'See [one](one.md).' }),
    })
    const watch = await startWatching(project)
    const before = await builtinArticles(project)
    project.move('content/guides', 'content/manuals')
    await watch.settled()
    expect(watch.told().filter((line) => line.startsWith('sent') || line.startsWith('orphaned'))).toEqual([])
    project.write({ 'content/manuals/one.md': article('One', { body: 'In the new folder.' }) })
    await watch.settled()
    expect(watch.told()).toEqual(['sent update manuals/one.md', 'settled'])
    const after = await builtinArticles(project)
    expect([...after.values()].map(({ id }) => id)).toEqual([...before.values()].map(({ id }) => id))
  })
})

describe('a removed file', () => {
  test('leaves its article, which is reported once', async () => {
    const project = createWatchedProject(TWO)
    const watch = await startWatching(project)
    project.remove('content/two.md')
    await watch.settled()
    expect(watch.told()).toEqual(['orphaned two.md', 'settled'])
    project.write({ 'content/one.md': article('One', { body: 'Later.' }) })
    await watch.settled()
    expect(watch.told()).toEqual(['sent update one.md', 'settled'])
    expect(Object.keys(await words(project))).toEqual(['one', 'two'])
    project.write({ 'content/two.md': article('Two') })
    await watch.settled()
    expect(watch.told()).toEqual(['unchanged two.md', 'settled'])
  })

  test('removes its article with prune, once it is quiet', async () => {
    const project = createWatchedProject({ ...TWO, 'content/three.md': article('Three') })
    const watch = await startWatching(project, { prune: true })
    project.remove('content/two.md')
    await watch.settled()
    expect(watch.told().at(-2)).toBe('sent delete-orphan two')
    expect(Object.keys(await words(project))).toEqual(['one', 'three'])
  })

  test('removes nothing while something is held back', async () => {
    const project = createWatchedProject({ ...TWO, 'content/three.md': article('Three') })
    const watch = await startWatching(project, { prune: true })
    project.write({ 'content/one.md': 'No frontmatter.\n' })
    await watch.next('problems')
    project.remove('content/two.md')
    await watch.settled()
    expect(Object.keys(await words(project))).toEqual(['one', 'three', 'two'])
    project.write({ 'content/one.md': article('One') })
    await watch.settled()
    expect(Object.keys(await words(project))).toEqual(['one', 'three'])
  })
})
