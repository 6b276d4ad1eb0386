// Help of the command line, and errors for what it does not understand.
import { join } from 'node:path'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { assertPortsDiffer } from '../../src/kb/serve.ts'
import { databaseOf } from '../../src/kb/project.ts'
import { createProgram, spellOutHelp } from '../../src/cli/program/program.ts'
import { type FailureReport, toFailureReport } from '../../src/cli/failures/report-failure.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { normaliseConfig } from '../../src/core/config/settings.ts'
import { temporaryFolder } from '../support/folder.ts'

/** Returns the result of a command line that fails or prints help. */
async function run(...args: readonly string[]): Promise<FailureReport & { readonly printed: string }> {
  let printed = ''
  const colors = pc.createColors(false)
  const print = (text: string) => void (printed += text)
  const terminal: Terminal = {
    out: print,
    err: print,
    isLive: false,
    columns: 80,
    colors,
    errColors: colors,
    status: () => undefined,
  }
  try {
    const program = createProgram(terminal, () => undefined)
    await program.parseAsync(spellOutHelp(args, program), { from: 'user' })
  } catch (error) {
    return { ...toFailureReport(error), printed }
  }
  throw new Error('The command line did not end')
}

const usage = (message: string, hint?: string) => ({
  code: 'USAGE',
  message,
  ...(hint !== undefined && { hint }),
  printed: '',
})

test('the hint contains the intended word', async () => {
  expect(await run('snyc')).toEqual(usage('Unknown command "snyc".', 'Did you mean sync?'))
  expect(await run('admin', 'site', 'list')).toEqual(usage('Unknown command "site".', 'Did you mean sites?'))
  expect(await run('serve', '--metricss', '1')).toEqual(
    usage('Unknown option "--metricss".', 'Did you mean --metrics?'),
  )
  expect(await run('sites', 'list')).toEqual(
    usage('Unknown command "sites".', 'Did you mean kb admin sites?'),
  )
  expect(await run('xyzzy')).toEqual(usage('Unknown command "xyzzy".'))
})

test.for([
  [['sync', "--it's"], 'Unknown option "--it\'s".'],
  [['mv', 'a', 'b', 'c'], 'Too many arguments for "mv". Expected 2 arguments but got 3.'],
  [['mv'], 'Missing required argument "old".'],
  [['sync', '--concurrency'], 'Option "--concurrency <n>" argument missing.'],
  [
    ['sync', '--on-conflict', 'x'],
    'Option "--on-conflict <how>" argument "x" is invalid. Allowed choices are fail, skip, overwrite.',
  ],
] as const)('a usage error is a sentence: %j', async ([args, message]) => {
  expect(await run(...args)).toEqual(usage(message))
})

test.for([
  ['serve', '--host', ''],
  ['serve', '--host= '],
  ['serve', '--db', ''],
  ['admin', 'sites', 'list', '--db', ''],
])('an empty value is refused: %j', async (args) => {
  expect(await run(...args)).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('It is empty.'),
  })
})

test.for([
  [['users', 'update', 'anna'], '--first-name, --last-name, --email, --username'],
  [['categories', 'update', 'x'], '--slug, --description, --parent, --priority, --name'],
  [['tags', 'update', 'x', '--site', 'docs', '--json'], '--slug, --description, --name'],
] as const)('an update of nothing is refused: %j', async ([args, flags]) => {
  expect(await run('admin', ...args)).toEqual(
    usage('No change was requested. Nothing was changed.', `Set what to change with ${flags}.`),
  )
})

