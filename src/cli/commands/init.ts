import { resolve } from 'node:path'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { pathKind } from '../../core/paths.ts'
import { pluralize } from '../../core/pluralize.ts'
import { init } from '../../kb/init.ts'
import type { InitOptions } from '../../kb/options.ts'
import { formatInit, formatInitJson, formatInstallFailure } from '../results/format-init.ts'
import { type Conversation, processConversation } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { askAnswers, askProposal } from './ask-answers.ts'
import type { CommonFlags } from './run-on-project.ts'

export type InitFlags = CommonFlags & InitOptions

export async function runInit(
  [folder = '.']: readonly string[],
  options: InitFlags,
  terminal: Terminal,
  conversation: Conversation = processConversation(),
): Promise<ExitCode> {
  const { cwd, json = false, quiet = false } = options
  const root = resolve(cwd ?? '.', folder)
  assertTogether(options)
  assertFolder(cwd)
  const result = await init(root, options, {
    ask: (given, there) => {
      assertSomebodyThere(conversation, json, given.content ?? there.site?.content)
      return askAnswers(given, there, conversation)
    },
    confirm: (check) => {
      terminal.status('')
      return askProposal(check, conversation, terminal)
    },
    onCheck: (files) => terminal.status(`Checking ${pluralize(files, 'Markdown file')}…`),
    onInstall: ({ name }) => {
      const text = `Installing kb-sync with ${name}…`
      if (terminal.isLive) terminal.status(text)
      else if (!quiet && !json) terminal.err(`${text}\n`)
    },
  })
  terminal.status('')
  const { installation } = result
  if (installation.kind === 'failed' && !json)
    terminal.err(formatInstallFailure(installation.reason, terminal))
  const outcome = { ...result, root, from: process.cwd() }
  terminal.out(json ? formatInitJson(outcome) : formatInit(outcome, quiet, terminal))
  return EXIT.done
}

/** Only DIR is created: a typo in --cwd would create a project in the wrong folder. @throws KbError USAGE */
function assertFolder(cwd = '.'): void {
  if (pathKind(cwd) === 'folder') return
  throw new KbError('USAGE', `There is no folder ${cwd}.`, {
    hint: `kb init ${escapeControlInLine(cwd)} creates it.`,
  })
}

/** @throws KbError USAGE */
function assertTogether({ ci, report, yes, config }: InitFlags): void {
  const systems = (ci ?? []).filter((system) => system !== 'none')
  if (ci?.includes('none') === true && systems.length > 0)
    throw new KbError('USAGE', '--ci none cannot be combined with another --ci.', {
      hint: 'Leave out one of them.',
    })
  const isAsked = ci === undefined && yes !== true
  if (report === true && systems.length === 0 && !isAsked)
    throw new KbError('USAGE', '--report is part of a CI workflow, and none was requested.', {
      hint: 'Add --ci github or --ci gitlab, or leave out --report.',
    })
  if (config !== undefined)
    throw new KbError('USAGE', 'kb init always writes kb.config.ts and does not accept --config.', {
      hint: 'Leave out --config. You can rename the file later.',
    })
}

/** @param content the folder for articles, as far as it is known. @throws KbError USAGE */
function assertSomebodyThere({ input, output }: Conversation, json: boolean, content = 'content'): void {
  if (input.isTTY === true && output.isTTY === true && !json) return
  const where = json ? 'with --json' : 'here'
  throw new KbError('USAGE', `kb init asks questions, which is not possible ${where}. Nothing was written.`, {
    hint:
      `Add --yes to use the defaults: articles in ${escapeControlInLine(content)}/, the built-in server, English, no CI workflow. ` +
      '--content, --url, --language, --ci and --report change them.',
  })
}
