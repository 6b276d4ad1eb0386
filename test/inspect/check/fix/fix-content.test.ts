import * as fc from 'fast-check'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixContent, fixFile, previewFixes } from '../../../../src/inspect/check/fix/fix-content.ts'
import { runCheck } from '../../../../src/inspect/check/run-check.ts'
import { loadConfig } from '../../../../src/core/config/load-config.ts'
import { temporaryFolder } from '../../../support/folder.ts'

type Files = Readonly<Record<string, string>>

function projectOf(files: Files): string {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

async function fix(root: string) {
  const { fixed, diagnostics } = await fixContent({ settings: await loadConfig({ cwd: root }) })
  return {
    fixed: fixed.map(
      ({ file, line, code, changes }) =>
        `${file}:${line} ${code} ${changes.map(({ after }) => after).join()}`,
    ),
    left: diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`),
  }
}

const read = (root: string, name: string) => readFileSync(join(root, name), 'utf8')

describe('safe problems are fixed', () => {
  test('in place: comments, order, line endings and byte order mark stay', async () => {
    const root = projectOf({
      'content/a.md':
        '\ufeff---\r\n# ours\r\nreviewDate: "31.1.2027" # soon\r\ntitel:  A\r\nslug: a b\r\ncategories:   [G]\t\r\n---\r\n\r\nText \r\nhard  \r\nbreak\r\n',
      'content/_tags.yml': '# tags\n- Name: T # a tag\n  slug:   t\n',
    })
    expect(await fix(root)).toEqual({
      fixed: [
        'content/_tags.yml:2 taxonomy-unknown-key name',
        'content/a.md:3 date-invalid "2027-01-31"',
        'content/a.md:4 title-missing title',
        'content/a.md:5 slug-invalid a-b',
        'content/a.md:6 trailing-space ,',
      ],
      left: [],
    })
    expect(read(root, 'content/a.md')).toBe(
      '\ufeff---\r\n# ours\r\nreviewDate: "2027-01-31" # soon\r\ntitle:  A\r\nslug: a-b\r\ncategories:   [G]\r\n---\r\n\r\nText\r\nhard  \r\nbreak\r\n',
    )
    expect(read(root, 'content/_tags.yml')).toBe('# tags\n- name: T # a tag\n  slug:   t\n')
  })

  test('repeatedly, until none are left: one fix reveals another problem', async () => {
    const root = projectOf({
      'content/a.md': '---\ntitle: A\nSlug: a-b\nreviewdate: 2027/1/31\ncategories: [G]\n---\n',
    })
    expect(await fix(root)).toEqual({
      fixed: [
        'content/a.md:3 frontmatter-unknown-key slug',
        'content/a.md:4 frontmatter-unknown-key reviewDate',
        'content/a.md:4 date-invalid 2027-01-31',
      ],
      left: [],
    })
  })

  const taxonomy = '- name: Guides\n  slug: guides\n- name: Accounts\n  slug: billing\n'
  test.each([
    ['categories: guide', 'categories: guides'],
    ['categories: gudies', 'categories: guides'],
    ['categories: [Guide, accounts]', 'categories: [Guides, Accounts]'],
    ["categories: ['Guide']", "categories: ['Guides']"],
    ['categories: ["Guidse"] # main', 'categories: ["Guides"] # main'],
    ['categories:\r\n  - Biling', 'categories:\r\n  - billing'],
    ...['[Nothing]', '["G\\u0075ide"]', '[Bills]'].map((written) => [
      `categories: ${written}`,
      `categories: ${written}`,
    ]),
  ])('%j becomes %j', async (written, fixed) => {
    const article = (frontmatter: string) => `---\ntitle: A\n${frontmatter}\n---\n\nText.\n`
    const root = projectOf({ 'content/a.md': article(written), 'content/_categories.yml': taxonomy })
    await fix(root)
    expect(read(root, 'content/a.md')).toBe(article(fixed))
  })

  test('other problems are left to the author', async () => {
    const text = '---\ntitle: A\nreviewDate: 03/04/2027\ntitel: B\ncategories: [G]\n---\n'
    const root = projectOf({ 'content/a.md': text })
    expect(await fix(root)).toEqual({
      fixed: [],
      left: ['content/a.md:3 date-invalid', 'content/a.md:4 frontmatter-unknown-key'],
    })
    expect(read(root, 'content/a.md')).toBe(text)
  })

  test('but nothing outside of the content folder', async () => {
    const text = '---\ntitle: A\nslug: a b\ncategories: [G]\n---\n'
    const root = projectOf({
      'elsewhere/a.md': text,
      'content/b.md': '---\ntitle: B\ncategories: [G]\n---\n',
    })
    symlinkSync('../elsewhere/a.md', join(root, 'content/a.md'))
    expect((await fix(root)).fixed).toEqual([])
    expect(read(root, 'elsewhere/a.md')).toBe(text)
  })

  test('and nothing in a file that has changed since the check', async () => {
    const root = projectOf({ 'content/a.md': '---\ntitle: A\nslug: a b\ncategories: [G]\n---\n' })
    const file = join(root, 'content/a.md')
    const { diagnostics } = await runCheck({ settings: await loadConfig({ cwd: root }) })
    const checked = readFileSync(file)
    writeFileSync(file, 'Somebody writes here.\n')
    expect(await fixFile(file, checked, diagnostics)).toEqual({ kind: 'fixed', applied: [] })
    expect(read(root, 'content/a.md')).toBe('Somebody writes here.\n')
  })
})

test('no two articles get the same slug', async () => {
  const page = (slug: string) => `---\ntitle: A\nslug: ${slug}\n---\ntext\n`
  const root = projectOf({
    'kb.config.ts': "export default { defaults: { categories: ['G'] } }\n",
    'content/a.md': page('a-b'),
    'content/b.md': page('"a b"'),
    'content/c.md': page('c d'),
    'content/d.md': page('c/d'),
    'content/e.md': page('e f'),
  })
  expect((await fix(root)).fixed).toEqual(['content/e.md:3 slug-invalid e-f'])
})

test('a file that cannot be written does not prevent fixes of others', async () => {
  const wrong = '---\ntitle: A\nreviewDate: 2027/1/31\n---\ntext\n'
  // The temporary file beside it would have a name that is too long.
  const long = `content/${'m'.repeat(250)}.md`
  const root = projectOf({
    'kb.config.ts': "export default { defaults: { categories: ['G'] } }\n",
    'content/a.md': wrong,
    [long]: wrong,
    'content/z.md': wrong,
  })
  const { fixed, unwritten } = await fixContent({ settings: await loadConfig({ cwd: root }) })
  expect(fixed.map(({ file }) => file)).toEqual(['content/a.md', 'content/z.md'])
  expect(unwritten).toEqual([{ file: long, reason: 'name too long' }])
  expect(read(root, long)).toBe(wrong)
})

test(
  'fixing twice has the same result as once, and fixed problems are gone',
  { timeout: 120_000 },
  async () => {
    const line = fc.constantFrom(
      'slug: a b',
      'slug: "x/y"',
      'reviewDate: 2027/1/31',
      "reviewDate: '1.2.2027'",
      'Order: 3',
      'tgas: [x]',
      'Tags: [x]',
      'categories: [G]  ',
      '# a comment \t',
      'excerpt: |\n  keeps  \n  this',
      'status: draft',
    )
    const body = fc.constantFrom('Text ', 'hard  \nbreak', '`a \nb`', '    code  ', '- item\t', '')
    const article = fc.tuple(
      fc.uniqueArray(line),
      fc.array(body, { maxLength: 4 }),
      fc.constantFrom('\n', '\r\n'),
    )
    await fc.assert(
      fc.asyncProperty(article, async ([lines, paragraphs, lineEnd]) => {
        const text = ['---', 'title: A', ...lines, '---', '', paragraphs.join('\n\n'), ''].join('\n')
        const root = projectOf({ 'content/a.md': text.replaceAll('\n', lineEnd) })
        await fix(root)
        const once = read(root, 'content/a.md')
        expect((await fix(root)).fixed).toEqual([])
        expect(read(root, 'content/a.md')).toBe(once)
        const { diagnostics } = await runCheck({ settings: await loadConfig({ cwd: root }) })
        expect(diagnostics.filter((diagnostic) => diagnostic.fix !== undefined)).toEqual([])
      }),
      { numRuns: 40, seed: 1 },
    )
  },
)

describe('a URL is corrected if only one file or heading matches', () => {
  const page = (title: string, body = 'Text.') => `---\ntitle: ${title}\ncategories: [G]\n---\n\n${body}\n`
  const OTHERS = {
    'content/guides/setup.md': page('Setup', 'Text.\n\n## Install it'),
    'content/guides/v1.md': page('V1'),
    'content/es/printers.md': page('Es'),
    'content/wires.md': page('Wires'),
    'content/wired.md': page('Wired'),
  }

  async function fixed(body: string): Promise<string> {
    const root = projectOf({ ...OTHERS, 'content/guides/a.md': page('A', body) })
    await fix(root)
    return read(root, 'content/guides/a.md')
      .slice(page('A', '').length - 1)
      .trimEnd()
  }

  test.each([
    ['[x](Setup.md)', '[x](setup.md)'],
    ['[x](./setpu.md?a=1#install-it "T")', '[x](./setup.md?a=1#install-it "T")'],
    ['[x](../Guides/setup.md)', '[x](setup.md)'],
    ['[x](/guides/Setup.md)', '[x](/guides/setup.md)'],
    ['[x](setup)', '[x](setup.md)'],
    ['<a href="Setup.md">x</a>', '<a href="setup.md">x</a>'],
    ['[x](setup.md#instal-it)', '[x](setup.md#install-it)'],
    ['## Apply\n\n[x](#aply)', '## Apply\n\n[x](#apply)'],
    ['[x](Setpu.md#instal-it)', '[x](setup.md#install-it)'],
    ['[x][y]\n\n[y]: Setup.md', '[x][y]\n\n[y]: setup.md'],
    ['<b>a</b> ![x][] [y]\n\n> [Y]:\n> <Setup.md> (T)', '<b>a</b> ![x][] [y]\n\n> [Y]:\n> <setup.md> (T)'],
    ['[y] and [x][y]\n\n[y]: setup.md#instal-it "T"', '[y] and [x][y]\n\n[y]: setup.md#install-it "T"'],
    ['[![x](Setup.md)][y]\n\n[y]: <Setup.md>', '[![x](setup.md)][y]\n\n[y]: <setup.md>'],
    ['## Apply\n\n[y]\n\n[y\\]]: #apply\n[y]: #aply', '## Apply\n\n[y]\n\n[y\\]]: #apply\n[y]: #apply'],
  ])('%s', async (written, expected) => {
    expect(await fixed(written)).toBe(expected)
  })

  test.each([
    ['another version', '[x](v2.md)'],
    ['another language', '[x](../en/printers.md)'],
    ['one of two files', '[x](../wire.md)'],
    ['two edits', '[x](sedup2.md)'],
    ['a definition with an address in escapes', '[x][y]\n\n[y]: %53etup.md'],
    ['a second definition, which has no effect', '[x][y]\n\n[y]: v2.md\n[y]: Setup.md'],
    ['an address in escapes', '[x](%53etup.md)'],
  ])('not for %s', async (_, written) => {
    expect(await fixed(written)).toBe(written)
  })

  test('once for all references to a definition; each of them is counted', async () => {
    const body = '[x][y] [y]\n\nText [y].\n\n[y]: Setup.md "T"'
    const files = { ...OTHERS, 'content/guides/a.md': page('A', body) }
    const made = ['6', '6', '8'].map((line) => `content/guides/a.md:${line} link-file-missing setup.md`)
    const root = projectOf(files)
    expect(await fix(root)).toEqual({ fixed: made, left: [] })
    expect(read(root, 'content/guides/a.md')).toBe(files['content/guides/a.md'].replace('Setup', 'setup'))
    const { fixed: previewed, diagnostics } = await previewFixes({
      settings: await loadConfig({ cwd: projectOf(files) }),
    })
    expect([previewed.length, diagnostics]).toEqual([3, []])
  })

  test('in an included file, whichever file has the reference', async () => {
    const root = projectOf({
      ...OTHERS,
      'content/guides/a.md': page('A', '[x][y]\n\n<!-- include: _links.md -->'),
      'content/guides/_links.md': 'See [y].\n\n[y]: ./Setup.md\n',
    })
    expect((await fix(root)).left).toEqual([])
    expect(read(root, 'content/guides/_links.md')).toBe('See [y].\n\n[y]: ./setup.md\n')
  })

  test('a preview writes nothing, and returns the texts', async () => {
    const root = projectOf({ ...OTHERS, 'content/guides/a.md': page('A', '[x](Setup.md) [y](gone.md)') })
    const before = read(root, 'content/guides/a.md')
    const {
      diagnostics,
      fixed: made,
      texts,
    } = await previewFixes({ settings: await loadConfig({ cwd: root }) })
    expect(read(root, 'content/guides/a.md')).toBe(before)
    expect(made.map(({ code, changes }) => [code, changes])).toEqual([
      ['link-file-missing', [{ line: 6, before: 'Setup.md', after: 'setup.md' }]],
    ])
    expect(texts).toEqual([
      { file: 'content/guides/a.md', before, after: before.replace('Setup.md', 'setup.md') },
    ])
    expect(diagnostics.map(({ column }) => column)).toEqual([19])
  })
})
