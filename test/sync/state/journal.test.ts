import * as fc from 'fast-check'
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AwaitedArticle, RemovedArticle } from '../../../src/core/model/target-state.ts'
import {
  type JournaledOutcome,
  type JournaledWrite,
  openJournal,
  readJournal,
} from '../../../src/sync/state/journal.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { readRuns } from '../../support/runs.ts'

const sent: AwaitedArticle = {
  key: 'key',
  source: 'a.md',
  slug: 'a',
  language: null,
  title: 'A\n"quoted"',
  sentMs: 5,
  fingerprint: 'f',
  sourceHash: 's',
  fieldsHash: 'd',
  projectionHash: 'p',
}

const removed: RemovedArticle = {
  id: 'id-1',
  key: 'key',
  source: 'a.md',
  fields: {
    title: 'A',
    slug: 'a',
    excerpt: '',
    order: 0,
    status: 'draft',
    hideFromSearch: false,
    seoBannerUrl: '',
    reviewDate: '2027-01-01',
    categoryIds: ['c'],
    tagIds: [],
  },
  content: '<p>Text</p>\n',
  language: null,
  languageParent: undefined,
  ours: { fingerprint: 'f', sourceHash: 's', fieldsHash: 'd', projectionHash: 'p' },
}

const { sentMs: _, ...record } = sent
const create: JournaledWrite = { kind: 'create', record: sent }
const update: JournaledWrite = { kind: 'update', record: { ...record, id: 'id-1' } }
const removal: JournaledWrite = { kind: 'delete', id: 'id-1', removed }

const journalFile = () => join(temporaryFolder(), 'journal', 'target.ndjson')

/** The JSON form, without undefined members. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('the journal', () => {
  test('records whether each write was executed', () => {
    const file = journalFile()
    const journal = openJournal(file)
    journal.begin(create)('done')
    journal.begin(update)('refused')
    journal.begin(removal)
    journal.close()
    expect(readJournal(file)).toEqual([
      { write: kept(create), outcome: 'done' },
      { write: kept(update), outcome: 'refused' },
      { write: kept(removal), outcome: 'open' },
    ])
  })

  test('continues after an interrupted run, with separate numbers', () => {
    const file = journalFile()
    for (const write of [create, removal]) {
      const journal = openJournal(file)
      journal.begin(write)('done')
      journal.begin(update)
      journal.close()
    }
    expect(readJournal(file).map(({ write, outcome }) => `${write.kind} ${outcome}`)).toEqual([
      'create done',
      'update open',
      'delete done',
      'update open',
    ])
  })

  test('creates nothing on disk before the first write, and is removed when the state contains everything', async () => {
    const file = journalFile()
    const journal = openJournal(file)
    expect(existsSync(dirname(file))).toBe(false)
    journal.begin(create)
    await journal.finish([])
    expect(existsSync(file)).toBe(false)
    expect(readJournal(file)).toEqual([])
  })

  test('keeps articles that were deleted and not replaced', async () => {
    const file = journalFile()
    const journal = openJournal(file)
    journal.begin(create)
    await journal.finish([removed])
    expect(readJournal(file)).toEqual([{ write: kept({ kind: 'unreplaced', removed }), outcome: 'open' }])
  })

  test.each([0, 1, 20, 200])('loses only the incomplete line of a crash (%i bytes from its end)', (bytes) => {
    const file = journalFile()
    const journal = openJournal(file)
    journal.begin(create)
    journal.begin(removal)
    journal.close()
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length - bytes))
    const next = openJournal(file)
    next.begin(update)
    next.close()
    const kinds = readJournal(file).map(({ write }) => write.kind)
    expect(kinds).toEqual(bytes > 1 ? ['create', 'update'] : ['create', 'delete', 'update'])
  })

  test('is readable whatever its content', () => {
    const file = journalFile()
    const journal = openJournal(file)
    journal.begin(create)
    journal.close()
    for (const line of [
      'null',
      '7',
      '[]',
      '{}',
      '{"number":1}',
      '{"number":9,"outcome":"done"}',
      '{"write":{}}',
    ])
      appendFileSync(file, `${line}\n`)
    expect(readJournal(file)).toEqual([{ write: kept(create), outcome: 'open' }])
  })

  test('reports a full disk, and accepts no more writes', () => {
    const file = journalFile()
    mkdirSync(dirname(file))
    symlinkSync('/dev/full', file)
    const journal = openJournal(file)
    const failure = expect.objectContaining({
      code: 'WORKSPACE_UNWRITABLE',
      message: expect.stringContaining('no space left on device') as string,
    }) as Error
    expect(() => journal.begin(create)).toThrow(failure)
    expect(() => journal.begin(create)).toThrow(failure)
  })

  test('that cannot be read is an error, not an empty one', () => {
    const file = journalFile()
    mkdirSync(file, { recursive: true })
    expect(() => readJournal(file)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_UNWRITABLE' }) as Error,
    )
  })

  test('is read as it was written, in any order of outcomes', () => {
    const writes = fc.array(fc.constantFrom(create, update, removal), { maxLength: 8 })
    const outcomes = fc.array(fc.constantFrom<JournaledOutcome>('done', 'refused', 'open'), { minLength: 8 })
    fc.assert(
      fc.property(writes, outcomes, (begun, ended) => {
        const file = journalFile()
        const journal = openJournal(file)
        const notes = begun.map((write) => journal.begin(write))
        notes.toReversed().forEach((note, index) => {
          const outcome = ended[notes.length - 1 - index]
          if (outcome !== undefined && outcome !== 'open') note(outcome)
        })
        journal.begin(create)
        journal.close()
        expect(readJournal(file).slice(0, -1)).toEqual(
          begun.map((write, index) => ({ write: kept(write), outcome: ended[index] })),
        )
      }),
      readRuns('FUZZ', 50),
    )
  })
})
