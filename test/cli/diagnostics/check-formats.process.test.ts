// The formats of kb check for people.
import { expect, test } from 'vitest'
import { configFile, createProject } from '../../support/project.ts'

const page = (title: string, body: string) =>
  `---\ntitle: ${title}\ncategories: [G]\n---\n\nText\n\n${body}\n`

async function check(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const { code, stdout } = await createProject(files).kb('check', ...flags)
  return { code, stdout }
}

const FILES = {
  'content/a.md': page('A', '[one](gone.md) ![](https://a.example/x.png)'),
  'content/b.md': page('B', '[two](lost.md)'),
}

test('concise: a line for each problem', async () => {
  const lines = [
    'content/a.md:8:7 error link-file-missing There is no article "gone.md".',
    'content/a.md:8:16 warning image-alt-missing The image has no alt text.',
    'content/b.md:8:7 error link-file-missing There is no article "lost.md".',
  ]
  const summary = '2 errors and 1 warning in 2 articles.\nkb explain CODE shows more about a problem.\n'
  expect(await check(FILES, '--format', 'concise')).toEqual({
    code: 1,
    stdout: `${lines.join('\n')}\n\n${summary}`,
  })
  expect(await check(FILES, '--format', 'concise', '--max', '1')).toEqual({
    code: 1,
    stdout: `${lines[0]}\n\n… and 2 more problems.\n\n${summary}`,
  })
  expect((await check(FILES, '--format', 'concise', '-q')).stdout).toBe(`${lines[0]}\n${lines[2]}\n`)
})

test('concise: a line for each fix', async () => {
  const fixed = await check(
    { 'content/a.md': page('A', '[one](#headin)\n\n## Heading') },
    '--format',
    'concise',
    '--fix',
  )
  expect(fixed.stdout).toMatch(/^content\/a.md:8:7 fixed link-heading-missing #headin → #heading\n\n/)
})

test('grouped: by file, or by code', async () => {
  expect((await check(FILES, '--format', 'grouped')).stdout).toBe(`content/a.md
  8:7  error   link-file-missing There is no article "gone.md".
  8:16 warning image-alt-missing The image has no alt text.

content/b.md
  8:7 error   link-file-missing There is no article "lost.md".

2 errors and 1 warning in 2 articles.
kb explain CODE shows more about a problem.
`)
  expect((await check(FILES, '--format', 'grouped-by-code')).stdout).toBe(`error link-file-missing (2)
  content/a.md:8:7 There is no article "gone.md".
  content/b.md:8:7 There is no article "lost.md".

warning image-alt-missing (1)
  content/a.md:8:16 The image has no alt text.

2 errors and 1 warning in 2 articles.
kb explain CODE shows more about a problem.
`)
})

test('grouped by code: the count of a code includes those hidden by --max', async () => {
  expect((await check(FILES, '--format', 'grouped-by-code', '--max', '1')).stdout).toContain(
    'error link-file-missing (2)\n  content/a.md:8:7 There is no article "gone.md".\n\n… and 2 more problems.\n',
  )
  const overrides =
    "export default { overrides: [{ files: ['b.md'], rules: { 'link-file-missing': 'warning' } }] }\n"
  const mixed = await check({ ...FILES, 'kb.config.ts': overrides }, '--format', 'grouped-by-code')
  expect(mixed.stdout.match(/^\w+ link-file-missing.*/gm)).toEqual([
    'error link-file-missing (1)',
    'warning link-file-missing (1)',
  ])
})

test('pretty: a problem that occurs more than ten times is shown once, or with --verbose each time', async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `content/${String.fromCodePoint(97 + index)}.md`,
        page(`T${index}`, index === 1 ? '![](x.gif)\n\n![](x.gif)' : '![](x.gif)'),
      ]),
    )
  const rules = { 'kb.config.ts': "export default { rules: { 'asset-missing': 'off' } }\n" }
  const ten = await check({ ...rules, ...files(9) })
  expect(ten.stdout.match(/image-alt-missing/g)).toHaveLength(11)
  const all = await check({ ...rules, ...files(11) }, '--verbose')
  expect(all.stdout.match(/image-alt-missing/g)).toHaveLength(13)
  const one = await check({ ...rules, 'content/a.md': page('A', '![](x.gif)\n\n'.repeat(11)) })
  expect(one.stdout).toContain(
    '  also 10 times in this file: content/a.md:10, content/a.md:12, content/a.md:14,\n  … (--verbose shows all)\n',
  )
  const several = await check({
    ...rules,
    ...files(4),
    'content/a.md': page('A', '![](x.gif)\n\n'.repeat(10)),
  })
  expect(several.stdout).toContain('  also 13 times in this file and 3 more files: content/a.md:10,')
  expect((await check({ ...rules, ...files(11) })).stdout).toBe(`content/a.md:8:1 warning image-alt-missing
  The image has no alt text.
  8 | ![](x.gif)
    | ^^^^^^^^^^
  hint: Describe the image between the brackets. For a decorative image, use
        <img alt="">.
  also 11 times in 10 more files: content/b.md:8, content/b.md:10,
  content/c.md:8, … (--verbose shows all)

  12 warning image-alt-missing

12 warnings in 11 articles.
kb explain CODE shows more about a problem.
`)
  const gone = Object.fromEntries(
    Object.entries(files(11)).map(([name, text]) => [name, `${text}\n[gone](gone.md)\n`]),
  )
  const first = await check({ ...rules, ...gone }, '--max', '1')
  expect(first.stdout).toMatch(/^content\/a.md:10:8 error/)
  expect(first.stdout).toContain('also in 10 more files')
  expect(first.stdout).toContain('\n… and 12 more problems.\n')
})

