// The command line of kb check: output beside the problems, and rejected flags.
import { createProgram } from '../../src/cli/program/program.ts'
import { CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { checkContent, type CheckFlags } from '../../src/cli/commands/check.ts'
import { printErrors } from '../../src/cli/diagnostics/print-diagnostics.ts'
import { withoutPageLinks } from '../../src/cli/diagnostics/guide-sections.ts'
import { explainUsage } from '../../src/cli/program/explain-failure.ts'
import type { Diagnostic } from '../../src/core/model/diagnostic.ts'
import { escapeControl } from '../../src/core/escape-control.ts'
import { collectingTerminal } from '../support/collecting-terminal.ts'
import { article, createProject } from '../support/project.ts'

async function check(paths: readonly string[], options: CheckFlags = {}) {
  const project = createProject({
    'content/a.md': article('A'),
    'content/notes.txt': 'x',
    'content/_list.md': 'A snippet.\n',
    'content/folder/b.txt': 'x',
  })
  const terminal = collectingTerminal()
  const code = await checkContent(paths, { cwd: project.root, ...options }, terminal)
  return { code, printed: terminal.output() + terminal.messages() }
}

test('paths that are not articles are reported, so that they do not seem valid', async () => {
  const quiet = { quiet: true }
  expect(await check(['content/notes.txt'], quiet)).toEqual({
    code: 0,
    printed: 'content/notes.txt contains no article and was not checked.\n',
  })
  expect((await check(['content/notes.txt', 'content/folder'], quiet)).printed).toBe(
    'content/notes.txt, content/folder contain no articles and were not checked.\n',
  )
  expect((await check(['content/notes.txt', 'content/a.md'], quiet)).printed).toBe('')
  expect((await check(['content/_list.md'], quiet)).printed).toBe('')
})

test('two formats at once are rejected', async () => {
  await expect(check([], { json: true, format: 'github' })).rejects.toMatchObject({
    code: 'USAGE',
    message: '--json cannot be combined with --format github.',
  })
  expect((await check([], { json: true, format: 'json' })).code).toBe(0)
})

const problem = (severity: Diagnostic['severity']): Diagnostic => ({
  code: 'bare-url',
  severity,
  file: 'a.md',
  line: 1,
  column: 1,
  message: `An ${severity}.`,
})

test.each([
  [{ verbose: false, quiet: false }, '2 warnings, shown with --verbose; kb check may find more.\n'],
  [{ verbose: false, quiet: true }, ''],
])('other commands count warnings: %j', async (flags, expected) => {
  const terminal = collectingTerminal()
  await printErrors(
    { diagnostics: [problem('warning'), problem('error'), problem('warning')] },
    '/',
    flags,
    terminal,
  )
  expect(terminal.output()).toBe('a.md:1:1 error bare-url\n  An error.\n\n')
  expect(terminal.messages()).toBe(expected)
})

test('with --verbose, they show them', async () => {
  const terminal = collectingTerminal()
  await printErrors({ diagnostics: [problem('warning')] }, '/', { verbose: true, quiet: false }, terminal)
  expect(terminal.output()).toBe('a.md:1:1 warning bare-url\n  An warning.\n\n')
})

test.each<[string, string, readonly string[], string | undefined]>([
  [
    'commander.unknownOption',
    "unknown option '--cwd'",
    ['--cwd', 'x', 'check'],
    'Put flags after the command',
  ],
  ['commander.excessArguments', 'too many arguments', ['new', 'two', 'words'], 'Put the title in quotes'],
  ['commander.unknownOption', "unknown option '- a: b'", ['new', '- a: b'], 'Put -- before a title'],
  ['commander.unknownOption', "unknown option '--x'", ['new', '--x'], 'See kb new --help.'],
  ['commander.excessArguments', 'too many arguments', ['mv', 'a', 'b', 'c'], 'See kb mv --help.'],
  [
    'commander.invalidArgument',
    "option '--format <format>' argument 'jsn' is invalid. Allowed choices are pretty, json.",
    ['check', '--format', 'jsn'],
    'Did you mean "json"?',
  ],
  [
    'commander.invalidArgument',
    "option '--format <format>' argument 'x' is invalid. Allowed choices are pretty, json.",
    ['check', '--format', 'x'],
    undefined,
  ],
  ['commander.unknownOption', "unknown option '--x'\n(Did you mean --y?)", ['new'], 'Did you mean --y?'],
  ['commander.missingArgument', 'missing argument', ['mv', 'a'], 'See kb mv --help.'],
  [
    'commander.missingArgument',
    'missing argument',
    ['admin', '--db', 'x', 'keys', 'revoke'],
    'See kb admin keys revoke --help.',
  ],
  [
    'commander.missingMandatoryOptionValue',
    'no user',
    ['admin', 'keys', 'add'],
    'See kb admin keys add --help.',
  ],
  [
    'commander.unknownCommand',
    'unknown',
    ['admin', 'keys', 'xyzzy'],
    'kb admin keys --help lists the commands.',
  ],
])('%s of %s: what was meant', (code, message, argv, hint) => {
  const program = createProgram(collectingTerminal(), () => undefined)
  const error = explainUsage(new CommanderError(1, code, `error: ${message}`), argv, program)
  expect(error?.hint?.slice(0, hint?.length)).toBe(hint)
  expect(error?.message).not.toMatch(/^[a-z]|'|[^.]$/)
})

test('outside the guide, links between its pages become text, and code stays unchanged', () => {
  expect(
    withoutPageLinks(
      'See [slugs](slugs.md), [b](https://b.example) and `[c](c.md)`.\n```md\n![d](d.png)\n```',
    ),
  ).toBe('See slugs, [b](https://b.example) and `[c](c.md)`.\n```md\n![d](d.png)\n```')
})

test('invisible characters are written out', () => {
  expect(escapeControl('Acco\u200Bunts\u2060')).toBe('Acco\\u{200b}unts\\u{2060}')
})
