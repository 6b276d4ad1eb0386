// Documents in other languages, on services that accept them: originals first, each translation with its original.
import { expect, onTestFinished, test } from 'vitest'
import { runCheck } from '../../src/inspect/check/run-check.ts'
import { refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { article, type Files } from '../support/project.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

// The translations come first by name, and the last file is an original.
const FILES: Files = {
  'content/a-fr.md': article('Un', { slug: 'one', language: 'fr', translationOf: 'one' }),
  'content/a-de.md': article('Eins', { slug: 'eins', language: 'de', translationOf: 'one.md' }),
  'content/one.md': article('One'),
  'content/seul.md': article('Seul', { language: 'fr' }),
}

const BOTH: ServiceHabits = {
  extensions: ['update', 'languages'],
  languages: ['en', 'fr', 'de'],
  duplicateSlugs: 'refused-409',
}

async function start(habits: ServiceHabits = BOTH, files: Files = FILES) {
  const service = await startStrictService(habits)
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy, project: createSyncProject(proxy.url, files) }
}

async function startSynced(habits: ServiceHabits = BOTH, files: Files = FILES) {
  const started = await start(habits, files)
  expect(outcomeOf(await started.project.sync())).toMatchObject({ created: Object.keys(files).length })
  started.service.forget()
  return started
}

const writes = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

const byTitle = (service: StrictService, title: string) => {
  const found = service.articles().find((each) => each.title === title)
  if (found === undefined) throw new Error(`no article has the title ${title}`)
  return found
}

/** Language and title of each article's original, by title. */
function relations(service: StrictService) {
  const titles = new Map(service.articles().map(({ id, title }) => [id, title]))
  return Object.fromEntries(
    service
      .articles()
      .map(({ title, language, languageParent }) => [
        title,
        languageParent === '' ? [language] : [language, titles.get(languageParent)],
      ]),
  )
}

const RELATIONS = { One: [null], Un: ['fr', 'One'], Eins: ['de', 'One'], Seul: ['fr'] }

test.each<[string, ServiceHabits]>([
  ['languages and updates', BOTH],
  ['languages alone', { ...BOTH, extensions: ['languages'] }],
  ['languages, and strips comments', { ...BOTH, stripsComments: true }],
  ['languages, and has numeric ids', { ...BOTH, numericIds: true }],
])('a service that offers %s: sent once, with originals, and recognised', async (_, habits) => {
  const { service, project } = await start(habits)
  expect(outcomeOf(await project.plan())).toMatchObject({ created: 4 })
  const result = await project.sync()
  expect(outcomeOf(result)).toEqual({
    created: 4,
    operations: ['create one.md done', 'create seul.md done', 'create a-de.md done', 'create a-fr.md done'],
  })
  expect(result.requests['OPTIONS']).toBe(1)
  expect(relations(service)).toEqual(RELATIONS)

  service.forget()
  const again = await project.sync()
  expect([outcomeOf(again), again.requests]).toEqual([{ unchanged: 4 }, { GET: 2 }])
  project.forgetState()
  expect(outcomeOf(await project.sync({ prune: true, yes: true }))).toEqual({ unchanged: 4 })
  expect(writes(service)).toEqual([])
})

test('a target that gets new languages then accepts the documents, once', async () => {
  const plain = await start({ duplicateSlugs: 'refused-409' })
  const notSent = 'language-not-sent'
  const first = await plain.project.sync()
  expect(outcomeOf(first)).toEqual({
    created: 1,
    skipped: 3,
    operations: [
      'skip a-de.md skipped: the target does not support languages',
      'skip a-fr.md skipped: the target does not support languages',
      'skip seul.md skipped: the target does not support languages',
      'create one.md done',
    ],
    diagnostics: [notSent, notSent, notSent],
  })
  expect((await runCheck(plain.project)).diagnostics).toEqual(first.diagnostics)
  const { service, project } = await start(BOTH, { 'content/one.md': article('One') })
  await project.sync()
  project.write(FILES)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3, unchanged: 1 })
  expect(relations(service)).toEqual(RELATIONS)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('documents in a disabled language are skipped, and the warning names them', async () => {
  const { service, project } = await start({ ...BOTH, languages: ['en', 'fr'] })
  // A check knows only what a sync has stored.
  expect((await runCheck(project)).diagnostics).toEqual([])
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({
    created: 3,
    skipped: 1,
    operations: expect.arrayContaining(['skip a-de.md skipped: the target has no language "de"']) as unknown,
  })
  expect(result.diagnostics).toEqual([
    {
      code: 'language-not-sent',
      severity: 'warning',
      file: 'content/a-de.md',
      line: 5,
      column: 11,
      end: { line: 5, column: 15 },
      message: 'This article in "de" is not sent: the target has the languages en, fr.',
      hint: 'Ask the operator of the target to enable "de".',
    },
  ])
  expect((await runCheck(project)).diagnostics).toEqual(result.diagnostics)
  expect(relations(service)).toEqual({ One: [null], Un: ['fr', 'One'], Seul: ['fr'] })
})

