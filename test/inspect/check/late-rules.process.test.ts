// Rules that only `kb check` runs: those that use the date or the git history.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCheck } from '../../../src/inspect/check/run-check.ts'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import type { RuleSeverities } from '../../../src/core/model/diagnostic-codes.ts'
import { type Files, writeFiles } from '../../content/load-files.ts'
import { temporaryFolder } from '../../support/folder.ts'

interface Run {
  readonly root?: string
  readonly rules?: RuleSeverities
  readonly time?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A project with these articles, checked at a given time. */
async function check(
  files: Files,
  { root = temporaryFolder(), rules, time = '2026-03-01T10:00:00Z', env }: Run = {},
) {
  writeFiles(join(root, 'content'), files)
  const settings = await loadConfig({ cwd: root, configFile: undefined })
  const now = () => new Date(time)
  const server = { ...settings.server, languages: ['en', 'de', 'fr'] }
  return runCheck({ settings: { ...settings, server, rules: rules ?? {} }, now, ...(env && { env }) })
}

const due = (reviewDate: string) =>
  `---\ntitle: Prices\ncategories: [Guides]\nreviewDate: ${reviewDate}\n---\n\nText.\n`

test('an overdue review is listed with other problems, in the order of files', async () => {
  const files = {
    'b.md': due('2026-02-28'),
    'a.md': `${due('never')}\n# Other\n`,
    'c.md': `${due('2020-01-31')}\n# Other\n`,
  }
  const { diagnostics } = await check(files)
  expect(diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'content/a.md:9 heading-second-h1',
    'content/b.md:4 review-overdue',
    'content/c.md:4 review-overdue',
    'content/c.md:9 heading-second-h1',
  ])
  expect(diagnostics[1]).toEqual({
    code: 'review-overdue',
    severity: 'warning',
    file: 'content/b.md',
    line: 4,
    column: 13,
    end: { line: 4, column: 23 },
    message: 'The article was due for review on 2026-02-28.',
    hint: 'Review and update the article, and set the date of the next review.',
  })
})

test.each([
  ['the day itself', '2026-03-01', '2026-03-01T23:59:59Z', 0],
  ['the next day', '2026-03-01', '2026-03-02T00:00:00Z', 1],
  ['a default date', '', '2099-01-01T00:00:00Z', 0],
])('%s', async (_, date, time, count) => {
  const text = date === '' ? due('x').replace('reviewDate: x\n', '') : due(date)
  expect((await check({ 'a.md': text }, { time })).diagnostics).toHaveLength(count)
})

const PAST = {
  'en.md': '---\ntitle: Prices\nslug: prices\nstatus: published\ncategories: [Guides]\n---\n\nText.\n',
  'fr.md':
    '---\ntitle: Prix\nslug: prix\nlanguage: fr\ntranslationOf: prices\ncategories: [Guides]\n---\n\nTexte.\n',
}

test('history rules run in the content folder', async () => {
  const root = temporaryFolder()
  await check(PAST, { root })
  git(root, 'init', '--quiet')
  git(root, 'add', 'content')
  git(root, 'commit', '--quiet', '--message', 'first')
  const changed = { 'en.md': PAST['en.md'].replace('slug: prices', 'slug: costs'), 'fr.md': PAST['fr.md'] }
  const found = async (rules: RuleSeverities) =>
    (await check(changed, { root, rules })).diagnostics.map(
      ({ severity, file, code }) => `${severity} ${file} ${code}`,
    )
  expect(await found({ 'translation-outdated': 'off' })).toEqual([
    'warning content/en.md slug-changed',
    'error content/fr.md translation-unknown',
  ])
  changed['fr.md'] = changed['fr.md'].replace('translationOf: prices', 'translationOf: en.md')
  git(root, 'add', 'content/fr.md')
  git(root, 'commit', '--quiet', '--message', 'second', '--only', 'content/fr.md', '--allow-empty')
  expect(await found({ 'slug-changed': 'error' })).toEqual(['error content/en.md slug-changed'])
})

test('git is started only if a rule needs it', async () => {
  const root = temporaryFolder()
  const told = join(root, 'git-was-started')
  writeFileSync(join(root, 'git'), `#!/bin/sh\n: > '${told}'\nexit 1\n`)
  chmodSync(join(root, 'git'), 0o755)
  const env = { PATH: `${root}:/bin:/usr/bin` }
  await check(PAST, { root, env, rules: { 'slug-changed': 'off', 'translation-outdated': 'off' } })
  expect(existsSync(told)).toBe(false)
  await check({ 'de.md': due('never') }, { env })
  expect(existsSync(told)).toBe(false)
  await check(PAST, { root, env, rules: { 'translation-outdated': 'off' } })
  expect(existsSync(told)).toBe(true)
})

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}
