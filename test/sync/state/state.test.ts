import * as fc from 'fast-check'
import { readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ArticleRecord,
  type AwaitedArticle,
  EMPTY_STATE,
  type ForeignRecord,
  NOTHING_UNFINISHED,
  type TargetState,
} from '../../../src/core/model/target-state.ts'
import {
  type CleanMark,
  loadCleanMark,
  loadWarnings,
  removeCleanMark,
  writeCleanMark,
  writeCleanRun,
} from '../../../src/sync/state/clean-mark.ts'
import { appendRunArticles, loadRunArticles, writeRunArticles } from '../../../src/sync/state/run-articles.ts'
import { openRunIndex } from '../../../src/sync/state/run-index.ts'
import { loadForeign, loadState, writeState } from '../../../src/sync/state/state-file.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { EMPTY_INDEX, EMPTY_TARGET } from '../../support/empty-index.ts'
import { readRuns } from '../../support/runs.ts'
import {
  prepareWorkspace,
  type StateFiles,
  workspaceOf,
  writeBackup,
  targetIdentity,
} from '../../../src/sync/state/workspace.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { desired } from '../plan/examples.ts'

const text = fc.string({ unit: anyCharacter })
const language = fc.option(fc.constantFrom('fr', 'pt-BR'))
const version = {
  key: text,
  source: text,
  slug: text,
  language,
  title: text,
  fingerprint: text,
  sourceHash: text,
  fieldsHash: text,
  projectionHash: text,
}
const article: fc.Arbitrary<ArticleRecord> = fc.record({
  ...version,
  id: text,
  source: fc.option(text, { nil: undefined }),
})
const awaited: fc.Arbitrary<AwaitedArticle> = fc.record({
  ...version,
  sentMs: fc.nat(),
  isAccepted: fc.constantFrom(true, undefined),
})
const foreign: fc.Arbitrary<ForeignRecord> = fc.record({
  id: text,
  title: text,
  slug: text,
  language,
  project: fc.option(text, { nil: undefined }),
})
const state: fc.Arbitrary<TargetState> = fc.record({
  isKnown: fc.constant(true),
  duplicateSlugs: fc.constantFrom(undefined, 'allowed' as const, 'refused' as const),
  articles: fc.array(article, { maxLength: 3 }),
  awaited: fc.array(awaited, { maxLength: 3 }),
  foreign: fc.array(foreign, { maxLength: 3 }),
  categoryIds: fc.dictionary(text, text, { noNullPrototype: true }),
  tagIds: fc.dictionary(text, text, { noNullPrototype: true }),
  taxonomy: fc.dictionary(text, text, { noNullPrototype: true }),
  unfinished: fc.constant(NOTHING_UNFINISHED),
})

describe('the state', () => {
  test('is read as it was written, replacing any earlier file', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'target.ndjson')
    await fc.assert(
      fc.asyncProperty(state, text, async (written, project) => {
        await writeState(file, project, written)
        expect(loadState(file, project)).toEqual(written)
        expect(readdirSync(folder)).toEqual(['target.ndjson'])
      }),
      readRuns('HISTORIES', 50),
    )
  })

  const one: TargetState = {
    ...EMPTY_STATE,
    isKnown: true,
    articles: fc.sample(article, 2),
    foreign: fc.sample(foreign, 2),
  }

  test('of another project counts as none', async () => {
    const file = join(temporaryFolder(), 'target.ndjson')
    await writeState(file, 'one', one)
    expect(loadState(file, 'other')).toEqual(EMPTY_STATE)
  })

  test('of another project shows which articles belong to others', async () => {
    const file = join(temporaryFolder(), 'target.ndjson')
    const [record] = fc.sample(article, 1)
    if (record === undefined) throw new Error('fast-check drew nothing')
    const base = { title: 'T', slug: 's', language: null }
    const others = ['third', 'other', undefined].map((project, index) => ({
      ...base,
      id: `f${index}`,
      project,
    }))
    const articles = [{ ...record, id: 'a1' }]
    await writeState(file, 'one', { ...one, articles, awaited: fc.sample(awaited, 1), foreign: others })
    expect(loadForeign(file, 'other')).toMatchObject([
      { id: 'a1', title: record.title, slug: record.slug, project: 'one' },
      { id: 'f0', project: 'third' },
    ])
    expect(loadForeign(file, 'one')).toEqual([])
    expect(loadForeign(`${file}.none`, 'one')).toEqual([])
  })

  test.each<[string, (written: string) => string]>([
    ['empty', () => ''],
    ['not JSON', () => 'state'],
    ['of another version', (written) => written.replace('"version":4', '"version":1')],
    ['cut within its header', (written) => written.slice(0, 10)],
    ['of lines that are no records', (written) => `${written}null\n`],
  ])('that is %s counts as none', async (_, damage) => {
    const file = join(temporaryFolder(), 'target.ndjson')
    await writeState(file, 'one', one)
    writeFileSync(file, damage(readFileSync(file, 'utf8')))
    expect(loadState(file, 'one')).toEqual(EMPTY_STATE)
  })

  test('that is missing counts as none', () => {
    expect(loadState(join(temporaryFolder(), 'target.ndjson'), 'one')).toEqual(EMPTY_STATE)
  })

  test('that cannot be written is an error that names the location of the data', async () => {
    const file = join(temporaryFolder(), 'no', 'such', 'folder', 'target.ndjson')
    await expect(writeState(file, 'one', one)).rejects.toMatchObject({
      code: 'WORKSPACE_UNWRITABLE',
      message: expect.stringMatching(
        /^The state could not be written to .*: ENOENT.* The changes that were sent are on the target\.$/,
      ) as string,
      hint: 'Make the .kb folder and its contents writable for this user, and run the command again.',
    })
  })
})

