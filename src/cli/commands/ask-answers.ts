// The questions of kb init. All are asked before anything is written, so that init can be cancelled.
import { KbError } from '../../core/errors/kb-error.ts'
import {
  type CiSystem,
  DEFAULT_ANSWERS,
  type GivenAnswers,
  type InitAnswers,
  type WholeAnswers,
} from '../../kb/init/init-answers.ts'
import {
  parseTargetAddress,
  parseContentFolder,
  type Parsed,
  parseLanguage,
} from '../../kb/init/parse-answers.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { isAboutSite, type RecognisedSite, takeSite } from '../../kb/init/site.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { InitCheck } from '../../kb/init.ts'
import { formatCheck } from '../results/format-init.ts'
import type { Conversation } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Asks for missing answers.
 *
 * @param there whether there is anything to install, and the site in the folder
 * @throws KbError INTERRUPTED if the user cancels a question with Ctrl-C
 */
export async function askAnswers(
  given: GivenAnswers,
  { canInstall, site }: { readonly canInstall: boolean; readonly site: RecognisedSite | undefined },
  place: Conversation,
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
export async function askProposal(
  check: InitCheck,
  place: Conversation,
  terminal: Terminal,
): Promise<boolean> {
  const { confirm } = await import('@clack/prompts')
  place.output.write(
    formatCheck(check, terminal)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const message = 'Add these settings to kb.config.ts?'
  return (await confirm({ message, initialValue: true, ...place })) === true
}

async function createQuestions(place: Conversation) {
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
