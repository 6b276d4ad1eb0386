// Aliases in frontmatter are sent if the target supports them, and replaced as a list; otherwise there is a warning.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { article } from '../support/project.ts'
import { openTestServer } from '../support/server.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'
import { REDIRECTS_START } from '../../src/server/store/reader-data.ts'

const FILES = {
  'content/one.md': article('One', { aliases: ['first', 'erste'] }),
  'content/two.md': article('Two'),
}

async function startOurs() {
  const server = await openTestServer({ apiKey: SERVICE_KEY, languages: ['en', 'fr'] })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const aliases = async () => {
    const { store } = server
    const listed = await store.listRedirects(store.defaultSiteId, REDIRECTS_START, 10)
    return listed.map(({ slug, leadsTo: { name } }) => `${slug} ${name}`)
  }
  return { aliases, project: createSyncProject(listening.url, FILES) }
}

test('aliases follow the file, and a second run sends nothing', async () => {
  const { aliases, project } = await startOurs()
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  expect(await aliases()).toEqual(['erste One', 'first One'])
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
  project.write({
    'content/one.md': article('One', { aliases: ['erste'] }),
    'content/two.md': article('Two', { aliases: ['first'] }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 2 })
  expect(await aliases()).toEqual(['erste One', 'first Two'])
  project.write({ 'content/one.md': article('One'), 'content/two.md': article('Two') })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 2 })
  expect(await aliases()).toEqual([])
})

test('a strict service without redirects gets no unknown field, and there is one warning for all aliases', async () => {
  const service = await startStrictService({ extensions: ['update'], duplicateSlugs: 'refused-409' })
  const project = createSyncProject(service.url, {
    ...FILES,
    'content/two.md': article('Two', { aliases: ['second'] }),
  })
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ created: 2, diagnostics: ['aliases-not-sent'] })
  expect(result.diagnostics[0]?.message).toBe(
    'The target does not support redirects, so the aliases of this article are not sent, nor are those of 1 more.',
  )
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2, diagnostics: ['aliases-not-sent'] })
})

test('an alias that cannot be sent does not cause a replacement', async () => {
  const service = await startStrictService({})
  const project = createSyncProject(service.url, {
    'content/one.md': article('One'),
    'content/two.md': article('Two'),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  project.write({ 'content/one.md': article('One', { aliases: ['first'] }) })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2, diagnostics: ['aliases-not-sent'] })
  project.write({
    'content/one.md': article('Uno', { aliases: ['first'] }),
    'content/two.md': article('Two'),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2, diagnostics: ['aliases-not-sent'] })
})

test.each([
  [
    'the slug of another article',
    { 'content/one.md': article('One', { aliases: ['two'] }) },
    [
      'one.md:4 The alias "two" is also the slug of two.md.',
      'two.md:1 The slug "two" is also an alias of one.md.',
    ],
  ],
  [
    'its own slug',
    { 'content/one.md': article('One', { aliases: ['one'] }) },
    [
      'one.md:1 The slug "one" is also an alias of one.md.',
      'one.md:4 The alias "one" is also the slug of one.md.',
    ],
  ],
  [
    'an alias of another article',
    { 'content/two.md': article('Two', { aliases: ['first'] }) },
    [
      'one.md:4 The alias "first" is also an alias of two.md.',
      'two.md:4 The alias "first" is also an alias of one.md.',
    ],
  ],
  [
    'an alias in another language',
    { 'content/two.md': article('Two', { language: 'fr', aliases: ['first'] }) },
    [],
  ],
])('an alias cannot be %s', async (_, changes, expected) => {
  const { project } = await startOurs()
  project.write(changes)
  const { diagnostics } = await project.sync()
  const said = diagnostics
    .filter(({ code }) => code === 'slug-duplicate')
    .map(({ file, line, message }) => `${file.replace('content/', '')}:${line} ${message}`)
  expect(said.toSorted()).toEqual(expected)
})