describe('the clean mark', () => {
  const warning = {
    code: 'html-removed',
    severity: 'warning',
    file: 'content/a.md',
    line: 1,
    column: 1,
    message: 'm',
  } as const
  const mark: CleanMark = {
    version: 2,
    settingsDigest: 's',
    stamps: 'x',
    hashes: 'h',
    assets: ['a.png'],
    revision: 7,
    articles: 3,
    drafts: 1,
    taxonomy: 2,
    orphans: 1,
    warnings: 1,
    run: 'r',
    edits: [],
  }
  const filesIn = (folder: string): StateFiles => ({
    state: join(folder, 'state'),
    mark: join(folder, 'mark'),
    index: join(folder, 'index'),
    articles: join(folder, 'articles'),
    warnings: join(folder, 'warnings'),
    lock: join(folder, 'lock'),
    journal: join(folder, 'journal'),
  })

  test('is read as it was written, until it is removed', async () => {
    const files = filesIn(temporaryFolder())
    await writeCleanRun(files, mark, undefined, [warning])
    expect(loadCleanMark(files)).toEqual(mark)
    expect(loadWarnings(files, mark)).toEqual([warning])
    expect(openRunIndex(files.index, mark)).toBeUndefined()
    removeCleanMark(files.mark)
    removeCleanMark(files.mark)
    expect(loadCleanMark(files)).toBeUndefined()
  })

  test('without its warnings counts as none', async () => {
    const files = filesIn(temporaryFolder())
    await writeCleanMark(files.mark, mark)
    expect(loadCleanMark(files)).toBeUndefined()
    await writeCleanMark(files.mark, { ...mark, warnings: 0 })
    expect(loadCleanMark(files)).toEqual({ ...mark, warnings: 0 })
  })

  test('replaces the warnings of edited articles, and uses no index of another run', async () => {
    const files = filesIn(temporaryFolder())
    const other = { ...warning, file: 'content/b.md' }
    const row = { source: 'a.md', hash: 'before', slug: 'a', language: null, linksTo: [] }
    const file = { source: 'a.md', size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1, hash: 'before' }
    const index = { run: 'r', files: [file], content: EMPTY_INDEX, articles: [row], target: EMPTY_TARGET }
    await writeCleanRun(files, mark, index, [warning, other])
    const now = { ...file, size: 2, hash: 'now' }
    const edit = { source: 'a.md', file: now, linksTo: ['b.md'], name: 'content/a.md', diagnostics: [] }
    const edited = { ...mark, edits: [edit] }
    expect(loadWarnings(files, edited)).toEqual([other])
    expect(openRunIndex(files.index, edited)?.rows.get('a.md')).toEqual({
      ...row,
      hash: 'now',
      linksTo: ['b.md'],
    })
    expect(openRunIndex(files.index, { ...mark, run: 'other' })).toBeUndefined()
  })

  test.each(['', '{', 'null', '[]', '{"version":1}'])('that contains %j counts as none', (content) => {
    const files = filesIn(temporaryFolder())
    writeFileSync(files.mark, content)
    expect(loadCleanMark(files)).toBeUndefined()
  })

  test('that cannot be written is not a failure', async () => {
    const files = filesIn(join(temporaryFolder(), 'no'))
    expect(await writeCleanRun(files, mark, undefined, [])).toContain('could not be written')
    expect(loadCleanMark(files)).toBeUndefined()
  })
})

