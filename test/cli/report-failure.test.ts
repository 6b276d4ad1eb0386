// The report of a bug for the developers, from the built program.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type * as Main from '../../src/cli/main.ts'
import { collectingTerminal } from '../support/collecting-terminal.ts'

const ROOT = new URL('../../', import.meta.url)

test('the stack of a bug contains positions in the sources', async () => {
  const { main } = (await import(new URL('dist/cli/main.js', ROOT).href)) as typeof Main
  const out = () => {
    throw new TypeError('There is nothing to write to')
  }
  const terminal = collectingTerminal({ out })
  expect(await main(['schema', 'config'], terminal)).toBe(1)
  const [said, reason, ...stack] = terminal.messages().split('\n')
  expect([said, reason]).toEqual([
    'error: this is a bug in kb-sync; please report it with these lines.',
    'TypeError: There is nothing to write to',
  ])
  expect(stack.join('\n')).not.toContain(`${ROOT.href}dist/`)
  expect(stack.flatMap(sourceAt)).toEqual([
    'src/cli/commands/schema.ts: out(formatJson(schema))',
    'src/cli/program/program.ts: await run(command.args, given as never, terminal)) ?? EXIT.done)',
    "src/cli/main.ts: await program.parseAsync(spellOutHelp(argv, program), { from: 'user' })",
  ])
})

/** Returns the text in our sources from the position in a line of a stack to the end of that line. */
function sourceAt(line: string): string[] {
  const [, file, row, column] = /(file:.*\.ts):(\d+):(\d+)\)?$/.exec(line) ?? []
  if (file === undefined || !file.startsWith(`${ROOT.href}src/`)) return []
  const lines = readFileSync(fileURLToPath(file), 'utf8').split('\n')
  const rest = lines[Number(row) - 1]?.slice(Number(column) - 1)
  return [`${file.slice(ROOT.href.length)}: ${rest}`]
}
