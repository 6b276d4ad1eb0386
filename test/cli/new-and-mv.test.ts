// The output of `kb new` and `kb mv`, and the question of `kb new`.
import { PassThrough } from 'node:stream'
import { join } from 'node:path'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { runMove } from '../../src/cli/commands/mv.ts'
import { runNew, type NewFlags } from '../../src/cli/commands/new.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { article, createProject, type Files } from '../support/project.ts'

const FILES: Files = {
  'content/_categories.yml': '- name: Guides\n  slug: guides\n- name: Prices\n  slug: prices\n',
  'content/a b.md': article('A', { slug: 'a', body: '[b](b.md)' }),
  'content/b.md': article('B', { body: '[a](<a b.md>) [c](c/\u202Ec.md)' }),
  'content/c/\u202Ec.md': article('C', { slug: 'c' }),
}

function start() {
  const project = createProject(FILES)
  const printed = { out: '', err: '' }
  const colors = pc.createColors(false)
  const terminal: Terminal = {
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
    isLive: false,
    columns: 80,
    colors,
    errColors: colors,
    status: () => undefined,
  }
  return { project, terminal, printed, cwd: project.root }
}

const nobody = () => ({ input: new PassThrough(), output: new PassThrough() })

async function say(title: string, options: NewFlags) {
  const { terminal, printed, cwd, project } = start()
  const code = await runNew([title], { ...options, cwd }, terminal, nobody())
  return { code, ...printed, project }
}

test('kb mv reports what happens to a slug in the file', async () => {
  const move = async (newSlug: boolean) => {
    const { terminal, printed, cwd, project } = start()
    await runMove(['content/a b.md', 'content/z.md'], { cwd, newSlug }, terminal)
    const lines = printed.out.split('\n').filter((line) => /slug|aliases/.test(line))
    return [lines, project.read('content/z.md')]
  }
  expect(await move(false)).toEqual([[], article('A', { slug: 'a', body: '[b](b.md)' })])
  expect(await move(true)).toEqual([
    ['      slug: z is written instead of the old slug', '      aliases: a'],
    article('A', { slug: 'z', aliases: ['a'], body: '[b](b.md)' }).replace('["a"]', '[a]'),
  ])
})

test('kb new prints the path of the file and the next step', async () => {
  const { code, out, err } = await say("It's new", { categories: ['prices'] })
  expect({ code, out, err }).toEqual({
    code: 0,
    out: `Wrote content/prices/its-new.md:6

It is a draft: readers see it after you change it to status: published.
Write the text below the second ---; npx kb watch shows it while you write. Then
check it and send it:

  npx kb check content/prices/its-new.md
  npx kb sync
`,
    err: '',
  })
})

test('kb new with other options', async () => {
  expect((await say('New', { categories: ['prices'], quiet: true })).out).toBe('content/prices/new.md:6\n')
  expect((await say('New', { categories: ['prices'], dryRun: true })).out).toBe(
    'Would write content/prices/new.md:6\n\n  ---\n  title: New\n  categories: [prices]\n  ---\n',
  )
  expect((await say('New', { categories: ['prices'], folder: "it's" })).out).toContain(
    String.raw`npx kb check 'content/it'\''s/new.md'`,
  )
  const { out, project } = await say('New', { categories: ['prices'], tags: [], json: true })
  expect(JSON.parse(out)).toEqual({
    version: 1,
    file: 'content/prices/new.md',
    line: 6,
    title: 'New',
    slug: 'new',
    language: 'en',
    categories: ['prices'],
    tags: [],
    status: 'draft',
    missing: [],
    text: project.read('content/prices/new.md'),
    dryRun: false,
  })
})

/** Creates a user at a terminal. */
function person() {
  const input: PassThrough = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  return { input, output }
}

function answer(output: PassThrough, input: PassThrough, keys: string): void {
  let said = ''
  output.on('data', (part: Buffer) => {
    const isAsked = said.includes('Which category')
    said += part.toString()
    // The prompt listens once it is drawn.
    if (!isAsked && said.includes('Which category')) setImmediate(() => input.write(keys))
  })
}

test('kb new asks for the category on a terminal', async () => {
  const { terminal, printed, cwd, project } = start()
  const { input, output } = person()
  answer(output, input, '\u001B[B\r')
  await runNew(['New'], { cwd }, terminal, { input, output })
  expect(printed.out).toContain('content/prices/new.md')
  expect(project.read('content/prices/new.md')).toContain('categories: [Prices]')
})

test('a user who does not answer gets no file', async () => {
  const { terminal, cwd } = start()
  const { input, output } = person()
  answer(output, input, '\u0003')
  await expect(runNew(['New'], { cwd }, terminal, { input, output })).rejects.toMatchObject({
    code: 'INTERRUPTED',
    message: 'Stopped before anything was written.',
  })
})

test('kb mv lists rewritten files', async () => {
  const { terminal, printed, cwd } = start()
  expect(await runMove(['content/a b.md', 'content/d/'], { cwd, dryRun: true }, terminal)).toBe(0)
  expect(printed.out).toBe(
    `  ~ content/b.md
      line 6: a b.md → d/a b.md
  ~ content/d/a b.md
      line 7: b.md → ../b.md

Would move content/a b.md → content/d/a b.md and rewrite 2 links in 2 files.
Nothing was changed.
`,
  )
  printed.out = ''
  await runMove(['content/b.md', 'content/other.md'], { cwd }, terminal)
  expect(printed.out).toBe(`  ~ content/a b.md (1 link)
  ~ content/other.md
      slug: b is added to it, to keep its URL

Moved content/b.md → content/other.md, rewrote 1 link in 1 file.
`)
  printed.out = ''
  await runMove(['content/c', 'content/e'], { cwd, verbose: true }, terminal)
  expect(printed.out).toContain('c/\\u{202e}c.md → e/\\u{202e}c.md')
})

test.each([
  [
    'hugo',
    'content/guide/setup.md',
    '+++\ntitle = "Setup"\n+++\n',
    'url: /guide/setup',
    { url: '/guide/setup' },
  ],
  ['docusaurus', 'content/guide/setup.mdx', '# A\n', 'slug: /guide/setup', { slug: '/guide/setup' }],
] as const)('kb mv names the key that says the address: %s', async (preset, from, text, said, slugKeys) => {
  const { terminal, printed } = start()
  const config = `export default { project: 'p', content: 'content', preset: '${preset}' }\n`
  const { root: cwd } = createProject({ 'kb.config.mjs': config, [from]: text })
  await runMove([from, 'content/other/b.md'], { cwd, dryRun: true, json: true }, terminal)
  expect(JSON.parse(printed.out)).toMatchObject({ files: [{ slug: 'guide-setup', slugKeys }] })
  printed.out = ''
  await runMove([from, 'content/other/b.md'], { cwd }, terminal)
  expect(printed.out).toBe(`  ~ content/other/b.md
      ${said} is added to it, to keep its URL

Moved ${from} → content/other/b.md, rewrote no link.
`)
})

test('kb mv --json, and what is left to do', async () => {
  const { terminal, printed, cwd, project } = start()
  project.write({ 'content/open.md': '---\n[a](<a b.md>)\n' })
  expect(await runMove(['a b.md', 'a.md'], { cwd, json: true }, terminal)).toBe(1)
  expect(JSON.parse(printed.out)).toMatchObject({
    version: 1,
    from: 'content/a b.md',
    to: 'content/a.md',
    moved: 1,
    left: [
      { file: 'content/open.md', reason: 'its frontmatter is not closed, so its links could not be read' },
    ],
  })
  expect(project.path('content')).toBe(join(cwd, 'content'))
})
