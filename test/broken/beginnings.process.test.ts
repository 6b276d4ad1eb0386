// Wrong ways to begin, each with what it says: what somebody sees who has installed kb-sync a minute ago. The messages are
// data; UPDATE_EXPECTED=1 writes down anew what is expected, to be read before it is kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countColumns } from '../../src/core/text-columns.ts'
import { article, configFile, createProject, type Files } from '../support/project.ts'

const EXPECTED = fileURLToPath(new URL('beginnings.txt', import.meta.url))

const PROJECT: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
}
const { 'kb.config.ts': _, ...WITHOUT_CONFIG } = PROJECT
const withConfig = (text: string): Files => ({ ...PROJECT, 'kb.config.ts': text })
const withArticle = (text: string): Files => ({ ...PROJECT, 'content/first.md': text })
const FOLDERS: Files = {
  'kb.config.ts': configFile({ project: 'demo', preset: 'folder' }),
  'docs/guides/a.md': '# A\n',
}
const exporting = (members: string) =>
  `import { defineConfig } from 'kb-sync'\n\nexport default defineConfig(${members})\n`

interface Beginning {
  readonly what: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly argv: readonly string[]
}

const BEGINNINGS: readonly Beginning[] = [
  { what: 'a check outside of any project', files: {}, argv: ['check'] },
  { what: 'a sync outside of any project', files: {}, argv: ['sync'] },
  { what: 'a watch outside of any project', files: {}, argv: ['watch'] },
  { what: 'a new article outside of any project', files: {}, argv: ['new', 'First steps'] },
  { what: 'keys outside of any project', files: {}, argv: ['admin', 'keys', 'list'] },
  { what: 'a file in the place of the folder .kb', files: { ...PROJECT, '.kb': '' }, argv: ['sync'] },
  { what: 'a project folder that is a file', files: PROJECT, argv: ['init', 'content/first.md', '--yes'] },
  { what: 'a misspelled flag of the server', files: PROJECT, argv: ['serve', '--prot', '8080'] },
  { what: 'a report outside of any project', files: {}, argv: ['report'] },
  { what: 'Markdown without a project', files: { 'first.md': '# First\n' }, argv: ['check'] },
  { what: 'a folder that does not exist', files: {}, argv: ['check', '--cwd', 'help'] },
  { what: 'init where nobody can be asked', files: {}, argv: ['init'] },
  { what: 'init a second time', files: PROJECT, argv: ['init', '--yes'] },
  {
    what: 'init in a folder of a project',
    files: { ...PROJECT, 'content/guides/a.md': article('A') },
    argv: ['init', 'content/guides', '--yes'],
  },
  { what: 'init with a content folder outside', files: {}, argv: ['init', '--yes', '--content', '../docs'] },
  { what: 'init with an unknown preset', files: {}, argv: ['init', '--yes', '--preset', 'jekyll'] },
  { what: 'init with a URL that is none', files: {}, argv: ['init', '--yes', '--url', 'help.example.com'] },
  {
    what: 'init with a content folder that is a file',
    files: { content: '' },
    argv: ['init', '--yes', '--no-install'],
  },
  { what: 'init beside a broken package.json', files: { 'package.json': '{' }, argv: ['init', '--yes'] },
  { what: 'a misspelled command', files: PROJECT, argv: ['chekc'] },
  { what: 'a misspelled flag', files: PROJECT, argv: ['sync', '--dryrun'] },
  { what: 'a path that does not exist', files: PROJECT, argv: ['check', 'content/frist.md'] },
  { what: 'a new article without a title', files: PROJECT, argv: ['new', ' '] },
  { what: 'a new article in an unknown category', files: PROJECT, argv: ['new', 'A', '--category', 'Guide'] },
  {
    what: 'a new article in a category that is no folder',
    files: FOLDERS,
    argv: ['new', 'A', '--category', 'nope'],
  },
  {
    what: 'a new article with a new tag in a folder',
    files: FOLDERS,
    argv: ['new', 'A', '--dir', 'more', '--tag', 'new', '--dry-run'],
  },
  { what: 'init of a folder of Markdown in a script', files: { 'docs/a.md': '# A\n' }, argv: ['init'] },
  { what: 'a new article with the title of another', files: PROJECT, argv: ['new', 'First', '--dry-run'] },
  { what: 'no content folder', files: { 'kb.config.ts': configFile({ project: 'demo' }) }, argv: ['check'] },
  { what: 'no configuration in the file', files: withConfig('const config = {}\n'), argv: ['check'] },
  {
    what: 'a configuration with a syntax error',
    files: withConfig(exporting("{ project: 'demo }")),
    argv: ['check'],
  },
  { what: 'an unknown setting', files: withConfig(exporting("{\n  contents: 'docs',\n}")), argv: ['check'] },
  {
    what: 'a setting with a wrong value',
    files: withConfig(exporting("{\n  sync: { retries: 'no' },\n}")),
    argv: ['check'],
  },
  {
    what: 'a misspelled preset',
    files: withConfig(exporting("{\n  preset: 'docusarus',\n}")),
    argv: ['check'],
  },
  {
    what: 'a target that is only a URL',
    files: withConfig(exporting("{\n  target: 'https://help.example.com',\n}")),
    argv: ['sync'],
  },
  {
    what: 'a configuration in another format',
    files: { ...WITHOUT_CONFIG, 'kb.config.json': '{ "project": "demo" }' },
    argv: ['check'],
  },
  {
    what: 'a configuration that does not exist',
    files: PROJECT,
    argv: ['check', '--config', 'kb.production.ts'],
  },
  {
    what: 'a remote target without encryption',
    files: withConfig(
      configFile({ project: 'demo', target: { url: 'http://help.example.com', apiKey: 'secret' } }),
    ),
    argv: ['sync'],
  },
  { what: 'a port that is none', files: PROJECT, argv: ['serve', '--port', '99999'] },
  { what: 'keys before there is a database', files: PROJECT, argv: ['admin', 'keys', 'list'] },
  { what: 'a file outside of the content', files: { ...PROJECT, 'a.md': 'A' }, argv: ['check', 'a.md'] },
  { what: 'a code that does not exist', files: PROJECT, argv: ['explain', 'slug_invalid'] },
  { what: 'a move of a file that does not exist', files: PROJECT, argv: ['mv', 'frist.md', 'second.md'] },
  {
    what: 'no article',
    files: { 'kb.config.ts': configFile({ project: 'demo' }), 'content/a.txt': '', 'content/b.mdx': 'B' },
    argv: ['check'],
  },
  {
    what: 'categories that are not a list',
    files: { ...PROJECT, 'content/_categories.yml': 'Guides:\n  slug: guides\n' },
    argv: ['check'],
  },
  {
    what: 'a tab in the categories',
    files: { ...PROJECT, 'content/_categories.yml': '- name: Guides\n\tslug: guides\n' },
    argv: ['check'],
  },
  {
    what: 'two articles of one name',
    files: { ...PROJECT, 'content/more/first.md': article('First') },
    argv: ['check'],
  },
  {
    what: 'an article in UTF-16',
    files: { ...PROJECT, 'content/first.md': Buffer.from('\ufefftitle', 'utf16le') },
    argv: ['check'],
  },
  {
    what: 'a program as an article',
    files: { ...PROJECT, 'content/first.md': Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0x00, 0xff) },
    argv: ['check'],
  },
  {
    what: 'a link to a file that cannot be sent',
    files: { ...withArticle(`${article('First')}\n[A](a.conf)\n`), 'content/a.conf': 'a = 1\n' },
    argv: ['check'],
  },
  { what: 'frontmatter of Hugo', files: withArticle("+++\ntitle = 'First'\n+++\nText.\n"), argv: ['check'] },
  {
    what: 'a blank line above the frontmatter',
    files: withArticle(`\n${article('First')}`),
    argv: ['check'],
  },
  {
    what: 'an apostrophe in single quotes',
    files: withArticle("---\ntitle: 'It's here'\ncategories: [Guides]\n---\n"),
    argv: ['check'],
  },
  {
    what: 'no space after a colon',
    files: withArticle('---\ntitle: First\ncategories:[Guides]\n---\n'),
    argv: ['check'],
  },
  {
    what: 'a status and a date in words of their own',
    files: withArticle(
      '---\ntitle: First\ncategories: [Guides]\nstatus: publish\nreviewDate: 31.12.2027\n---\n\nText.\n',
    ),
    argv: ['check'],
  },
  {
    what: 'a link with a space in its path',
    files: {
      ...withArticle(`${article('First')}\n[VPN](VPN setup.md)\n`),
      'content/VPN setup.md': article('VPN'),
    },
    argv: ['check'],
  },
  {
    what: 'a note that does not exist',
    files: {
      'kb.config.ts': configFile({ project: 'demo', preset: 'obsidian', content: 'vault' }),
      'vault/Coffee/Espresso.md': 'See [[Expresso]] and [[Not yet written]].\n',
    },
    argv: ['check'],
  },
  { what: 'an unknown target', files: PROJECT, argv: ['sync', '--target', 'production'] },
  {
    what: 'a remote target without a key',
    files: withConfig(configFile({ project: 'demo', target: { url: 'https://help.example.com' } })),
    argv: ['sync'],
  },
  { what: 'an empty article', files: withArticle(''), argv: ['check'] },
  { what: 'an article without frontmatter', files: withArticle('# First\n\nText.\n'), argv: ['check'] },
  {
    what: 'frontmatter that is not closed',
    files: withArticle('---\ntitle: First\n\nText.\n'),
    argv: ['check'],
  },
  {
    what: 'a draft in words of its own, in a folder',
    files: { ...FOLDERS, 'docs/guides/a.md': '---\ndraft: yes\n---\n\n# A\n' },
    argv: ['check'],
  },
  {
    what: 'a misspelled status',
    files: withArticle('---\ntitle: First\ncategories: [Guides]\nstatus: publishd\n---\n\nText.\n'),
    argv: ['check'],
  },
  {
    what: 'a colon in a title',
    files: withArticle('---\ntitle: Start: here\ncategories: [Guides]\n---\n'),
    argv: ['check'],
  },
  {
    what: 'a tab in frontmatter',
    files: withArticle('---\ntitle: First\ncategories:\n\t- Guides\n---\n'),
    argv: ['check'],
  },
  {
    what: 'an unknown category',
    files: withArticle('---\ntitle: First\ncategories: Guide\n---\n\nText.\n'),
    argv: ['sync'],
  },
  {
    what: 'a misspelled key',
    files: withArticle('---\ntitel: First\ncategories: [Guides]\n---\n\nText.\n'),
    argv: ['check'],
  },
]

