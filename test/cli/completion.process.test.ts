// What a shell offers behind `kb`: asked as its script asks, and by bash itself.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { complete, OF_ARGUMENT, OF_OPTION } from '../../src/cli/completion/complete.ts'
import { COMPLETION_SCRIPTS, type Shell } from '../../src/cli/completion/completion-script.ts'
import { createValueFinder } from '../../src/cli/completion/find-values.ts'
import {
  formatForBash,
  formatWithDescriptions,
  splitShellLine,
} from '../../src/cli/completion/shell-words.ts'
import { createProgram } from '../../src/cli/program/program.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'
import { DIAGNOSTICS } from '../../src/core/model/diagnostic-codes.ts'
import { article, BINARY, configFile, createProject, type TestProject } from '../support/project.ts'

const TARGETS = {
  staging: { url: 'https://staging.example.com' },
  production: { url: 'https://help.example.com' },
}

function setUp(): TestProject {
  return createProject({
    'kb.config.ts': configFile({ targets: TARGETS, server: { languages: ['en', 'pt-BR'] } }),
    'other/kb.config.ts': configFile({ content: 'docs', targets: { elsewhere: TARGETS.staging } }),
    'other/docs/page.md': article('Page'),
    'content/_categories.yml': '- name: Guides\n- name: Log in & out\n  parent: Guides\n- name: A/B\n',
    'content/_tags.yml': '- name: Safety\n- name: API keys\n',
    'content/guides/_draft.md': '',
    'content/guides/reset pass.md': article('Reset'),
    'content/guides/a:b*.md': article('Signs'),
    'content/guides/notes.txt': '',
    'content/Über/team.md': article('Team'),
    'content/two\nlines.md': '',
    'src/main.ts': '',
    'README.md': '',
  })
}

const program = () => createProgram(createTerminal(process), () => undefined)

/** The values that are offered for the last of the words. */
async function offered({ root }: TestProject, ...words: readonly string[]): Promise<string[]> {
  return (await complete(program(), words, createValueFinder(root))).map(({ value }) => value)
}

test('commands, and those below them', async () => {
  const project = setUp()
  const commands = program().commands.map((command) => command.name())
  expect(await offered(project, '')).toEqual([...commands, 'help'])
  expect(await offered(project, 'help', '')).toEqual([...commands, 'help'])
  expect(await offered(project, 'sy')).toEqual(['sync'])
  expect(await offered(project, 'admin', 'us')).toEqual(['users'])
  expect(await offered(project, 'admin', 'users', 'a')).toEqual(['add'])
  expect(await offered(project, 'nonsense', '')).toEqual([])
})

test('flags, of the command and of those above it, each once unless it may be repeated', async () => {
  const project = setUp()
  expect(await offered(project, 'sync', '--co')).toEqual(['--config', '--concurrency'])
  expect(await offered(project, 'sync', '--json', '--js')).toEqual([])
  expect(await offered(project, 'sync', '--adopt', 'a', '--ad')).toEqual(['--adopt'])
  expect(await offered(project, 'admin', 'users', 'add', '--s')).toEqual(['--site'])
  expect(await offered(project, 'sync', '--', '--js')).toEqual([])
  expect(await offered(project, '--v')).toEqual(['--version'])
})

test('values of flags, beside them and behind an equals sign', async () => {
  const project = setUp()
  expect(await offered(project, 'sync', '--on-conflict', '')).toEqual(['fail', 'skip', 'overwrite'])
  expect(await offered(project, 'sync', '--on-conflict=s')).toEqual(['--on-conflict=skip'])
  expect(await offered(project, 'sync', '--target', '')).toEqual(['builtin', 'staging', 'production'])
  expect(await offered(project, 'pull', '--target=p')).toEqual(['--target=production'])
  expect(await offered(project, 'sync', '--cwd', 'other', '--target', '')).toEqual(['builtin', 'elsewhere'])
  expect(await offered(project, 'sync', '--cwd', 'c')).toEqual(['content/'])
  expect(await offered(project, 'sync', '--config', 'kb')).toEqual(['kb.config.ts'])
  expect(await offered(project, 'sync', '--concurrency', '')).toEqual([])
  expect(await offered(project, 'report', '--owners=')).toEqual(['--owners=names', '--owners=email'])
  expect(await offered(project, 'report', '--owners', 'content/Ü')).toEqual(['content/Über/'])
  expect(await offered(project, 'sync', '--json=')).toEqual([])
})

test('several values with commas between, each once', async () => {
  const project = setUp()
  expect(await offered(project, 'report', '--fail-on', '')).toEqual(['overdue', 'broken', 'due'])
  expect(await offered(project, 'report', '--fail-on', 'broken,')).toEqual(['broken,overdue', 'broken,due'])
  expect(await offered(project, 'report', '--fail-on=overdue,broken,d')).toEqual([
    '--fail-on=overdue,broken,due',
  ])
})

