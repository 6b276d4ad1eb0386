import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatAnnotations } from '../../../src/cli/diagnostics/format-github.ts'
import { formatJobSummary, reportOnGithub } from '../../../src/cli/diagnostics/report-on-github.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { EXAMPLES } from './example-diagnostics.ts'

test('workflow commands escape what would end them, and contain columns only within a line', () => {
  expect(formatAnnotations(EXAMPLES.slice(0, 3), 'docs/')).toBe(
    [
      '::error file=docs/content/a%2C b%3Ac%25#日本.md,line=3,endLine=3,col=7,endColumn=10,title=slug-invalid::slug has <white> & "space", 100%25 \\u{7}of it%0Aand \\u{202e}turns]]>. Use a|b, `c`, @nobody or #1.\n',
      '::warning file=docs/content/b.md,line=2,endLine=4,title=excerpt-too-long::Too long.\n',
      '::error file=docs/content/c.md,line=1,col=1,title=file-empty::The file is empty.\n',
    ].join(''),
  )
})

test('the job summary contains everything, as text', () => {
  expect(formatJobSummary(EXAMPLES.slice(1), 3, 'docs/', 10_000)).toBe(
    [
      '### kb check',
      '',
      '2 errors and 1 warning in 3 articles.',
      '',
      '| Problem | Severity | Count |',
      '| --- | --- | ---: |',
      '| `file-empty` | error | 2 |',
      '| `excerpt-too-long` | warning | 1 |',
      '',
      '| Location | Severity | Problem | What to do |',
      '| --- | --- | --- | --- |',
      '| `docs/content/b.md:2:10` | warning | `excerpt-too-long`<br>Too long. |  |',
      '| `docs/content/c.md:1:1` | error | `file-empty`<br>The file is empty. |  |',
      '| `docs/content/c.md:1:1` | error | `file-empty`<br>The file is empty. |  |',
      '',
      '',
    ].join('\n'),
  )
})

describe('on a pull request', () => {
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })

  /** Creates a repository with a project in `docs`, of which a branch changed `content/z.md`. */
  function repository(): string {
    const top = temporaryFolder()
    const root = join(top, 'docs')
    mkdirSync(join(root, 'content'), { recursive: true })
    git(top, 'init', '--quiet', '--initial-branch=main')
    for (const name of ['a', 'z']) writeFileSync(join(root, `content/${name}.md`), 'old\n')
    git(top, 'add', '.')
    git(top, 'commit', '--quiet', '-m', 'one')
    git(top, 'checkout', '--quiet', '-b', 'branch')
    writeFileSync(join(root, 'content/z.md'), 'new\n')
    git(top, 'commit', '--quiet', '-am', 'two')
    return root
  }

  const problem = (file: string, column = 1): Diagnostic => ({
    code: 'file-empty',
    severity: 'error',
    file,
    line: 1,
    column,
    message: 'Empty.',
  })
  const report = (
    root: string,
    env: Record<string, string>,
    diagnostics = [problem('content/a.md'), problem('content/z.md')],
  ) =>
    reportOnGithub(
      { diagnostics, articles: 2 },
      { root, prefix: 'docs/' },
      { PATH: process.env['PATH'], ...env },
    )
  const filesOf = (text: string) => [...text.matchAll(/file=([^,]*)/g)].map(([, file]) => file)

  test('an unwritable summary does not suppress annotations', async () => {
    const printed = await report(repository(), { GITHUB_STEP_SUMMARY: '/nonexistent/summary.md' })
    expect(filesOf(printed)).not.toEqual([])
    expect(printed).toMatch(/\n::warning title=kb check::The job summary could not be written: ENOENT.*\n$/)
  })

  test('the files it changes come first', async () => {
    const root = repository()
    const base = git(root, 'rev-parse', 'main').trim()
    const event = join(root, '../event.json')
    writeFileSync(event, JSON.stringify({ pull_request: { base: { sha: base } } }))
    const changedFirst = ['docs/content/z.md', 'docs/content/a.md']
    expect(filesOf(await report(root, { GITHUB_BASE_REF: 'main', GITHUB_EVENT_PATH: event }))).toEqual(
      changedFirst,
    )
    git(root, 'update-ref', 'refs/remotes/origin/main', base)
    expect(filesOf(await report(root, { GITHUB_BASE_REF: 'main' }))).toEqual(changedFirst)
  })

  test.each([
    ['no pull request', {}],
    ['a base that the clone does not hold', { GITHUB_BASE_REF: 'main' }],
    ['an event that is no JSON', { GITHUB_BASE_REF: 'main', GITHUB_EVENT_PATH: '/dev/null' }],
    ['an event that names no commit', { GITHUB_BASE_REF: 'main', GITHUB_EVENT_PATH: 'event' }],
  ])('%s: the order stays', async (_, env) => {
    const root = repository()
    const event = join(root, 'event.json')
    writeFileSync(event, JSON.stringify({ pull_request: { base: { sha: '--output=x' } } }))
    const given = {
      ...env,
      ...('GITHUB_EVENT_PATH' in env && env.GITHUB_EVENT_PATH === 'event' && { GITHUB_EVENT_PATH: event }),
    }
    expect(filesOf(await report(root, given))).toEqual(['docs/content/a.md', 'docs/content/z.md'])
  })

  test("the whole list is added to the job summary, up to GitHub's limit", async () => {
    const root = temporaryFolder()
    const file = join(root, 'summary.md')
    writeFileSync(file, '# Before\n')
    const many = Array.from({ length: 20_000 }, (_, index) => problem(`content/${index}.md`))
    await report(root, { GITHUB_STEP_SUMMARY: file }, many)
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith('# Before\n### kb check\n\n20,000 errors in 2 articles.\n')).toBe(true)
    expect(text.slice(-200)).toMatch(/\n\*Left out to limit the size: [\d,]+ problems\.\*\n\n$/)
    const { size } = statSync(file)
    expect([size <= 1024 * 1024, size > 1000 * 1024]).toEqual([true, true])
  })

  test('beside a job summary, only what GitHub shows is printed; without one, everything is', async () => {
    const root = repository()
    const base = git(root, 'rev-parse', 'main').trim()
    git(root, 'update-ref', 'refs/remotes/origin/main', base)
    const env = { GITHUB_BASE_REF: 'main' }
    const warning = { ...problem('content/a.md'), severity: 'warning' } as const
    const many = [
      ...Array.from({ length: 15 }, (_, index) => problem('content/a.md', index + 1)),
      ...Array.from({ length: 12 }, () => warning),
      problem('content/z.md'),
    ]
    const file = join(root, 'summary.md')
    const printed = await report(root, { ...env, GITHUB_STEP_SUMMARY: file }, many)
    expect(filesOf(printed)[0]).toBe('docs/content/z.md')
    expect([printed.match(/^::error /gm)?.length, printed.match(/^::warning /gm)?.length]).toEqual([10, 10])
    expect(readFileSync(file, 'utf8').match(/^\| `docs\/content/gm)?.length).toBe(28)
    expect(filesOf(await report(root, env, many))).toHaveLength(28)
  })

  test('without a problem nothing is added', async () => {
    const root = temporaryFolder()
    const file = join(root, 'summary.md')
    writeFileSync(file, '')
    expect(await report(root, { GITHUB_STEP_SUMMARY: file }, [])).toBe('')
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})