test('--quiet prints errors only, and the exit code stays', async () => {
  const overrides = configFile({ rules: { 'link-file-missing': 'warning' } })
  for (const format of ['pretty', 'concise', 'grouped', 'grouped-by-code']) {
    const errors = await check(FILES, '--format', format, '-q')
    expect([errors.code, errors.stdout.includes('link-file-missing')]).toEqual([1, true])
    const warnings = await check({ ...FILES, 'kb.config.ts': overrides }, '--format', format, '-q')
    expect(warnings).toEqual({ code: 0, stdout: '' })
  }
})

test('--max applies to the formats for people', async () => {
  const refused = await createProject(FILES).kb('check', '--json', '--max', '3')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--max cannot be combined with the format json.'),
  ])
  expect((await createProject(FILES).kb('check', '--max', '0')).code).toBe(2)
})

test('the diff shows trailing white space, and no line endings', async () => {
  const text = page('A', '[one](#headin)  \n\n## Heading').replaceAll('\n', '\r\n')
  const { stdout } = await check({ 'content/a.md': text }, '--fix', '--dry-run', '-q')
  expect(stdout).toContain('\n  - [one](#headin)··\n  + [one](#heading)\n\n    ## Heading\n')
})

test('--fix --dry-run prints a diff, and --dry-run alone is rejected', async () => {
  const project = createProject({
    'content/setup.md': page('S', ''),
    'content/a.md': page('A', '[x](Setup.md)'),
  })
  const { code, stdout } = await project.kb('check', '--fix', '--dry-run')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `content/a.md
  @@ -4,5 +4,5 @@
    ---

    Text

  - [x](Setup.md)
  + [x](setup.md)

1 problem would be fixed; no file was written.
No problems in 2 articles.
`,
  })
  expect(project.read('content/a.md')).toBe(page('A', '[x](Setup.md)'))
  expect((await project.kb('check', '--dry-run')).code).toBe(2)
  expect((await project.kb('check')).stdout).toContain(`  hint: Did you mean setup.md?
  help: kb check --fix changes the line to
  8 | [x](setup.md)
    |     ~~~~~~~~
`)
})

test('the URL of a reference is fixed in its definition, which the suggestion shows', async () => {
  const text = '---\ntitle: A\ncategories: [G]\n---\n\nSee [b] and [more][b].\n\n[b]: B.md "Title"\n'
  const project = createProject({
    'kb.config.mjs': "export default { project: 'p' }\n",
    'content/a.md': text,
    'content/b.md': text.replace('See [b] and [more][b].\n\n[b]: B.md "Title"', 'Text.'),
  })
  expect((await project.kb('check')).stdout).toContain(`
  help: kb check --fix changes the line to
  8 | [b]: b.md "Title"
`)
  const { stdout } = await project.kb('check', '--fix', '--dry-run')
  expect(stdout).toContain('\n  - [b]: B.md "Title"\n  + [b]: b.md "Title"\n\n2 problems would be fixed;')
  expect((await project.kb('check', '--fix')).code).toBe(0)
  expect(project.read('content/a.md')).toBe(text.replace('B.md', 'b.md'))
})
