import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { createSourceFilter, findSources } from '../../src/content/source/find-sources.ts'
import { isInside } from '../../src/core/paths.ts'
import { digestHashes, hashSources, stampTree } from '../../src/content/source/hash-sources.ts'
import { type Files, contentFolder, FRONTMATTER, loadFolder, writeFiles } from './load-files.ts'

const files = (...names: readonly string[]): Files => Object.fromEntries(names.map((name) => [name, name]))

async function find(root: string, include = ['**/*.md'], exclude: string[] = []) {
  const found = findSources(root, await createSourceFilter(include, exclude))
  return {
    articles: found.articles.map(({ source }) => source),
    taxonomy: found.taxonomy.map(({ source }) => source),
  }
}

/** Returns unreadable paths with the reason. */
async function findUnread(root: string, exclude: string[] = []): Promise<Record<string, string>> {
  const { unread } = findSources(root, await createSourceFilter(['**/*.md'], exclude))
  return Object.fromEntries(unread.map(({ source, problem }) => [source, problem.message]))
}

test('articles are sorted by path, whatever the names of folders', async () => {
  const root = contentFolder(files('b.md', 'a/z.md', 'a.md', 'a-b.md', 'Z.md', 'ä.md', 'a/b/c.md'))
  expect(await find(root)).toEqual({
    articles: ['Z.md', 'a-b.md', 'a.md', 'a/b/c.md', 'a/z.md', 'b.md', 'ä.md'],
    taxonomy: [],
  })
})

test('names that start with _ or . are not articles, nor is anything below them', async () => {
  const root = contentFolder(
    files(
      'a.md',
      '_a.md',
      '.a.md',
      '_drafts/a.md',
      '.git/a.md',
      'a/_b.md',
      'a/_b/c.md',
      'a_b.md',
      'a.txt',
      'md',
    ),
  )
  expect((await find(root)).articles).toEqual(['a.md', 'a_b.md'])
})

test('the two taxonomy files only count in the content root', async () => {
  const root = contentFolder(
    files('_tags.yml', '_categories.yml', '_categories.yaml', 'a/_tags.yml', 'a/b.md'),
  )
  expect(await find(root)).toEqual({ articles: ['a/b.md'], taxonomy: ['_categories.yml', '_tags.yml'] })
})

test.each([
  [['**/*.md'], ['drafts/**'], ['a.md', 'guides/b.md', 'guides/old/d.md']],
  [['**/*.md'], ['**/old/**', 'a.md'], ['drafts/c.md', 'guides/b.md']],
  [['guides/*.md'], [], ['guides/b.md']],
  [['**/*.{md,markdown}'], [], ['a.md', 'drafts/c.md', 'e.markdown', 'guides/b.md', 'guides/old/d.md']],
])('include %j, exclude %j', async (include, exclude, expected) => {
  const root = contentFolder(
    files('a.md', 'guides/b.md', 'guides/old/d.md', 'drafts/c.md', 'e.markdown', '_hidden.md'),
  )
  expect((await find(root, include, exclude)).articles).toEqual(expected)
})

test.each(['**/*.md', '**/node_modules/**', '**/node_modules'])(
  'without the library of patterns, %s matches the same',
  async (pattern) => {
    const filter = await createSourceFilter([pattern], [])
    const matches = picomatch(pattern)
    const names = [
      'node_modules',
      'node_modules.md',
      'my node_modules',
      'a',
      'a.md',
      'ä.MD',
      'md',
      'a.md.txt',
    ]
    const sources = names.flatMap((first) => [
      first,
      ...names.flatMap((second) => [
        `${first}/${second}`,
        ...names.map((third) => `${first}/${second}/${third}`),
      ]),
    ])
    expect(sources.filter(filter)).toEqual(sources.filter((source) => matches(source)))
  },
)

test('excluded packages are not searched, also behind a symbolic link to a large folder', async () => {
  const outside = contentFolder({})
  for (let folder = 0; folder <= 1000; folder++) mkdirSync(join(outside, String(folder)))
  const root = contentFolder(files('a.md', 'node_modules/b/c.md'))
  symlinkSync(outside, join(root, 'node_modules/linked'))
  const patterns = [
    '**/node_modules/**',
    'node_modules/**',
    '{node_modules,drafts}/**',
    '**/node_modules/**/*',
  ]
  for (const pattern of patterns) {
    expect(await find(root, ['**/*.md'], [pattern])).toEqual({ articles: ['a.md'], taxonomy: [] })
    expect(await findUnread(root, [pattern])).toEqual({})
  }
  expect((await find(root, ['**/*.md'], ['a.md'])).articles).toEqual(['node_modules/b/c.md'])
  expect((await find(root, ['**/*.md'], ['**/README.md'])).articles).toEqual(['a.md', 'node_modules/b/c.md'])
})

test('packages below a folder are searched if only those in the content folder are excluded', async () => {
  const root = contentFolder(files('node_modules/a.md', 'docs/node_modules/b.md'))
  expect((await find(root, ['**/*.md'], ['node_modules/**'])).articles).toEqual(['docs/node_modules/b.md'])
})