test('articles are offered, and the folders that lead to them', async () => {
  const project = setUp()
  expect(await offered(project, 'check', '')).toEqual(['content/'])
  expect(await offered(project, 'check', 'content/')).toEqual([
    'content/guides/',
    'content/Über/',
    'content/two\nlines.md',
  ])
  expect(await offered(project, 'check', 'content/guides/')).toEqual([
    'content/guides/a:b*.md',
    'content/guides/reset pass.md',
  ])
  expect(await offered(project, 'plan', 'content/guides', './content/Ü')).toEqual(['./content/Über/'])
  expect(await offered(project, 'check', '--cwd', 'other', 'docs/')).toEqual(['docs/page.md'])
})

test('nothing of the project is run for articles, categories and tags', async () => {
  const project = createProject({
    'kb.config.ts': `throw new Error('run')\nexport default { content: "docs" }\n`,
    'docs/a.md': article('A'),
    'docs/_categories.yml': '- name: Guides\n',
    'docs/_tags.yml': '- name: Safety\n',
  })
  expect(await offered(project, 'mv', 'd')).toEqual(['docs/'])
  expect(await offered(project, 'mv', 'docs/')).toEqual(['docs/a.md'])
  expect(await offered(project, 'new', '--category', '')).toEqual(['Guides'])
  expect(await offered(project, 'new', '--tag', '')).toEqual(['Safety'])
  await expect(offered(project, 'sync', '--target', '')).rejects.toThrow('run')
})

test('schemas, shells and what the configuration names', async () => {
  const project = setUp()
  expect(await offered(project, 'schema', 'fr')).toEqual(['frontmatter'])
  expect(await offered(project, 'schema', 'o')).toEqual(['openapi'])
  expect(await offered(project, 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  const find = createValueFinder(project.root)
  const valuesOf = async (kind: 'category' | 'language' | 'code' | 'tag') =>
    (await find(kind, '', new Map())).map(({ value }) => value)
  expect(await valuesOf('category')).toEqual(['Guides', 'Guides/Log in & out', String.raw`A\/B`])
  expect(await valuesOf('tag')).toEqual(['Safety', 'API keys'])
  expect(await valuesOf('language')).toEqual(['en', 'pt-BR'])
  expect(await valuesOf('code')).toEqual(expect.arrayContaining([...Object.keys(DIAGNOSTICS), 'LOCKED']))
})

test('every value of a flag or argument is offered, or is one that only its author knows', () => {
  const commands = program().commands.filter((command) => command.name() !== 'admin')
  const flags = commands.flatMap(({ options }) =>
    options.flatMap(({ long, required, argChoices }) =>
      required && argChoices === undefined && long !== undefined && long !== null ? [long] : [],
    ),
  )
  expect([...new Set(flags)].filter((flag) => !(flag in OF_OPTION)).toSorted()).toEqual([
    '--adopt',
    '--check-links',
    '--concurrency',
    '--drain',
    '--due-within',
    '--host',
    '--ignore-links',
    '--max',
    '--max-connections',
    '--max-deletes',
    '--max-overdue',
    '--metrics',
    '--port',
    '--rate-limit',
    '--shard',
    '--slug',
    '--trusted-proxy',
    '--url',
  ])
  const known = commands.flatMap((command) =>
    command.registeredArguments.map((argument) => `${command.name()} ${argument.name()}`),
  )
  expect(Object.keys(OF_ARGUMENT).filter((argument) => !known.includes(argument))).toEqual([])
  expect(known.filter((argument) => !(argument in OF_ARGUMENT))).toEqual(['new title', 'completion words'])
})

test('a name that is two lines is not offered to a shell, and what it is stands behind a tab', () => {
  const candidates = [
    { value: 'two\nlines' },
    { value: 'one', description: 'a\nb' },
    { value: 'guides/', isPartial: true },
  ]
  expect(formatWithDescriptions(candidates)).toBe('one\ta b\nguides/\n')
  expect(formatForBash(candidates, splitShellLine('kb ', ' '))).toBe('one \nguides/\n')
})

const BREAKS = ' \t\n"\'><=;|&(:'

test.each([
  ['kb check con', ['kb', 'check', 'con'], undefined, 0],
  ['kb check ', ['kb', 'check', ''], undefined, 0],
  [String.raw`kb new a\ b`, ['kb', 'new', 'a b'], undefined, 0],
  ['kb new "a b', ['kb', 'new', 'a b'], '"', 0],
  ["kb new 'a b' --category 'c", ['kb', 'new', 'a b', '--category', 'c'], "'", 0],
  ['kb sync --target=st', ['kb', 'sync', '--target=st'], undefined, 9],
  ['kb check a:b', ['kb', 'check', 'a:b'], undefined, 2],
  [String.raw`kb check a\:b`, ['kb', 'check', 'a:b'], undefined, 0],
  ['kb check con"tent/a', ['kb', 'check', 'content/a'], '"', 3],
  [String.raw`kb new "a \" b`, ['kb', 'new', 'a " b'], '"', 0],
  ['kb new ""', ['kb', 'new', ''], undefined, 0],
  ['kb new "" ', ['kb', 'new', '', ''], undefined, 0],
])('bash’s line %s is read as its words', (line, words, openQuote, keptLength) => {
  expect(splitShellLine(line, BREAKS)).toEqual({ words, openQuote, keptLength })
})

test('bash itself replaces the word as it is quoted', () => {
  const project = setUp()
  mkdirSync(project.path('bin'))
  chmodSync(BINARY, 0o755)
  for (const name of ['kb', 'kb-sync']) symlinkSync(BINARY, project.path(`bin/${name}`))
  const lines = [
    'kb sync --tar',
    'kb-sync sync --target=st',
    'kb check content/guides/re',
    'kb check "content/guides/re',
    "kb check 'content/guides/a",
    'kb check content/guides/a:',
    'kb check $(touch broken) con',
    'kb nonsense "',
  ]
  // What readline does before it calls the function: bash has no other way in without a terminal.
  const script = lines.map((line, index) => `ask ${quoted(line)} > ${index}.txt`).join('\n')
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '--noprofile', '-c', `${PROLOGUE}\n${script}`],
    {
      cwd: project.root,
      encoding: 'utf8',
      env: { PATH: `${project.path('bin')}:${process.env['PATH']}`, LC_ALL: 'C.UTF-8' },
    },
  )
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  const replies = lines.map((_, index) => project.read(`${index}.txt`))
  expect(replies).toEqual([
    '[--target ]',
    '[staging ]',
    String.raw`[content/guides/reset\ pass.md ]`,
    '[content/guides/reset pass.md]',
    '[content/guides/a:b*.md]',
    String.raw`[b\*.md ]`,
    '[content/]',
    '',
  ])
  expect(() => project.read('broken')).toThrow('ENOENT')
})