test('each says what is wrong and what to do, in lines of 80 columns', async () => {
  const said: string[] = []
  const widths: number[] = []
  for (const { what, files, argv } of BEGINNINGS) {
    const project = createProject()
    project.write(files)
    const { code, stdout, stderr } = await project.kb(...argv)
    widths.push(...`${stdout}${stderr}`.split('\n').map(countColumns))
    const text = stdout.replaceAll(project.root, '/project') + unwrapped(stderr, project.root)
    said.push(
      `## ${what}\n$ kb ${argv.join(' ')}\n${text}${text.endsWith('\n') ? '' : '\n'}exit code ${code}\n`,
    )
  }
  const all = said.join('\n')
  if (process.env['UPDATE_EXPECTED'] === '1') writeFileSync(EXPECTED, all)
  expect(all).toBe(readFileSync(EXPECTED, 'utf8'))
  expect(Math.max(...widths)).toBeLessThanOrEqual(80)
})

test('there are thirty of them', () => {
  expect(BEGINNINGS.length).toBeGreaterThanOrEqual(30)
})

/** Where lines are broken depends on the length of the path to the project. */
function unwrapped(messages: string, root: string): string {
  return messages
    .split(/^(?=hint:)/m)
    .map((text) =>
      text.includes(root) ? `${text.trim().replaceAll('\n', ' ').replaceAll(root, '/project')}\n` : text,
    )
    .join('')
}
