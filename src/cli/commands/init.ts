import { relative, resolve, sep } from 'node:path'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { DEFAULT_ANSWERS, type InitAnswers } from '../../kb/init/init-answers.ts'
import type { InitFacts, InitPlan, InitTodo } from '../../kb/init/init-model.ts'
import { type Installation, installPackages, commandsOf } from '../../kb/init/packages.ts'
import { createKb } from '../../index.ts'
import { planInit } from '../../kb/init/plan-init.ts'
import { planPipelines } from '../../kb/init/plan-pipelines.ts'
import { findBareSite, recogniseSite, takeSite } from '../../kb/init/site.ts'
import { assertNewProject, findConfigIn, readFacts } from '../../kb/init/read-facts.ts'
import { writePlan } from '../../kb/init/write-plan.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { readProgramVersion } from '../../core/version.ts'
import type { InitOptions } from '../../kb/options.ts'
import type { CommonFlags } from './run-on-project.ts'
import { type Conversation, processConversation } from '../terminal/confirm.ts'
import { askAnswers, type GivenAnswers, type WholeAnswers } from './ask-answers.ts'
import {
  formatInit,
  formatInitJson,
  formatInstallFailure,
  type SiteArticles,
} from '../results/format-init.ts'
import { pathKind } from './database-file.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type InitFlags = CommonFlags & InitOptions

/** `kb init [DIR]`: asks, decides everything, writes, installs. */
export async function init(
  [folder = '.']: readonly string[],
  options: InitFlags,
  terminal: Terminal,
  conversation: Conversation = processConversation(),
): Promise<ExitCode> {
  const root = resolve(options.cwd ?? '.', folder)
  assertTogether(options)
  assertFolder(options.cwd)
  const { plan, facts, isInstallWanted, site } = asksForPipelinesAlone(options, root)
    ? await planForProject(root, options)
    : await planForFolder(root, options, conversation)
  await writePlan(root, plan)
  const installation = await bringPackages(root, isInstallWanted, facts, options, terminal)
  const outcome = { from: process.cwd(), root, plan, facts, installation, site }
  const { json = false, quiet = false } = options
  if (installation.kind === 'failed' && !json)
    terminal.err(formatInstallFailure(installation.reason, terminal))
  terminal.out(json ? formatInitJson(outcome) : formatInit(outcome, quiet, terminal))
  return EXIT.done
}

/** What is to be done, and the facts it was decided from. */
interface Decided {
  readonly plan: InitPlan
  readonly facts: InitFacts
  readonly isInstallWanted: boolean
  /** Where the articles are those of a site. */
  readonly site: SiteArticles | undefined
}

async function planForFolder(root: string, options: InitFlags, conversation: Conversation): Promise<Decided> {
  assertNewProject(root)
  const version = readProgramVersion()
  const answers = await findAnswers(root, version, options, conversation)
  const facts = await readFacts(root, answers, version)
  const { files, todos } = planInit(answers, facts)
  const plan = { files, todos: [...(await overlookedSite(root, options)), ...todos] }
  return { plan, facts, isInstallWanted: answers.install, site: siteOf(answers) }
}

/** A site that nothing was said of, and whose documents were not found. */
async function overlookedSite(root: string, { preset, content }: InitFlags): Promise<InitTodo[]> {
  if (preset !== undefined || content !== undefined) return []
  const site = (await recogniseSite(root)) === undefined ? await findBareSite(root) : undefined
  return site === undefined ? [] : [{ kind: 'site', ...site }]
}

function siteOf({ preset, content }: InitAnswers): SiteArticles | undefined {
  return preset === undefined ? undefined : { preset, content }
}

/** A project needs no answers: its configuration has given them. */
function asksForPipelinesAlone(
  { ci = [], content, preset, url, language }: InitFlags,
  root: string,
): boolean {
  const isAlone = [content, preset, url, language].every((answer) => answer === undefined)
  return isAlone && ci.some((system) => system !== 'none') && findConfigIn(root) !== undefined
}

async function planForProject(root: string, options: InitFlags): Promise<Decided> {
  const { contentRoot, preset, target } = await createKb({ cwd: root }).loadSettings()
  const content = relative(root, contentRoot).split(sep).join('/')
  const facts = { ...(await readFacts(root, { content, preset }, readProgramVersion())), articles: 0 }
  const { ci = [], report = false } = givenBy(options)
  const where = target.kind === 'builtin' ? 'builtin' : { url: target.url }
  const plan = planPipelines({ ci, target: where, report }, facts)
  return { plan, facts, isInstallWanted: false, site: undefined }
}

async function findAnswers(
  root: string,
  version: string,
  options: InitFlags,
  conversation: Conversation,
): Promise<WholeAnswers> {
  const given = givenBy(options)
  const site = await recogniseSite(root)
  if (options.yes === true) return { ...DEFAULT_ANSWERS, install: true, ...given, ...takeSite(options, site) }
  assertSomebodyThere(conversation, options)
  const known = { ...DEFAULT_ANSWERS, ...takeSite(options, site) }
  const { isInstalled } = await readFacts(root, known, version)
  return askAnswers(given, { canInstall: !isInstalled, site }, conversation)
}

async function bringPackages(
  root: string,
  isWanted: boolean,
  { isInstalled, manager }: InitFacts,
  { quiet = false, json = false }: InitFlags,
  terminal: Terminal,
): Promise<Installation> {
  if (isInstalled) return { kind: 'present' }
  if (!isWanted) return { kind: 'unwanted', command: commandsOf(manager).install }
  const text = `Installing kb-sync with ${manager.name}…`
  if (terminal.isLive) terminal.status(text)
  else if (!quiet && !json) terminal.err(`${text}\n`)
  const installation = await installPackages(root, manager)
  terminal.status('')
  return installation
}

function givenBy({ content, preset, url, language, ci, report, install }: InitFlags): GivenAnswers {
  return {
    ...(content !== undefined && { content }),
    ...(preset !== undefined && { preset }),
    ...(url !== undefined && { target: { url } }),
    ...(language !== undefined && { language }),
    ...(ci !== undefined && { ci: [...new Set(ci.filter((system) => system !== 'none'))] }),
    ...(report !== undefined && { report }),
    ...(install === false && { install }),
  }
}

/** Only DIR is made: a slip in --cwd would make a project elsewhere. @throws KbError USAGE */
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

/** @throws KbError USAGE */
function assertSomebodyThere({ input, output }: Conversation, { json }: InitFlags): void {
  if (input.isTTY === true && output.isTTY === true && json !== true) return
  const where = json === true ? 'with --json' : 'here'
  throw new KbError('USAGE', `kb init asks questions, which is not possible ${where}. Nothing was written.`, {
    hint:
      'Add --yes to use the defaults: articles in content/, the built-in server, English, no CI workflow. --content, --url, --language, ' +
      '--ci and --report change them.',
  })
}