test('the help of each admin command lists the shared options that it supports', async () => {
  const shared = async (...args: readonly string[]) => {
    const { printed } = await run(...args)
    return ['--db', '--site', '--json', '--yes', '--version'].filter((flag) => printed.includes(`${flag} `))
  }
  expect(await shared('admin', 'keys', '--help')).toEqual(['--db', '--site', '--json', '--yes'])
  expect(await shared('admin', 'keys', 'add', '--help')).toEqual(['--db', '--site', '--json'])
  expect(await shared('admin', 'keys', 'revoke', '--help')).toEqual(['--db', '--site', '--json', '--yes'])
  expect(await shared('admin', 'sites', 'remove', '--help')).toEqual(['--db', '--json', '--yes'])
  expect(await shared('admin', 'copy', '--help')).toEqual(['--json'])
  expect(await shared('admin', 'restore', '--help')).toEqual(['--db', '--json', '--yes'])
  expect(await shared('admin', 'links', '--help')).toEqual(['--db', '--site', '--json'])
  expect(await shared('serve', '--help')).toEqual(['--db', '--json'])
})

test('help works before and after the command', async () => {
  const { printed } = await run('admin', 'keys', 'add', '--help')
  expect(printed).toMatch(/^Usage: kb admin keys add .*--user <username>  owner of the key \(required\)$/ms)
  expect((await run('admin', 'help', 'keys', 'add')).printed).toBe(printed)
  expect((await run('help', 'admin', 'keys', 'add')).printed).toBe(printed)
  expect((await run('help', 'sync')).printed).toMatch(/^Usage: kb sync /)
  expect((await run('admin', 'users', 'remove', 'help')).printed).not.toContain('Usage')
  expect(await run('help', 'snyc')).toMatchObject({
    message: 'Unknown command "snyc".',
    hint: 'Did you mean sync?',
  })
})

test('no line of any help is wider than a terminal', async () => {
  const groups = ['sites', 'users', 'keys', 'languages', 'limits', 'categories', 'tags', 'links']
  const commands = [
    'init',
    'new',
    'mv',
    'check',
    'explain',
    'assets',
    'plan',
    'sync',
    'watch',
    'report',
    'pull',
  ]
  const others = ['serve', 'admin', 'schema', 'doctor', 'completion']
  const helps = await Promise.all([
    run('--help'),
    ...[...commands, ...others].map((name) => run(name, '--help')),
    ...groups.map((group) => run('admin', group, '--help')),
  ])
  expect(helps.flatMap(({ printed }) => printed.split('\n')).filter(({ length }) => length > 80)).toEqual([])
})

test('the service and its metrics need two ports, unless they have two hosts', () => {
  const service = { host: '127.0.0.1', port: 4401 }
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::']) {
    expect(() => assertPortsDiffer(service, { host, port: 4401 })).toThrow(
      'The service and its metrics cannot both listen on port 4401.',
    )
  }
  expect(() => assertPortsDiffer({ ...service, host: '0.0.0.0' }, service)).toThrow(/cannot both/)
  assertPortsDiffer(service, undefined)
  assertPortsDiffer(service, { host: '127.0.0.1', port: 4402 })
  assertPortsDiffer(service, { host: '10.0.0.5', port: 4401 })
  assertPortsDiffer({ ...service, port: 0 }, { ...service, port: 0 })
})

test('a database is a file, not a folder', () => {
  const folder = temporaryFolder()
  const context = { root: folder, configFile: undefined, packageName: undefined, programVersion: '1' }
  const settings = normaliseConfig({}, context)
  expect(databaseOf(undefined, folder, settings)).toBe(join(folder, '.kb/kb.db'))
  expect(databaseOf('new/x.db', folder, settings)).toBe(join(folder, 'new/x.db'))
  const url = 'postgres://db.example.com/kb'
  expect(databaseOf(url, folder, settings)).toBe(url)
  expect(databaseOf(undefined, folder, normaliseConfig({ server: { db: url } }, context))).toBe(url)
  const refusal = { code: 'DATABASE_UNUSABLE', message: `The database ${folder} is a folder.` }
  for (const [db, config] of [
    ['.', {}],
    [undefined, { server: { db: '.' } }],
  ] as const) {
    expect(() => databaseOf(db, folder, normaliseConfig(config, context))).toThrow(
      expect.objectContaining(refusal),
    )
  }
})