test('packages that a pattern names are searched', async () => {
  const root = contentFolder(files('a.md', 'node_modules/@acme/handbook/b.md', 'node_modules/c/README.md'))
  expect((await find(root, ['*.md', 'node_modules/@acme/handbook/*.md'])).articles).toEqual([
    'a.md',
    'node_modules/@acme/handbook/b.md',
  ])
  for (const pattern of ['node_modules/!(@acme)/**', '!{a.md,node_modules/@acme/**}']) {
    expect((await find(root, ['**/*.md'], [pattern])).articles).toEqual([
      'a.md',
      'node_modules/@acme/handbook/b.md',
    ])
  }
})

test('a symbolic link counts only as a file inside the content root', async () => {
  const outside = contentFolder(files('secret.md', 'folder/a.md'))
  const root = contentFolder(files('a.md'))
  mkdirSync(join(root, 'folder.md'))
  const links: Record<string, string> = {
    'inside.md': 'a.md',
    'outside.md': join(outside, 'secret.md'),
    'broken.md': 'nowhere.md',
    'self.md': 'self.md',
    'through-a-file.md': 'a.md/b.md',
    tree: join(outside, 'folder'),
    'to-folder.md': 'folder.md',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))
  expect((await find(root)).articles).toEqual(['a.md', 'inside.md'])
  const expected = {
    'outside.md': '"outside.md" points to a file outside the content folder.',
    'broken.md': '"broken.md" is a symbolic link to a file that does not exist.',
    'self.md': '"self.md" is a symbolic link to something that cannot be read.',
    'through-a-file.md': '"through-a-file.md" is a symbolic link to something that cannot be read.',
    tree: '"tree" is a symbolic link to a folder with articles, which kb-sync does not read.',
  }
  expect(await findUnread(root)).toEqual(expected)
  expect(await findUnread(root, Object.keys(expected).concat('tree/**'))).toEqual({})
})

test('a path named like an article that cannot be read is not ignored silently', async () => {
  const root = contentFolder(files('a.md', 'images/x.png'))
  const bytes = (name: string) =>
    Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff]), Buffer.from(name)])
  writeFileSync(bytes('.md'), 'an article')
  writeFileSync(bytes('.txt'), 'a note')
  execFileSync('mkfifo', [join(root, 'pipe.md')])
  symlinkSync('nowhere.yml', join(root, '_tags.yml'))
  symlinkSync('images', join(root, 'pictures'))
  symlinkSync('nowhere', join(root, '.#a.md'))
  symlinkSync('.', join(root, 'images', 'up'))
  expect(await findUnread(root)).toEqual({
    'bad\ufffd.md': 'The name of the file is not valid UTF-8, so the file cannot be read.',
    'pipe.md': 'This is not a regular file, but a pipe, a socket or a device.',
    '_tags.yml': '"_tags.yml" is a symbolic link to a file that does not exist.',
  })
})

test('a line feed in a name does not start a new line in a report', async () => {
  const sameSlug = { 'new\nline.md': FRONTMATTER, 'new-line.md': FRONTMATTER }
  const { diagnostics } = await loadFolder(contentFolder(sameSlug))
  const messages = diagnostics.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringContaining('new\\u{a}line'))
  expect(messages.join('')).not.toContain('\n')
})

test('an unreadable article is a problem of the content, but links to it are not', async () => {
  const root = contentFolder({ 'a.md': `${FRONTMATTER}[b](b.md)\n` })
  symlinkSync('nowhere.md', join(root, 'b.md'))
  const { articles, diagnostics } = await loadFolder(root)
  expect(articles.map(({ source }) => source)).toEqual(['a.md'])
  expect(diagnostics).toEqual([
    {
      code: 'file-unreadable',
      severity: 'error',
      file: 'b.md',
      line: 1,
      column: 1,
      message: '"b.md" is a symbolic link to a file that does not exist.',
      hint: 'Correct the link, or delete it.',
    },
  ])
})

test.each([
  ['missing', (folder: string) => `There is no content folder ${folder}.`],
  ['a.md', (folder: string) => `The content folder ${folder} is not a folder.`],
])('an invalid content folder: %s', async (name, message) => {
  const folder = join(contentFolder(files('a.md')), name)
  await expect(find(folder)).rejects.toMatchObject({
    code: 'CONTENT_UNREADABLE',
    exitCode: 2,
    message: message(folder),
    hint: 'Set "content" in kb.config.ts to the folder with your articles. To make a new project, run npx kb-sync init.',
  })
})

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/a/..b', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
  ['/a/b', '/a/c', false],
])('in %s lies %s: %s', (folder, path, expected) => {
  expect(isInside(folder, path)).toBe(expected)
})

test('stamps and hashes show every change, and no change', async () => {
  const root = contentFolder(files('a.md', 'img/x.png'))
  const look = async () => {
    const found = findSources(root, await createSourceFilter(['**/*.md'], []))
    const sources = ['a.md', 'img/x.png', 'gone.png', 'a.md/gone.png']
    return [stampTree(root, found, sources.slice(1)).stamps, digestHashes(hashSources(root, sources))]
  }
  const first = await look()
  expect(await look()).toEqual(first)
  for (const name of ['a.md', 'img/x.png', 'gone.png']) {
    const before = await look()
    writeFiles(root, { [name]: 'something longer than before' })
    const after = await look()
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  }
})
