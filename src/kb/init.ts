import { readFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { entriesOf, relativePath, contentPrefix } from '../core/paths.ts'
import { KbError, reasonWithoutPath } from '../core/errors/kb-error.ts'
import { writeFileWhole } from '../core/write-file-whole.ts'
import { dialectOf, type PresetName } from '../core/dialects/dialects.ts'
import { assertContentFolder } from '../content/source/content-folder.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Settings } from '../core/config/settings.ts'
import { countErrors } from '../core/model/diagnostic.ts'
import { readProgramVersion } from '../core/version.ts'
import { admitContent, describeHeldBack } from '../sync/admit-content.ts'
import { createKb, projectOf } from './create-kb.ts'
import {
  DEFAULT_ANSWERS,
  type GivenAnswers,
  type InitAnswers,
  type WholeAnswers,
} from './init/init-answers.ts'
import type { InitFacts, InitPlan, InitTodo, PlannedFile } from './init/init-model.ts'
import { commandsOf, type Installation, installPackages, type PackageManager } from './init/packages.ts'
import { CONFIG_FILE, planInit } from './init/plan-init.ts'
import { planPipelines } from './init/plan-pipelines.ts'
import { type Proposal, proposeSettings, withSettings } from './init/propose-settings.ts'
import { assertNewProject, findConfigIn, readFacts } from './init/read-facts.ts'
import { findBareSite, findSite, type RecognisedSite, recogniseSite, takeSite } from './init/site.ts'
import type { InitOptions } from './options.ts'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { errorCodeOf } from '../core/error-code.ts'

interface InitContext {
  /** Asks for missing answers. `there` contains the site in the folder, and whether kb-sync must be installed. */
  readonly ask: (
    given: GivenAnswers,
    there: { readonly canInstall: boolean; readonly site: RecognisedSite | undefined },
  ) => Promise<WholeAnswers>
  /** Asks whether to write settings that make a first sync possible. */
  readonly confirm: (check: InitCheck) => Promise<boolean>
  /** Called before existing articles are checked, with the number of their files. */
  readonly onCheck: (files: number) => void
  /** Called before kb-sync is installed. */
  readonly onInstall: (manager: PackageManager) => void
}

export interface InitResult extends Decided {
  readonly installation: Installation
  /** Result for existing articles; undefined if there are none, or if they could not be checked. */
  readonly check: InitCheck | undefined
}

export interface InitCheck {
  readonly articles: number
  /** Number of Markdown files that are not articles. */
  readonly otherFiles: number
  readonly errors: number
  readonly warnings: number
  /** What a sync does because of the errors, with the settings used by the check; undefined without errors. */
  readonly sync:
    | {
        /** True if it sends nothing. */
        readonly isStopped: boolean
        /** Number of articles that it otherwise holds back, and the reason. */
        readonly heldBack: number
        readonly reason: string
      }
    | undefined
  /** Undefined if there is nothing to propose. */
  readonly proposal: ProposalResult | undefined
}

interface ProposalResult extends Proposal {
  /** Path of the configuration, relative to the project. */
  readonly file: string
  readonly hasPreset: boolean
  /** True if `--accept` can add the lines to it. */
  readonly isAddable: boolean
  /** Keys of the lines that it already contains. */
  readonly present: readonly string[]
  readonly isWritten: boolean
}

export interface SiteArticles {
  readonly preset: PresetName
  readonly content: string
  readonly languages: number
}

interface Decided {
  readonly plan: InitPlan
  readonly facts: InitFacts
  /** Set if the articles are those of a site. */
  readonly site: SiteArticles | undefined
}

/** Runs `kb init`: asks, plans, writes, installs. `root` is the absolute path of the folder. */
export async function init(root: string, options: InitOptions, context: InitContext): Promise<InitResult> {
  const { isInstallWanted, ...decided } = isAboutProject(options, root)
    ? await planForProject(root, options)
    : await planForFolder(root, options, context)
  await writePlan(root, decided.plan)
  const check =
    decided.facts.articles === 0 ? undefined : await checkArticles(root, options, context, decided)
  return {
    ...decided,
    check,
    installation: await bringPackages(root, isInstallWanted, decided.facts, context),
  }
}

/** All files are already written. If a check cannot run, `kb check` reports why. */
async function checkArticles(
  root: string,
  { yes, accept }: Pick<InitOptions, 'yes' | 'accept'>,
  { confirm, onCheck }: Pick<InitContext, 'confirm' | 'onCheck'>,
  { facts }: Pick<Decided, 'facts'>,
): Promise<InitCheck | undefined> {
  onCheck(facts.articles)
  try {
    const settings = await projectOf({ cwd: root }).loadSettings()
    const { result, content } = await runCheckOn(settings)
    const { articles, diagnostics } = result
    const errors = countErrors(diagnostics)
    const counts = {
      articles,
      otherFiles: Math.max(0, facts.articles - articles),
      errors,
      warnings: diagnostics.length - errors,
      sync: errors === 0 ? undefined : forecastSync(content, settings),
    }
    const proposal = proposeSettings({
      settings,
      content,
      articles,
      hasOthers: entriesOf(settings.contentRoot).filter(({ name }) => !/^[._]/.test(name)).length > 1,
    })
    if (proposal === undefined) return { ...counts, proposal }
    const file = findConfigIn(root) ?? CONFIG_FILE
    const path = join(root, file)
    const change = withSettings(readFileSync(path, 'utf8'), proposal.lines)
    const isAddable = change.kind === 'text'
    const present = isAddable ? [] : change.present
    const hasPreset = settings.preset !== undefined
    const check = {
      ...counts,
      proposal: { ...proposal, file, hasPreset, isAddable, present, isWritten: false },
    }
    if (!isAddable || !(accept === true || (yes !== true && (await confirm(check))))) return check
    await writeFileWhole(path, change.text)
    return { ...check, proposal: { ...check.proposal, isWritten: true } }
  } catch (error) {
    if (error instanceof KbError) return undefined
    throw error
  }
}

async function runCheckOn(settings: Settings) {
  assertContentFolder(settings.contentRoot, true)
  const { runCheckWithContent } = await import('../inspect/check/run-check.ts')
  return runCheckWithContent({ settings })
}

function forecastSync(content: LoadedContent, settings: Settings): NonNullable<InitCheck['sync']> {
  const prefix = contentPrefix(settings)
  const { onError } = settings.sync
  const { isStopped, held, diagnostics } = admitContent(content, onError, undefined, prefix)
  return { isStopped, heldBack: held.size, reason: describeHeldBack(held, diagnostics, prefix) }
}

async function planForFolder(root: string, options: InitOptions, context: InitContext) {
  assertNewProject(root, options.nested === true)
  const version = readProgramVersion()
  const answers = await findAnswers(root, version, options, context)
  const facts = await readFacts(root, answers, version)
  const { files, todos } = planInit(answers, facts)
  const plan = {
    files,
    todos: [...(await overlookedSite(root, options)), ...(await leftOut(root, answers)), ...todos],
  }
  return { plan, facts, isInstallWanted: answers.install, site: siteOf(answers) }
}

/** Finds a site that no option mentions and whose documents were not found. */
async function overlookedSite(root: string, { preset, content }: InitOptions): Promise<InitTodo[]> {
  if (preset !== undefined || content !== undefined) return []
  const site = (await recogniseSite(root)) === undefined ? await findBareSite(root) : undefined
  return site === undefined ? [] : [{ kind: 'site', ...site }]
}

async function leftOut(root: string, { preset, content }: InitAnswers): Promise<InitTodo[]> {
  if (preset === undefined) return []
  const site = await dialectOf(preset).loadSite()
  const found = site.findTranslations?.({ root, contentRoot: join(root, content) }) ?? []
  const folders = found.map((folder) => relativePath(root, folder))
  return folders.length === 0 ? [] : [{ kind: 'translations', preset, folders }]
}

function siteOf({ preset, content, languages }: InitAnswers): SiteArticles | undefined {
  return preset === undefined ? undefined : { preset, content, languages: languages.length + 1 }
}

/** An existing project needs no other answers: its configuration has them. */
function isAboutProject({ accept, ci = [], content, preset, url, language }: InitOptions, root: string) {
  const isAlone = [content, preset, url, language].every((answer) => answer === undefined)
  const isSomethingAdded = accept === true || ci.some((system) => system !== 'none')
  return isAlone && isSomethingAdded && findConfigIn(root) !== undefined
}

async function planForProject(root: string, options: InitOptions) {
  const { contentRoot, preset, target } = await createKb({ cwd: root }).loadSettings()
  if (options.accept === true) assertContentFolder(contentRoot)
  const content = relativePath(root, contentRoot)
  const found = await readFacts(root, { content, preset }, readProgramVersion())
  // They are checked only to propose settings.
  const facts = options.accept === true ? found : { ...found, articles: 0 }
  const { ci = [], report = false } = givenBy(options)
  const where = target.kind === 'builtin' ? 'builtin' : { url: target.url }
  const plan = planPipelines({ ci, target: where, report }, facts)
  return { plan, facts, isInstallWanted: false, site: undefined }
}

async function findAnswers(
  root: string,
  version: string,
  options: InitOptions,
  { ask }: Pick<InitContext, 'ask'>,
): Promise<WholeAnswers> {
  const given = givenBy(options)
  const site = await findSite(root, options)
  const taken = takeSite(options, site)
  if (options.yes === true) return { ...DEFAULT_ANSWERS, install: true, ...given, ...taken }
  const { isInstalled } = await readFacts(root, { ...DEFAULT_ANSWERS, ...taken }, version)
  return ask(given, { canInstall: !isInstalled, site })
}

async function bringPackages(
  root: string,
  isWanted: boolean,
  { isInstalled, manager, version }: InitFacts,
  { onInstall }: Pick<InitContext, 'onInstall'>,
): Promise<Installation> {
  if (isInstalled) return { kind: 'present' }
  if (!isWanted) return { kind: 'unwanted', command: commandsOf(manager).install }
  onInstall(manager)
  return installPackages(root, manager, version)
}

function givenBy({ content, preset, url, language, ci, report, install }: InitOptions): GivenAnswers {
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

/**
 * Writes the files of a plan, one after another.
 *
 * @throws KbError FILES_UNWRITABLE at the first failure, with the files that were written
 */
export async function writePlan(root: string, { files }: InitPlan): Promise<void> {
  const written: string[] = []
  for (const planned of files) {
    if (planned.kind === 'keep') continue
    try {
      await write(join(root, planned.file), planned)
    } catch (error) {
      throw unwritable(planned.file, error, written)
    }
    written.push(planned.file)
  }
}

async function write(path: string, { kind, text }: Exclude<PlannedFile, { kind: 'keep' }>): Promise<void> {
  if (kind === 'change') {
    await writeFileWhole(path, text)
    return
  }
  await mkdir(dirname(path), { recursive: true })
  try {
    // Files created since the plan was made are not overwritten.
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function unwritable(file: string, error: unknown, written: readonly string[]): KbError {
  const before = written.length === 0 ? 'Nothing was written.' : `Written before that: ${written.join(', ')}.`
  return new KbError(
    'FILES_UNWRITABLE',
    `${file} could not be written: ${reasonWithoutPath(error)}. ${before}`,
    { hint: 'Fix the cause, and run kb init again: it keeps the files that already exist.', cause: error },
  )
}
