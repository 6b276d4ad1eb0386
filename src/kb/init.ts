import { relative, sep } from 'node:path'
import type { PresetName } from '../core/dialects/dialects.ts'
import { readProgramVersion } from '../core/version.ts'
import { createKb } from './create-kb.ts'
import {
  DEFAULT_ANSWERS,
  type GivenAnswers,
  type InitAnswers,
  type WholeAnswers,
} from './init/init-answers.ts'
import type { InitFacts, InitPlan, InitTodo } from './init/init-model.ts'
import { commandsOf, type Installation, installPackages, type PackageManager } from './init/packages.ts'
import { planInit } from './init/plan-init.ts'
import { planPipelines } from './init/plan-pipelines.ts'
import { assertNewProject, findConfigIn, readFacts } from './init/read-facts.ts'
import { findBareSite, type RecognisedSite, recogniseSite, takeSite } from './init/site.ts'
import { writePlan } from './init/write-plan.ts'
import type { InitOptions } from './options.ts'

interface InitContext {
  /** Asks for what was not given. @param there whether there is anything to install, and the site that the folder is */
  readonly ask: (
    given: GivenAnswers,
    there: { readonly canInstall: boolean; readonly site: RecognisedSite | undefined },
  ) => Promise<WholeAnswers>
  /** Told before kb-sync is installed. */
  readonly onInstall: (manager: PackageManager) => void
}

export interface InitResult extends Decided {
  readonly installation: Installation
}

/** Articles that are documents of a site. */
export interface SiteArticles {
  readonly preset: PresetName
  readonly content: string
}

interface Decided {
  readonly plan: InitPlan
  readonly facts: InitFacts
  /** Where the articles are those of a site. */
  readonly site: SiteArticles | undefined
}

/** What `kb init` does: asks, decides everything, writes, installs. @param root absolute path of the folder */
export async function init(root: string, options: InitOptions, context: InitContext): Promise<InitResult> {
  const { isInstallWanted, ...decided } = asksForPipelinesAlone(options, root)
    ? await planForProject(root, options)
    : await planForFolder(root, options, context)
  await writePlan(root, decided.plan)
  return { ...decided, installation: await bringPackages(root, isInstallWanted, decided.facts, context) }
}

async function planForFolder(root: string, options: InitOptions, context: InitContext) {
  assertNewProject(root)
  const version = readProgramVersion()
  const answers = await findAnswers(root, version, options, context)
  const facts = await readFacts(root, answers, version)
  const { files, todos } = planInit(answers, facts)
  const plan = { files, todos: [...(await overlookedSite(root, options)), ...todos] }
  return { plan, facts, isInstallWanted: answers.install, site: siteOf(answers) }
}

/** A site that nothing was said of, and whose documents were not found. */
async function overlookedSite(root: string, { preset, content }: InitOptions): Promise<InitTodo[]> {
  if (preset !== undefined || content !== undefined) return []
  const site = (await recogniseSite(root)) === undefined ? await findBareSite(root) : undefined
  return site === undefined ? [] : [{ kind: 'site', ...site }]
}

function siteOf({ preset, content }: InitAnswers): SiteArticles | undefined {
  return preset === undefined ? undefined : { preset, content }
}

/** A project needs no answers: its configuration has given them. */
function asksForPipelinesAlone(
  { ci = [], content, preset, url, language }: InitOptions,
  root: string,
): boolean {
  const isAlone = [content, preset, url, language].every((answer) => answer === undefined)
  return isAlone && ci.some((system) => system !== 'none') && findConfigIn(root) !== undefined
}

async function planForProject(root: string, options: InitOptions) {
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
  options: InitOptions,
  { ask }: Pick<InitContext, 'ask'>,
): Promise<WholeAnswers> {
  const given = givenBy(options)
  const site = await recogniseSite(root)
  const taken = takeSite(options, site)
  if (options.yes === true) return { ...DEFAULT_ANSWERS, install: true, ...given, ...taken }
  const { isInstalled } = await readFacts(root, { ...DEFAULT_ANSWERS, ...taken }, version)
  return ask(given, { canInstall: !isInstalled, site })
}

async function bringPackages(
  root: string,
  isWanted: boolean,
  { isInstalled, manager }: InitFacts,
  { onInstall }: Pick<InitContext, 'onInstall'>,
): Promise<Installation> {
  if (isInstalled) return { kind: 'present' }
  if (!isWanted) return { kind: 'unwanted', command: commandsOf(manager).install }
  onInstall(manager)
  return installPackages(root, manager)
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