test('a target is identified by its URL and key, and the name does not reveal the key', () => {
  const names = [
    targetIdentity('https://a.example', 'key-1'),
    targetIdentity('https://a.example', 'key-2'),
    targetIdentity('https://b.example', 'key-1'),
  ]
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/)
  expect(targetIdentity('https://a.example', 'key-1')).toBe(names[0])
})

describe('the workspace', () => {
  test('excludes itself from git, and keeps an existing .gitignore', () => {
    const workspace = workspaceOf(temporaryFolder())
    prepareWorkspace(workspace)
    const ignore = join(workspace.folder, '.gitignore')
    expect(readFileSync(ignore, 'utf8')).toBe('*\n')
    writeFileSync(ignore, 'mine\n')
    prepareWorkspace(workspace)
    expect(readFileSync(ignore, 'utf8')).toBe('mine\n')
    expect(readdirSync(workspace.folder).toSorted()).toEqual(['.gitignore', 'state'])
  })

  test('that cannot be created is an error', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, '.kb'), '')
    expect(() => prepareWorkspace(workspaceOf(root))).toThrow(
      expect.objectContaining({
        code: 'WORKSPACE_UNWRITABLE',
        hint: 'There is a file in the place of a folder, such as .kb. Move it away, and run the command again.',
      }) as Error,
    )
  })
})

describe('a backup', () => {
  const now = new Date('2027-01-31T12:30:00.500Z')

  test('contains the article under its id and the time', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const file = await writeBackup(folder, '../a b', { data: { name: 'A' } }, now)
    expect(file).toBe(join(folder, '2027-01-31T12-30-00.500Z-..%2Fa%20b.json'))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ data: { name: 'A' } })
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('has a name of which every file system takes the length', async () => {
    const folder = join(temporaryFolder(), 'backups')
    const files = await Promise.all(
      ['1', '2'].map((end) => writeBackup(folder, 'é'.repeat(300) + end, {}, now)),
    )
    expect(new Set(files).size).toBe(2)
    for (const file of files) expect(basename(file).length).toBeLessThan(255)
  })

  test('that cannot be written is an error: then nothing may be changed', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, '')
    await expect(writeBackup(folder, 'id', {}, now)).rejects.toMatchObject({
      code: 'WORKSPACE_UNWRITABLE',
      message: expect.stringMatching(/ The article was not changed\.$/) as string,
    })
  })
})

describe('the articles of a run', () => {
  const [a, b] = [desired('a.md'), desired('b.md')]
  const run = { run: 'r', edits: [] }
  const editOf = (hash: string) => {
    const file = { source: 'a.md', size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1, hash }
    return { source: 'a.md', file, linksTo: [], name: 'content/a.md', diagnostics: [] }
  }

  test('are read in order, each in its last edited version', async () => {
    const file = join(temporaryFolder(), 'articles')
    await writeRunArticles(file, 'r', [a, b])
    expect([...(loadRunArticles(file, run)?.values() ?? [])]).toEqual([a, b])
    const edited = { ...a, title: 'Edited', sourceHash: 'now' }
    await appendRunArticles(file, [edited])
    const found = loadRunArticles(file, { ...run, edits: [editOf('now')] })
    expect([...(found?.values() ?? [])]).toEqual([edited, b])
  })

  test('are missing without an edited one, and for another run', async () => {
    const file = join(temporaryFolder(), 'articles')
    expect(loadRunArticles(file, run)).toBeUndefined()
    await writeRunArticles(file, 'r', [a, b])
    expect(loadRunArticles(file, { ...run, edits: [editOf('now')] })).toBeUndefined()
    expect(loadRunArticles(file, { ...run, run: 'other' })).toBeUndefined()
  })

  test('are missing if a line is damaged', async () => {
    const file = join(temporaryFolder(), 'articles')
    await writeRunArticles(file, 'r', [a, b])
    truncateSync(file, statSync(file).size - 3)
    expect(loadRunArticles(file, run)).toBeUndefined()
  })
})
