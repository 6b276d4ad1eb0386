import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatPullResult } from '../../src/cli/results/format-pull-result.ts'
import type { PulledFile, PullResult } from '../../src/authoring/pull/pulled-files.ts'

const PLACE = { colors: pc.createColors(false), columns: 80 }

const fileOf = (name: string, changes: Partial<PulledFile> = {}): PulledFile => ({
  action: 'create',
  file: `content/${name}.md`,
  slug: name,
  language: null,
  id: name,
  outcome: 'done',
  fields: [],
  text: true,
  ...changes,
})

const print = (files: readonly PulledFile[]) => {
  const summary = { updated: 0, created: files.length, unchanged: 0, conflicts: 0, skipped: 0, failed: 0 }
  const result: PullResult = {
    target: 'live',
    summary,
    files,
    diagnostics: [],
    requests: {},
    failure: undefined,
  }
  const text = formatPullResult(result, { dryRun: false, verbose: false, quiet: false }, PLACE)
  return text.slice(0, text.indexOf('\nFiles:'))
}

test('losses and backups are listed, however long the list is', () => {
  const files = Array.from({ length: 9 }, (_, index) => fileOf(`page-${index}`))
  const lossy = fileOf('lossy', { reason: 'left out: iframe, video' })
  expect(print([...files, lossy])).toBe(`  + created  content/page-0.md
  + created  content/page-1.md
  + created  content/page-2.md
  + created  content/page-3.md
  + created  content/page-4.md
  + created  content/lossy.md (left out: iframe, video)
    and 4 more (--verbose lists all)
`)
  const backup = '.kb/backups/2026-03-01T12-00-00.000Z-a-folder%2Fanother-folder%2Ffile.md'
  expect(print([fileOf('a', { action: 'update', fields: ['title'], reason: 'forced', backup })])).toBe(
    `  ~ updated  content/a.md (title, text)
      forced
      kept in ${backup}
`,
  )
})

test('advice on conflicts is below them, once', () => {
  const reason = 'it was edited in the file and on the target'
  const conflict = { action: 'conflict', outcome: 'skipped', reason } as const
  expect(print([fileOf('a', conflict), fileOf('b', { ...conflict, fields: ['title'], text: false })])).toBe(
    `  ! conflict content/a.md (text)
      ${reason}
  ! conflict content/b.md (title)
      ${reason}

  hint: kb pull PATH --on-conflict overwrite takes the version on the target;
    kb sync PATH --on-conflict overwrite sends the file.
`,
  )
  // The reason contains the advice, and overwriting would change nothing.
  expect(print([fileOf('c', { ...conflict, reason: 'it includes b.md: edit that' })])).not.toContain('hint')
})
