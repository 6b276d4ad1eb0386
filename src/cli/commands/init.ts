import { resolve } from 'node:path'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { pathKind } from '../../core/paths.ts'
import { pluralize } from '../../core/pluralize.ts'
import { init, type InitCheck } from '../../kb/init.ts'
import type { InitOptions } from '../../kb/options.ts'
import { formatCheck, formatInit, formatInitJson, formatInstallFailure } from '../results/format-init.ts'
import { type PromptStreams, processStreams } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CommonFlags } from './run-on-project.ts'
import {
  type CiSystem,
  DEFAULT_ANSWERS,
  type GivenAnswers,
  type InitAnswers,
  type WholeAnswers,
} from '../../kb/init/init-answers.ts'
import {
  parseContentFolder,
  type Parsed,
  parseLanguage,
  parseTargetAddress,
} from '../../kb/init/parse-answers.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { isAboutSite, type RecognisedSite, takeSite } from '../../kb/init/site.ts'

export type InitFlags = CommonFlags & InitOptions

export async function runInit(
  [folder = '.']: readonly string[],
  options: InitFlags,
  terminal: Terminal,
  conversation: PromptStreams = processStreams(),
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
function assertSomebodyThere({ input, output }: PromptStreams, json: boolean, content = 'content'): void {
  if (input.isTTY === true && output.isTTY === true && !json) return
  const where = json ? 'with --json' : 'here'
  throw new KbError('USAGE', `kb init asks questions, which is not possible ${where}. Nothing was written.`, {
    hint:
      `Add --yes to use the defaults: articles in ${escapeControlInLine(content)}/, the built-in server, English, no CI workflow. ` +
      '--content, --url, --language, --ci and --report change them.',
  })
}

// The questions of kb init. All are asked before anything is written, so that init can be cancelled.
/**
 * Asks for missing answers.
 *
 * @param there whether there is anything to install, and the site in the folder
 * @throws KbError INTERRUPTED if the user cancels a question with Ctrl-C
 */
async function askAnswers(
  given: GivenAnswers,
  { canInstall, site }: { readonly canInstall: boolean; readonly site: RecognisedSite | undefined },
  place: PromptStreams,
): Promise<WholeAnswers> {
  const { prompts, text, address, select, confirm } = await createQuestions(place)
  prompts.intro('A knowledge base in this folder', place)
  const taken = await askSite()
  const content =
    taken.content ??
    (await text('Which folder contains the articles?', DEFAULT_ANSWERS.content, parseContentFolder))
  const target = given.target ?? (await askTarget())
  const language =
    given.language ??
    (await text('Which language are they in?', taken.language ?? DEFAULT_ANSWERS.language, parseLanguage))
  const ci = given.ci ?? CI_CHOICES[await select('Add a CI workflow that checks them?', CI_OPTIONS)]
  const report = given.report ?? (ci.length > 0 && target !== 'builtin' && (await confirm(REPORT_QUESTION)))
  const install = given.install ?? (canInstall && (await confirm('Install kb-sync now?')))
  prompts.outro('All questions are answered.', place)
  return {
    content,
    preset: taken.preset,
    name: taken.name,
    languages: taken.languages.filter((each) => each !== language),
    target,
    language,
    ci,
    report,
    install,
  }

  /** Tells the user which site was found, and asks whether to use it. */
  async function askSite(): Promise<ReturnType<typeof takeSite>> {
    const { preset } = given
    if (site === undefined || preset !== undefined || !isAboutSite(given, site)) return takeSite(given, site)
    const folder = takeSite(given, site).content ?? site.content
    const where = folder === '.' ? 'this folder' : escapeControlInLine(folder)
    const { label, isGeneric } = dialectOf(site.preset)
    const question =
      isGeneric === true
        ? `No tool was recognised. Use the folders in ${where} as categories?`
        : `This is a ${label} site. Read the documents in ${where} as they are?`
    return takeSite((await confirm(question)) ? given : { ...given, preset: 'none' }, site)
  }

  async function askTarget(): Promise<InitAnswers['target']> {
    const kind = await select('Where are they published?', TARGET_OPTIONS)
    return kind === 'builtin' ? kind : { url: await address() }
  }
}

/** Shows settings that allow a first sync, and asks whether to write them. Ctrl-C means no. */
async function askProposal(check: InitCheck, place: PromptStreams, terminal: Terminal): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  place.output.write(
    formatCheck(check, terminal)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const message = 'Add these settings to kb.config.ts?'
  return (await confirm({ message, initialValue: true, ...place })) === true
}

async function createQuestions(place: PromptStreams) {
  const prompts = await import('@clack/prompts')
  const answered = <Value>(answer: Value | typeof prompts.CANCEL_SYMBOL): Value => {
    if (!prompts.isCancel(answer)) return answer
    throw new KbError('INTERRUPTED', 'Stopped. Nothing was written.')
  }
  /** @param defaultValue the value if the user only presses Enter */
  const text = async (message: string, defaultValue: string, parse: (text: string) => Parsed<string>) => {
    const validate = (typed?: string) => reasonAgainst(parse)(typed ?? defaultValue)
    const question = { message, placeholder: defaultValue, defaultValue, validate, ...place }
    return valueOf(parse(answered(await prompts.text(question))))
  }
  const address = async () => {
    const [message, placeholder] = ['What is its URL?', 'https://help.example.com']
    const question = { message, placeholder, validate: reasonAgainst(parseTargetAddress), ...place }
    return valueOf(parseTargetAddress(answered(await prompts.text(question))))
  }
  const select = async <Value extends string>(
    message: string,
    options: { value: Value; label: string; hint: string }[],
  ) => answered(await prompts.select<string>({ message, options, ...place })) as Value
  const confirm = async (message: string) =>
    answered(await prompts.confirm({ message, initialValue: true, ...place }))
  return { prompts, text, address, select, confirm }
}

const TARGET_OPTIONS: { value: 'builtin' | 'remote'; label: string; hint: string }[] = [
  { value: 'builtin', label: 'the built-in server', hint: 'included in kb-sync' },
  { value: 'remote', label: 'a remote service', hint: 'that offers /api/v2' },
]

const REPORT_QUESTION = 'Report due reviews and broken links twice a week?'

const CI_CHOICES = { none: [], github: ['github'], gitlab: ['gitlab'] } as const satisfies Record<
  string,
  readonly CiSystem[]
>

const CI_OPTIONS: { value: keyof typeof CI_CHOICES; label: string; hint: string }[] = [
  { value: 'none', label: 'not now', hint: 'the guide explains how' },
  { value: 'github', label: 'on GitHub', hint: '.github/workflows/kb.yml' },
  { value: 'gitlab', label: 'on GitLab', hint: '.gitlab-ci.yml' },
]

function reasonAgainst(parse: (text: string) => Parsed<string>): (text?: string) => string | undefined {
  return (text = '') => {
    const parsed = parse(text)
    return parsed.kind === 'wrong' ? parsed.reason : undefined
  }
}

/** Returns the prompt accepts only valid values. */
function valueOf(parsed: Parsed<string>): string {
  if (parsed.kind === 'wrong') throw new TypeError(parsed.reason)
  return parsed.value
}
