// What shells offer behind `kb`: each one runs its script, where the machine has it.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { completionOf } from '../../src/cli/commands/completion.ts'
import { createProgram } from '../../src/cli/program/program.ts'
import { collectingTerminal } from '../support/collecting-terminal.ts'
import { createProject } from '../support/project.ts'

async function scriptFor(shell: string): Promise<string> {
  const terminal = collectingTerminal()
  const program = createProgram(terminal, () => undefined)
  await completionOf(program)([shell], {}, terminal)
  return terminal.output()
}

const commands = createProgram(collectingTerminal(), () => undefined).commands.map((each) => each.name())

/** Command lines up to the cursor, and what is offered for the last word. */
const OFFERED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [[''], [...commands, 'help']],
  [['help', 'sy'], ['sync']],
  [['sy'], ['sync']],
  [['admin', 'us'], ['users']],
  [
    ['admin', '--db', 'x', 'users', ''],
    ['list', 'add', 'update', 'remove', 'help'],
  ],
  [
    ['sync', '--co'],
    ['--config', '--concurrency'],
  ],
  [['admin', 'users', 'add', '--s'], ['--site']],
  [['schema', '--c'], []],
  [['--v'], ['--version']],
  [
    ['sync', '--on-conflict', ''],
    ['fail', 'skip', 'overwrite'],
  ],
  [
    ['report', '--owners', ''],
    ['names', 'email'],
  ],
  // Completed as paths.
  [['check', ''], []],
  [['sync', '--config', ''], []],
  [['$(touch broken)', '$(touch broken)'], []],
]

/** Runs a script that prints a line for each command line; undefined where the machine does not have the shell. */
function run(shell: string, script: string, flags: readonly string[] = []): readonly string[] | undefined {
  // From a file: fish cannot read what is not executed from every kind of pipe.
  const project = createProject({ script })
  const { error, status, stderr, stdout } = spawnSync(shell, [...flags, project.path('script')], {
    cwd: project.root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: project.root, LC_ALL: 'C.UTF-8' },
  })
  if (error !== undefined) return undefined
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(() => project.read('broken')).toThrow('ENOENT')
  return stdout.split('\n').slice(0, -1)
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')

test('bash offers commands, flags and fixed values, and runs none of the typed text', async () => {
  const equals: typeof OFFERED = [
    [['sync', '--on-conflict', '=', 's'], ['skip']],
    [
      ['sync', '--on-conflict', '='],
      ['fail', 'skip', 'overwrite'],
    ],
  ]
  const ask = 'ask() { COMP_WORDS=(kb "$@"); COMP_CWORD=$#; _kb_sync; echo "${COMPREPLY[*]}"; }'
  const lines = [...OFFERED, ...equals]
  const asked = lines.map(([words]) => `ask ${quoted(words)}`).join('\n')
  const script = await scriptFor('bash')
  const replies = run('bash', `${script}${script}complete -p kb kb-sync > /dev/null\n${ask}\n${asked}\n`)
  expect(replies).toEqual(lines.map(([, offered]) => offered.join(' ')))
})

test('zsh offers the same, with descriptions', async () => {
  // What its completion system gives a function, and takes from it.
  const system = `compdef() { }
compset() { PREFIX=\${PREFIX#*=} }
_files() { print }
_describe() {
  local each
  local -a shown
  for each in "\${(@P)2}"; do [[ \${each%%:*} == $PREFIX* ]] && shown+=(\${each%%:*}); done
  print -r -- "$shown"
}
ask() { local -a words=(kb "$@"); local CURRENT=$#words PREFIX=$words[-1]; _kb_sync; }`
  const equals: typeof OFFERED = [[['sync', '--on-conflict=s'], ['skip']]]
  const lines = [...OFFERED, ...equals]
  const asked = lines.map(([words]) => `ask ${quoted(words)}`).join('\n')
  const script = await scriptFor('zsh')
  expect(script).toContain(`'sync:send what has changed to the target'`)
  const replies = run('zsh', `${system}\n${script}\n${asked}\n`, ['-f'])
  if (replies !== undefined) expect(replies).toEqual(lines.map(([, offered]) => offered.join(' ')))
})

test('fish offers the same for both names, and none of the other kb that it knows', async () => {
  const lines = OFFERED.filter(([, offered]) => offered.length > 0)
  const asked = lines.flatMap(([words]) =>
    ['kb', 'kb-sync'].map(
      (name) => `echo (complete -C '${[name, ...words].join(' ')}' | string replace -r '\\t.*' '')`,
    ),
  )
  const script = await scriptFor('fish')
  expect(script).toContain(`-f -a sync -d 'send what has changed to the target'`)
  // A command that does not exist has no completion.
  const names = 'function kb; end\nfunction kb-sync; end'
  const replies = run('fish', `${names}\n${script}\n${asked.join('\n')}\n`, ['--no-config'])
  const sorted = (text: string) => text.split(' ').toSorted()
  if (replies === undefined) return
  expect(replies.map(sorted)).toEqual(
    lines.flatMap(([, offered]) => [offered, offered]).map((each) => each.toSorted()),
  )
})

test('an unknown shell is a usage error', async () => {
  const project = createProject({})
  expect(await project.kb('completion', 'bsh')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: There is no completion for "bsh". [USAGE]\nhint: Did you mean "bash"?\n',
  })
})