test('a changed translation is updated, and keeps its id and original', async () => {
  const { service, project } = await startSynced()
  const { id, languageParent } = byTitle(service, 'Un')
  const changed = { slug: 'one', language: 'fr', translationOf: 'one', body: 'Du texte.' }
  project.write({ 'content/a-fr.md': article('Un', changed) })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 3 })
  expect(byTitle(service, 'Un')).toMatchObject({ id, languageParent, language: 'fr' })
  expect(byTitle(service, 'Un').content).toContain('Du texte.')
})

test('a changed original keeps its translations', async () => {
  const { service, project } = await startSynced()
  project.write({ 'content/one.md': article('One', { body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 3 })
  expect(relations(service)).toEqual(RELATIONS)
})

test('without updates, an original that has translations is not replaced', async () => {
  const { service, project } = await startSynced({ ...BOTH, extensions: ['languages'] })
  project.write({
    'content/one.md': article('One', { body: 'New.' }),
    'content/seul.md': article('Seul', { language: 'fr', body: 'Du texte.' }),
    'content/a-de.md': article('Eins', { slug: 'eins', language: 'de', translationOf: 'one', order: 3 }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 2, conflicts: 1, unchanged: 1 })
  expect(relations(service)).toEqual(RELATIONS)
  expect(byTitle(service, 'One').content).not.toContain('New.')
  expect(byTitle(service, 'Eins').order).toBe(3)
})

test.each([0, 1])(
  'deleted translations, in files and on the target, do not block an original (lists %i late)',
  async (listLag) => {
    const habits = { ...BOTH, extensions: ['languages'] as const, listLag, linkLag: listLag }
    const { service, project } = await startSynced(habits)
    project.remove('content/a-fr.md', 'content/a-de.md')
    for (const title of ['Un', 'Eins']) service.dropById(byTitle(service, title).id)
    project.write({ 'content/one.md': article('One', { body: 'New.' }) })
    expect(outcomeOf(await project.sync())).toMatchObject({
      replaced: 1,
      unchanged: 1,
      operations: ['replace one.md done'],
    })
  },
)

test('an original that was deleted on the target is created again, and its translations follow', async () => {
  const files = { ...FILES, 'content/one.md': article('One', { slug: 'first' }) }
  const translation = { slug: 'one', language: 'fr', translationOf: 'first' }
  const { service, project } = await startSynced(BOTH, {
    ...files,
    'content/a-fr.md': article('Un', translation),
  })
  service.drop('first', 'eins')
  expect(outcomeOf(await project.sync({ yes: true }))).toMatchObject({ created: 2, updated: 1, unchanged: 1 })
  expect(relations(service)).toEqual(RELATIONS)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('a file becomes a translation, an original, and gets another language', async () => {
  const { service, project } = await startSynced()
  const { id } = byTitle(service, 'Un')
  const write = (fields: Readonly<Record<string, unknown>>) =>
    project.write({ 'content/a-fr.md': article('Un', fields) })
  const forms = [
    [{ slug: 'un', language: 'fr' }, ['fr']],
    [{ slug: 'un' }, [null]],
    [{ slug: 'un', language: 'fr', translationOf: 'one' }, ['fr', 'One']],
    [{ slug: 'un' }, [null]],
  ] as const
  for (const [fields, expected] of forms) {
    write(fields)
    expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 3 })
    expect(byTitle(service, 'Un').id).toBe(id)
    expect(relations(service)).toEqual({ ...RELATIONS, Un: expected })
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
    project.forgetState()
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
  }
})

test('without updates, a file in another language replaces the article', async () => {
  const { service, project } = await startSynced({ ...BOTH, extensions: ['languages'] })
  project.write({ 'content/seul.md': article('Seul') })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 3 })
  expect(relations(service)).toEqual({ ...RELATIONS, Seul: [null] })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('original and translation are swapped', async () => {
  const { service, project } = await startSynced()
  project.remove('content/a-de.md')
  await project.sync({ prune: true, yes: true })
  const ids = [byTitle(service, 'One').id, byTitle(service, 'Un').id]
  project.write({
    'content/one.md': article('One', { translationOf: 'a-fr.md' }),
    'content/a-fr.md': article('Un', { slug: 'one', language: 'fr' }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 2, unchanged: 1 })
  expect(relations(service)).toEqual({ One: [null, 'Un'], Un: ['fr'], Seul: ['fr'] })
  expect([byTitle(service, 'One').id, byTitle(service, 'Un').id]).toEqual(ids)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
})

test('two translations swap their languages', async () => {
  const { service, project } = await startSynced()
  project.write({
    'content/a-fr.md': article('Un', { slug: 'one', language: 'de', translationOf: 'one' }),
    'content/a-de.md': article('Eins', { slug: 'eins', language: 'fr', translationOf: 'one' }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 2, unchanged: 2 })
  expect(relations(service)).toEqual({ ...RELATIONS, Un: ['de', 'One'], Eins: ['fr', 'One'] })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('another file becomes the translation, and the old one is deleted first', async () => {
  const { service, project } = await startSynced()
  project.remove('content/a-fr.md')
  project.write({ 'content/neuf.md': article('Neuf', { language: 'fr', translationOf: 'one' }) })
  expect(outcomeOf(await project.sync({ prune: true, yes: true }))).toMatchObject({ created: 1, deleted: 1 })
  const { Un: _, ...others } = RELATIONS
  expect(relations(service)).toEqual({ ...others, Neuf: ['fr', 'One'] })
})

test('a translation whose original could not be sent waits for the next run', async () => {
  const { service, proxy, project } = await start()
  proxy.inject(refusal(400, 'Not this one'), { matches: (method) => method === 'PUT' })
  const result = await project.sync({ concurrency: 1 })
  const reason = 'its original one.md is not on the target yet; the next run sends it'
  expect(outcomeOf(result)).toEqual({
    created: 1,
    failed: 1,
    skipped: 2,
    operations: [
      'create one.md failed: the target refused it: Not this one',
      'create seul.md done',
      `create a-de.md skipped: ${reason}`,
      `create a-fr.md skipped: ${reason}`,
    ],
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3, unchanged: 1 })
  expect(relations(service)).toEqual(RELATIONS)
})

test('a translation is skipped if its original has no slug of its own, or is not selected', async () => {
  const { service, project } = await start()
  service.add({ title: 'By hand', slug: 'one' })
  const taken = await project.sync()
  expect(outcomeOf(taken)).toMatchObject({ created: 1, conflicts: 1, skipped: 2 })
  expect(taken.operations).toMatchObject([
    { action: 'skip', source: 'a-de.md', reason: 'its original one.md is not on the target yet' },
    { action: 'skip', source: 'a-fr.md', reason: 'its original one.md is not on the target yet' },
    { action: 'conflict', source: 'one.md' },
    { action: 'create', source: 'seul.md' },
  ])
  service.edit('one', { slug: 'elsewhere' })
  const isSelected = (source: string) => source === 'a-fr.md'
  expect(outcomeOf(await project.sync({ isSelected }))).toEqual({
    skipped: 1,
    operations: ['skip a-fr.md skipped: its original one.md is not on the target yet'],
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3, unchanged: 1 })
  // If the original exists, it need not be selected.
  project.write({
    'content/a-fr.md': article('Un', { slug: 'one', language: 'fr', translationOf: 'one', order: 1 }),
  })
  project.forgetState()
  expect(outcomeOf(await project.sync({ isSelected }))).toMatchObject({ updated: 1 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('articles in a language that the target no longer accepts are not orphans', async () => {
  const { service, proxy, project } = await startSynced()
  project.forgetState()
  proxy.inject(refusal(404, 'No such operation'), { matches: (method) => method === 'OPTIONS' })
  expect(outcomeOf(await project.sync({ prune: true, yes: true }))).toMatchObject({
    unchanged: 1,
    skipped: 3,
  })
  expect(service.articles()).toHaveLength(4)
})

test.each(['cut-before', 'cut-after', 'cut-within'] as const)(
  'a first sync with %s at any request is completed by the next run',
  async (kind) => {
    const { proxy: counter, project: whole } = await start()
    await whole.sync()
    for (let at = 0; at < counter.seen.length; at++) {
      const { service, proxy, project } = await start()
      proxy.inject({ kind }, { matches: () => proxy.seen.length >= at })
      await project.sync().catch(() => undefined)
      await project.sync()
      expect([at, relations(service)]).toEqual([at, RELATIONS])
      expect([at, outcomeOf(await project.sync())]).toEqual([at, { unchanged: 4 }])
    }
  },
)

test('an article in the default language can be the translation of an existing one', async () => {
  const { service, project } = await startSynced()
  project.write({ 'content/alone.md': article('Alone', { translationOf: 'seul' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, unchanged: 4 })
  expect(relations(service)).toEqual({ ...RELATIONS, Alone: [null, 'Seul'] })
})
