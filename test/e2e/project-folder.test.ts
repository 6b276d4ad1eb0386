// Where a command finds its project, and what it says where there is none.
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type TestProject } from '../support/project.ts'
import { unwrapped } from '../support/unwrapped.ts'

const FILES = {
  'kb.config.ts': configFile({ project: 'demo', assets: { baseUrl: '/files' } }),
  'content/first.md': article('First'),
  'content/guides/second.md': article('Second'),
}

const SENT = { ...FILES, 'content/_categories.yml': '- name: Guides\n  slug: guides\n' }

/** What is printed, without the paths of the project. */
const printed = (project: TestProject, { stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}${stderr}`.replaceAll(project.root, 'ROOT').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW')

test.each<[string, ...string[]]>([
  ['check', 'content/guides'],
  ['plan'],
  ['sync'],
  ['pull'],
  ['report', '--no-history'],
  ['new', 'How to begin', '--folder', 'content/guides', '--category', 'guides'],
  ['mv', 'content/guides/second.md', 'content/third.md'],
  ['doctor'],
  ['explain'],
  ['explain', 'slug-invalid'],
  ['admin', 'sites', 'list'],
])('kb %s says the same in a folder of the project as at its top', async (...args) => {
  const [top, below] = [createProject(FILES), createProject(FILES)]
  const atTop = await top.run(args)
  const inFolder = await below.run(args, { cwd: below.path('content/guides') })
  expect([inFolder.code, printed(below, inFolder)]).toEqual([atTop.code, printed(top, atTop)])
  expect(existsSync(below.path('content/guides/.kb'))).toBe(false)
})

test('paths may be relative to the current folder, as well', async () => {
  const project = createProject(FILES)
  const cwd = project.path('content/guides')
  expect(await project.run(['check', 'second.md'], { cwd })).toMatchObject({ code: 0 })
  expect(await project.run(['mv', 'second.md', '../third.md'], { cwd })).toMatchObject({ code: 0 })
  expect(existsSync(project.path('content/third.md'))).toBe(true)
  project.write({ 'content/guides/second.md': article('Second') })
  const { code, stderr } = await project.run(['check', 'nowhere.md'], { cwd })
  expect([code, unwrapped(stderr)]).toEqual([
    2,
    `error: There is no file or folder nowhere.md. [USAGE] hint: Paths are relative to the current folder, the project, the content folder or the repository.`,
  ])
})

test.each([
  'guides/second.md',
  'content/guides/second.md:3',
  'guides/second.md:3:1',
  'help/content/guides/second.md:3:1',
  './content/guides/second.md:3:1:',
  'guides/second.md:',
])('every command that takes paths accepts %s, as commands print it', async (path) => {
  const repository = createProject({
    '.git/HEAD': '',
    ...Object.fromEntries(Object.entries(SENT).map(([name, text]) => [`help/${name}`, text])),
  })
  const cwd = repository.path('help')
  for (const command of ['check', 'plan', 'sync', 'pull', 'report']) {
    const { code, stderr } = await repository.run([command, path], { cwd })
    expect([command, code, stderr.includes('error')]).toEqual([command, 0, false])
  }
  const { json } = await repository.run(['plan', '--json'], { cwd })
  expect(json).toMatchObject({ summary: { created: 1, unchanged: 1 } })
})

test('an article in the current folder comes before one with the same path in the content folder', async () => {
  const project = createProject({
    ...SENT,
    'content/second.md': article('Another', { slug: 'another' }),
    'second.md': 'No article.',
  })
  const articles = async (path: string, cwd = project.root) => {
    const { json } = await project.run(['plan', '--json', path], { cwd })
    const { operations } = json as {
      readonly operations: readonly { readonly kind: string; readonly source?: string }[]
    }
    return operations.filter(({ kind }) => kind === 'article').map(({ source }) => source)
  }
  expect(await articles('second.md', project.path('content/guides'))).toEqual(['guides/second.md'])
  expect(await articles('content/second.md')).toEqual(['second.md'])
  expect(await articles(project.path('content/first.md'))).toEqual(['first.md'])
  symlinkSync(project.path('content'), project.path('link'))
  expect(await articles('link/first.md')).toEqual(['first.md'])
  expect(await articles('link/first.md', project.path('content'))).toEqual(['first.md'])
  expect(await articles('.', project.path('content/guides'))).toEqual(['guides/second.md'])
  expect(await articles('../first.md', project.path('content/guides'))).toEqual(['first.md'])
})

const NOT_THERE = 'hint: A path that starts with a dot is relative to the current folder.'

test.each([
  ['.', 'src', '. is not in the content folder. [USAGE] hint: Articles are in ../content.'],
  ['.:3', 'src', '.:3 is not in the content folder. [USAGE] hint: Articles are in ../content.'],
  ['..', 'src', '.. is not in the content folder. [USAGE] hint: Articles are in ../content.'],
  ['.', '.', '. is not in the content folder. [USAGE] hint: Articles are in content.'],
  ['src/..', '.', 'src/.. is not in the content folder. [USAGE] hint: Did you mean content?'],
  ['./first.md', 'src', `There is no file or folder ./first.md. [USAGE] ${NOT_THERE}`],
  ['../content/none.md', 'src', `There is no file or folder ../content/none.md. [USAGE] ${NOT_THERE}`],
  [
    'content/guide/secnd.md:3',
    '.',
    'There is no file or folder content/guide/secnd.md:3. [USAGE] hint: Did you mean content/guides/second.md?',
  ],
  ['guide', 'src', 'There is no file or folder guide. [USAGE] hint: Did you mean ../content/guides?'],
  ['../guide', 'content/guides', 'There is no file or folder ../guide. [USAGE] hint: Did you mean .?'],
  ['./README.md', '.', './README.md is not in the content folder. [USAGE] hint: Articles are in content.'],
  ['README.md', '.', 'README.md is not in the content folder. [USAGE] hint: Did you mean content/README.md?'],
  [
    'README.md:3',
    '.',
    'README.md:3 is not in the content folder. [USAGE] hint: Did you mean content/README.md?',
  ],
  ['guides', 'src', 'guides is not in the content folder. [USAGE] hint: Did you mean ../content/guides?'],
])('no command takes %s in %s for another file or folder', async (path, folder, message) => {
  const project = createProject({
    ...SENT,
    'content/README.md': article('Read me', { slug: 'read-me' }),
    'README.md': 'No article.',
    'src/guides/index.ts': '',
  })
  const refused = async (command: string) => {
    const { code, stderr } = await project.run([command, path], { cwd: project.path(folder) })
    return [command, code, unwrapped(stderr)]
  }
  for (const command of ['check', 'plan', 'sync', 'pull', 'report'])
    expect(await refused(command)).toEqual([command, 2, `error: ${message}`])
})

test.each<[string, string, ...string[]]>([
  ['.', 'README.md is not in the content folder.', 'mv', 'README.md', 'moved.md'],
  ['src', './first.md is not in the content folder.', 'mv', './first.md', './moved.md'],
  ['src', './README.md is not in the content folder.', 'mv', './README.md', './moved.md'],
  ['src', '. is not in the content folder. Nothing was written.', 'new', 'New', '--dir', '.'],
  ['src', './guides is not in the content folder. Nothing was written.', 'new', 'New', '--dir', './guides'],
])('in %s, the error is: %s', async (folder, message, ...args) => {
  const project = createProject({
    ...SENT,
    'content/README.md': article('Read me', { slug: 'read-me' }),
    'README.md': 'No article.',
    'src/index.ts': '',
  })
  const before = readdirSync(project.path('content'))
  const { code, stderr } = await project.run(args, { cwd: project.path(folder) })
  expect([code, unwrapped(stderr)]).toEqual([2, expect.stringContaining(`error: ${message} [USAGE]`)])
  expect(readdirSync(project.path('content'))).toEqual(before)
})

test.each<[string, ...string[]]>([
  ['check'],
  ['plan'],
  ['sync'],
  ['pull'],
  ['report'],
  ['watch'],
  ['check', 'a.md'],
  ['plan', 'a.md'],
  ['sync', 'a.md'],
  ['pull', 'a.md'],
  ['sync', '--plan', 'plan.json'],
  ['new', 'A title'],
  ['mv', 'a.md', 'b.md'],
])('kb %s outside of a project, and without the content folder of one, leaves no trace', async (...args) => {
  const empty = createProject({})
  const outside = await empty.run(args)
  expect({ code: outside.code, stdout: outside.stdout, stderr: unwrapped(outside.stderr) }).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${empty.root} is not a kb-sync project: it has no folder content, and neither it nor a folder above has a kb.config.ts. [CONTENT_UNREADABLE] hint: To make it a project, run npx kb-sync init. To use another folder, run kb with --cwd DIR.`,
  })
  expect(readdirSync(empty.root)).toEqual([])
  const project = createProject({ 'kb.config.ts': configFile({ project: 'demo', content: 'articles' }) })
  const { code, stdout, stderr } = await project.run(args)
  expect({ code, stdout, stderr: unwrapped(stderr) }).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: There is no content folder ${project.path('articles')}. [CONTENT_UNREADABLE] hint: Set "content" in kb.config.ts to the folder with your articles. To make a new project, run npx kb-sync init.`,
  })
  expect(existsSync(project.path('.kb'))).toBe(false)
})

test('a content folder that is none is found by kb doctor as well', async () => {
  const project = createProject({ 'below/kb.config.ts': configFile({ project: 'demo' }) })
  const { code, stdout } = await project.run(['doctor', '--cwd', 'below'])
  expect(code).toBe(2)
  expect(unwrapped(stdout)).toContain(
    `There is no content folder ${project.path('below/content')}. hint: Set "content" in kb.config.ts`,
  )
})

test.each([
  ['check', 'github'],
  ['check', 'sarif'],
  ['plan', 'markdown'],
  ['sync', 'markdown'],
  ['report', 'github'],
])('kb %s --json --format %s is refused, as one JSON document', async (command, format) => {
  const { code, json, stderr } = await createProject(FILES).kb(command, '--json', '--format', format)
  const message = `--json cannot be combined with --format ${format}.`
  expect([code, json]).toEqual([
    2,
    { version: 1, error: { code: 'USAGE', message, hint: 'Leave out one of them.' } },
  ])
  expect(stderr).toBe(`error: ${message} [USAGE]\nhint: Leave out one of them.\n`)
})

test('flags that a command cannot use are not in its help', async () => {
  const project = createProject({})
  const flagsOf = async (command: string) => {
    const { stdout } = await project.kb(command, '--help')
    return ['--cwd', '--config'].filter((flag) => stdout.includes(flag))
  }
  expect(await flagsOf('init')).toEqual(['--cwd'])
  expect(await flagsOf('schema')).toEqual([])
  expect(await flagsOf('completion')).toEqual([])
  expect(await flagsOf('check')).toEqual(['--cwd', '--config'])
})

test.each([
  ['check', 'nowhere/in/this/project/there/is/such/a/file/and/its/name/is/long.md'],
  ['explain'],
  ['plan', '--target', 'nowhere'],
  ['serve', '--port', '99999'],
  ['report', '--format', 'nothing'],
])('in a pipe, no line of text is wider than 80 columns: kb %s', async (...args) => {
  const { stdout, stderr } = await createProject(FILES).kb(...args)
  const isWide = (line: string) => line.length > 80 && line.trim().includes(' ')
  expect(`${stdout}${stderr}`.split('\n').filter(isWide)).toEqual([])
})