const PROLOGUE =
  String.raw`
eval "$(kb completion bash)"
eval "$(kb completion bash)"
complete -p kb kb-sync > /dev/null
ask() {
  COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
  COMP_LINE=$1
  COMP_POINT=$` +
  '{#1}' +
  String.raw`
  _kb_sync "$` +
  '{1%% *}' +
  String.raw`"
  (( $` +
  '{#COMPREPLY[@]}' +
  String.raw` == 0 )) || printf '[%s]' "$` +
  '{COMPREPLY[@]}' +
  String.raw`"
}`

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

test('fish itself offers what kb does, and nothing of the other kb that it knows', () => {
  const project = setUp()
  chmodSync(BINARY, 0o755)
  mkdirSync(project.path('bin'))
  for (const name of ['kb', 'kb-sync']) {
    symlinkSync(BINARY, project.path(`bin/${name}`))
    project.write({ [`.config/fish/completions/${name}.fish`]: COMPLETION_SCRIPTS.fish })
  }
  const offeredByFish = (line: string) =>
    spawnSync('fish', ['-c', 'complete -C $argv[1]', line], {
      cwd: project.root,
      encoding: 'utf8',
      env: { PATH: `${project.path('bin')}:${process.env['PATH']}`, HOME: project.root, LC_ALL: 'C.UTF-8' },
    })
  const replies = ['kb e', 'kb sync --h', 'kb-sync sync --target s', 'kb check content/guides/re'].map(
    offeredByFish,
  )
  // Not every machine has it.
  if (replies.some(({ error }) => error !== undefined)) return
  expect(replies.map(({ stderr }) => stderr)).toEqual(['', '', '', ''])
  expect(replies.map(({ stdout }) => stdout.replaceAll(/\t.*/g, ''))).toEqual([
    'explain\n',
    '--help\n',
    'staging\n',
    'content/guides/reset pass.md\n',
  ])
  expect(replies[1]?.stdout).toBe('--help\tprint help\n')
})

test.each(Object.keys(COMPLETION_SCRIPTS) as Shell[])('the script for %s completes both names', (shell) => {
  const script = COMPLETION_SCRIPTS[shell]
  expect(script).toMatch(/\bkb\b.*\bkb-sync\b/s)
  expect(script).not.toContain('\\$')
  // From a file: fish cannot read what is not executed from every kind of pipe.
  const project = createProject({ script })
  const env = { PATH: process.env['PATH'], HOME: project.root }
  const known = spawnSync(shell, ['-n', project.path('script')], { encoding: 'utf8', env })
  // Not every machine has every shell.
  if (known.error === undefined) expect(known).toMatchObject({ status: 0, stderr: '' })
})

test('an unknown shell is a usage error, and a broken configuration no reason to speak', async () => {
  const project = createProject({ 'kb.config.ts': configFile({ contnet: 'x' }) })
  expect(await project.kb('completion', 'bsh')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: There is no completion for "bsh". [USAGE]\nhint: Did you mean "bash"?\n',
  })
  expect(await project.kb('completion', 'zsh', '--', 'sync', '--target', '')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  })
})
