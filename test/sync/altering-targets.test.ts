// Targets that alter what they store: nothing is mistaken for a copy, sent twice or left behind.
import { describe, expect, test } from 'vitest'
import { digest } from '../../src/core/digest.ts'
import { projectionOf } from '../../src/sync/remote/to-remote.ts'
import { loadState } from '../../src/sync/state/state-file.ts'
import { stateFiles, workspaceOf } from '../../src/sync/state/workspace.ts'
import { ALTERATIONS, ALTERING_HABITS, WRITE_MODES } from '../support/alterations.ts'
import { article, type Files } from '../support/project.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const written = (title: string, slug: string, body = `About ${title}.`) =>
  article(title, { slug, order: 3, body })

const FILES: Files = {
  'content/first.md': written('The first', 'café'),
  'content/second.md': written('The second', 'bar'),
  'content/third.md': written('The third', 'pub'),
}

async function startSynced(habits: ServiceHabits) {
  const service = await startStrictService(habits)
  const project = createSyncProject(service.url, FILES)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3 })
  /** Slug and text of each article. */
  const stored = () =>
    service
      .articles()
      .map(({ slug, content }) => `${slug}: ${/About [^.]*\./.exec(content)?.[0]}`)
      .toSorted()
  const asStored = (slug: string) =>
    (habits.alters ?? ((body) => body))({
      title: '',
      slug,
      categories: [],
      excerpt: '',
      ordering: 0,
      status: 'draft',
      content: '',
    }).slug
  const expected = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts)
      .map(([slug, text]) => `${asStored(slug)}: About ${text}.`)
      .toSorted()
  return { service, project, stored, expected }
}

test.each(ALTERING_HABITS)('a second run sends nothing, with state and without (%s)', async (_, habits) => {
  const { service, project } = await startSynced(habits)
  service.forget()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  project.forgetState()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  expect(service.events).toEqual([])
})

test.each(ALTERING_HABITS)('two files swap their slugs (%s)', async (_, habits) => {
  const { project, stored, expected } = await startSynced(habits)
  project.write({
    'content/first.md': written('The first', 'bar'),
    'content/second.md': written('The second', 'café'),
  })
  const { summary } = await project.sync()
  expect(summary).toMatchObject({ conflicts: 0, failed: 0, skipped: 0, unchanged: 1 })
  expect(stored()).toEqual(expected({ bar: 'The first', café: 'The second', pub: 'The third' }))
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
})

test.each(ALTERING_HABITS)('three files pass on their slugs, without state (%s)', async (_, habits) => {
  const { project, stored, expected } = await startSynced(habits)
  project.forgetState()
  project.write({
    'content/first.md': written('The first', 'bar'),
    'content/second.md': written('The second', 'pub'),
    'content/third.md': written('The third', 'café'),
  })
  const { summary } = await project.sync()
  expect(summary).toMatchObject({ conflicts: 0, failed: 0, skipped: 0 })
  expect(stored()).toEqual(expected({ bar: 'The first', pub: 'The second', café: 'The third' }))
  // Only the state knows when we changed an article in place.
  if (habits.extensions === undefined) project.forgetState()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
})

test.each(ALTERING_HABITS)('a slug changes in the file, without state (%s)', async (_, habits) => {
  const { project, stored, expected } = await startSynced(habits)
  project.forgetState()
  project.write({ 'content/first.md': written('The first', 'bistro') })
  const { summary } = await project.sync()
  expect(summary).toMatchObject({ conflicts: 0, failed: 0, skipped: 0, unchanged: 2 })
  expect(stored()).toEqual(expected({ bistro: 'The first', bar: 'The second', pub: 'The third' }))
})

test.each(ALTERING_HABITS)('a file moves and keeps its slug (%s)', async (_, habits) => {
  const { project, stored, expected } = await startSynced(habits)
  project.forgetState()
  project.remove('content/first.md')
  project.write({ 'content/moved/again.md': written('The first', 'café') })
  const { summary } = await project.sync({ prune: true, yes: true })
  expect(summary).toMatchObject({ conflicts: 0, failed: 0, skipped: 0, orphans: 0 })
  expect(stored()).toEqual(expected({ café: 'The first', bar: 'The second', pub: 'The third' }))
})

test.each(ALTERING_HABITS)(
  'a rejected new version leaves the old one at its slug (%s)',
  async (_, habits) => {
    const { service, project, stored, expected } = await startSynced(habits)
    const texts = { bar: 'The second', pub: 'The third' }
    // The first replacement finds out whether the old version must be deleted first.
    for (const body of ['About food.', 'About food, forbidden.']) {
      project.write({ 'content/first.md': written('The first', 'café', body) })
      service.refuse(({ content }) => (content.includes('forbidden') ? 'A forbidden word' : undefined))
      await project.sync()
      expect(stored()).toEqual(expected({ café: 'food', ...texts }))
    }
    service.refuse(undefined)
    expect((await project.sync()).summary).toMatchObject({ conflicts: 0, failed: 0, unchanged: 2 })
    expect(stored()).toEqual(expected({ café: 'food, forbidden', ...texts }))
  },
)

test.each(Object.entries(ALTERATIONS))('a manual copy is not changed (%s)', async (_, alters) => {
  const { service, project, stored, expected } = await startSynced({ alters })
  const [original] = service.articles()
  const copy = service.duplicate(original?.id ?? '', { slug: 'my-copy', title: 'Copy of The first' })
  project.forgetState()
  project.write({ 'content/first.md': written('The first', 'café', 'About The first. More.') })
  const { summary, operations } = await project.sync({ prune: true, yes: true })
  expect(summary).toMatchObject({ replaced: 1, conflicts: 1, deleted: 0, unchanged: 2 })
  expect(operations.find(({ action }) => action === 'conflict')).toMatchObject({ id: copy.id })
  expect(service.articles().find(({ id }) => id === copy.id)).toEqual(copy)
  const texts = expected({ café: 'The first', bar: 'The second', pub: 'The third' })
  expect(stored().filter((line) => !line.startsWith('my-copy:'))).toEqual(texts)
})

describe('the state contains the hash of the HTML, so that it need not be parsed', () => {
  const known = ({ settings }: ReturnType<typeof createSyncProject>) => {
    const { state } = stateFiles(settings.target, settings, workspaceOf(settings.root))
    const { articles } = loadState(state, settings.project)
    return Object.fromEntries(articles.map(({ htmlHash, projectionHash }) => [htmlHash, projectionHash]))
  }

  test.each(WRITE_MODES)(
    'after creates and changes, if the target stores exactly what is sent (%o)',
    async (habits) => {
      const { service, project } = await startSynced(habits)
      const stored = () =>
        Object.fromEntries(service.articles().map(({ content }) => [digest(content), projectionOf(content)]))
      expect(known(project)).toEqual(stored())
      project.write({ 'content/first.md': written('The first', 'café', 'Changed, **twice**.') })
      await project.sync()
      expect(known(project)).toEqual(stored())
      await project.sync({ verify: true })
      expect(known(project)).toEqual(stored())
    },
  )
})
