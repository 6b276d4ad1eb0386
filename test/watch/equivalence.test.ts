// The main property of a watch: after any changes of the files, the target has the same content as after a sync of
// these files into an empty one, except for ids and times.
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/core/config/load-config.ts'
import type { Diagnostic } from '../../src/core/model/diagnostic.ts'
import { findContent, openContent } from '../../src/sync/open-content.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { describeTarget } from '../support/describe-target.ts'
import { createProject, type TestProject } from '../support/project.ts'
import { makeChange, soundArticle, startingContent } from '../support/random-content.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { syncInProcess } from '../support/sync-in-process.ts'
import { createWatchedProject } from '../support/watched-project.ts'
import { deed, doDeed } from './random-user.ts'

const RUNS = readRuns('HISTORIES', 1)

const CONFIG = {
  defaultLanguage: 'en',
  // The spread of review dates depends on the number of articles that one run creates.
  defaults: { reviewSpread: '0d' },
  server: { languages: ['en', 'fr'] },
  sync: { prune: true, maxDeletes: '100%' },
}

/** A few bursts of edits, each of which ends with valid content. */
const history = fc.array(fc.array(deed, { minLength: 1, maxLength: 15 }), { minLength: 2, maxLength: 4 })

test('any history of saves', timeoutOf(RUNS, 30_000), async () => {
  await fc.assert(
    fc.asyncProperty(history, async (bursts) => {
      const project = createWatchedProject({}, CONFIG)
      const root = project.path('content')
      for (const change of startingContent()) makeChange(root, change)
      const watch = project.watch()
      try {
        await watch.next('ready')
        for (const burst of bursts) {
          for (const each of burst) await doDeed(root, each, (ms) => sleep(ms))
          const { db, writtenMs } = await mend(project)
          await watch.settled(writtenMs)
          expect(await describeTarget(project.path('.kb/kb.db'))).toEqual(await describeTarget(db))
        }
      } finally {
        await watch.stop()
      }
      expect((await syncInProcess(project.root)).operations).toEqual([])
    }),
    { ...RUNS, endOnFailure: true },
  )
})

/** Rewrites files with errors until there are none, and syncs the resulting files into an empty database. */
async function mend(project: TestProject): Promise<{ readonly db: string; readonly writtenMs: number }> {
  // A change in any case, so that the watch reports when it is done.
  project.write({ 'content/last.md': soundArticle(`last-${Date.now()}.md`) })
  for (;;) {
    const writtenMs = Date.now()
    const settings = await loadConfig({ cwd: project.root })
    const { content, cache } = await openContent(settings, await findContent(settings), {
      leavesNoTrace: true,
    })
    cache.close()
    if (mendFiles(project, content.diagnostics)) continue
    const { result, db } = await syncCold(project)
    if (mendFiles(project, result.diagnostics)) continue
    expect(result.operations.filter(({ outcome }) => outcome !== 'done')).toEqual([])
    return { db, writtenMs }
  }
}

function mendFiles(project: TestProject, diagnostics: readonly Diagnostic[]): boolean {
  const files = new Set(diagnostics.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])))
  // A valid article has a category, which an empty target gets only from here.
  if (files.size > 0 && !existsSync(project.path('content/_categories.yml')))
    files.add('content/_categories.yml')
  for (const file of files) mendFile(project, file)
  return files.size > 0
}

function mendFile(project: TestProject, file: string): void {
  const source = file.slice('content/'.length)
  const text: Record<string, string> = {
    '_categories.yml': '- name: Guides\n  slug: guides\n- name: FAQ\n  slug: faq\n- name: New\n  slug: new\n',
    '_tags.yml': '- name: setup\n- name: billing\n',
  }
  writeFileSync(project.path(file), text[source] ?? soundArticle(source))
}

/** Syncs a copy of the files into an empty database. */
async function syncCold(project: TestProject): Promise<{ readonly result: SyncResult; readonly db: string }> {
  const copy = createProject()
  for (const name of ['kb.config.ts', 'content'])
    if (existsSync(project.path(name))) cpSync(project.path(name), join(copy.root, name), { recursive: true })
  return { result: await syncInProcess(copy.root), db: copy.path('.kb/kb.db') }
}
