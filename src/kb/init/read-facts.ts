import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { runGit } from '../../core/git/run-git.ts'
import { asPrefix, relativePath } from '../../core/paths.ts'
import { CI_FILES, type InitFacts } from './init-model.ts'
import type { InitAnswers } from './init-answers.ts'
import { readNamedTaxonomy } from './first-article.ts'
import {
  commandsOf,
  findUpwards,
  PACKAGE_FILE,
  isKnownManager,
  NPM,
  type PackageManager,
} from './packages.ts'
import { tryTo } from '../../core/try-to.ts'

/**
 * @param root the folder for the project; may not exist yet
 * @throws KbError PROJECT_EXISTS if it is already a project; USAGE if it is not a folder
 */
export function assertNewProject(root: string, isNested: boolean): void {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new KbError('USAGE', `${root} is not a folder.`, { hint: 'Use the path of your project folder.' })
  const found = findConfigIn(root)
  if (found === undefined) return isNested ? undefined : assertOutsideProjects(root)
  throw new KbError('PROJECT_EXISTS', `This folder already has a ${found}. Nothing was written.`, {
    hint: `To check it, run kb check. To add settings that let a first sync through, run kb init --accept. To add a CI workflow, run kb init --ci github. To start from scratch, move ${found} away first.`,
  })
}

/** @throws KbError PROJECT_EXISTS */
function assertOutsideProjects(root: string): void {
  const above = findProjectAbove(root)
  if (above === undefined) return
  throw new KbError(
    'PROJECT_EXISTS',
    `This folder is part of the project in ${above}. Nothing was written.`,
    {
      hint: 'Every kb command works in any folder of a project. For a separate project in this folder, run kb init --nested.',
    },
  )
}

function findProjectAbove(folder: string): string | undefined {
  const above = dirname(folder)
  if (above === folder) return undefined
  return findConfigIn(above) === undefined ? findProjectAbove(above) : above
}

/** Returns the configuration file in the folder, or undefined if there is none. */
export function findConfigIn(root: string): string | undefined {
  return CONFIG_NAMES.find((name) => existsSync(join(root, name)))
}

/**
 * Reads the existing files that matter to `kb init`. Writes nothing.
 *
 * @param given the folder for the project; may not exist yet
 * @param where the folder for articles, relative to it, and the tool of the documents
 * @throws KbError USAGE if the content folder is a file; CONFIG_UNREADABLE, CONTENT_UNREADABLE
 */
export async function readFacts(
  given: string,
  { content, preset }: Pick<InitAnswers, 'content' | 'preset'>,
  version: string,
): Promise<InitFacts> {
  const folder = nearestFolder(given)
  // With links resolved, as in git.
  const root = resolve(realpathSync(folder), relative(folder, given))
  const top = await repositoryRoot(folder)
  const prefix = asPrefix(relativePath(top ?? root, root))
  const manager = await detectManager(folder)
  const inRepository = (name: string) => existsSync(join(top ?? root, name))
  const packageFolder = findUpwards(root, top, PACKAGE_FILE)
  const lockFolder = findUpwards(root, top, commandsOf(manager).lockFile) ?? root
  const contentRoot = join(root, content)
  assertNoFile(contentRoot, content)
  const hasContent = existsSync(contentRoot)
  const files = hasContent ? listMarkdown(contentRoot, preset) : []
  return {
    folderName: basename(root),
    packageJson: readText(join(root, 'package.json')),
    gitignore: readText(join(root, '.gitignore')),
    addsPackages: !(await ignoresPackages(folder)),
    hasContent,
    articles: files.length,
    // With a preset, categories are folders.
    named: preset === undefined ? readNamedTaxonomy(files) : { categories: [], tags: [] },
    categories: readEntries(join(contentRoot, '_categories.yml')),
    tags: readEntries(join(contentRoot, '_tags.yml')),
    hasGitHubWorkflow: inRepository(CI_FILES.github),
    hasGitHubReport: inRepository(CI_FILES.githubReport),
    gitlabPipeline: readPipeline(join(top ?? root, CI_FILES.gitlab)),
    hasGitLabInclude: inRepository(CI_FILES.gitlabInclude),
    hasGitLabReport: inRepository(CI_FILES.gitlabReport),
    repository: { prefix, branch: await mainBranch(folder) },
    manager,
    lockPrefix: asPrefix(relativePath(top ?? root, lockFolder)),
    packagePrefix: asPrefix(relativePath(root, packageFolder ?? root)),
    isInstalled: packageFolder !== undefined,
    version,
  }
}

/** @throws KbError CONFIG_UNREADABLE */
function readText(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new KbError(
      'CONFIG_UNREADABLE',
      `${file} could not be read: ${reasonOf(error)}. Nothing was written.`,
      { cause: error },
    )
  }
}

function readPipeline(file: string): InitFacts['gitlabPipeline'] {
  const text = readText(file)
  if (text === undefined) return 'none'
  return /^kb-check:/m.test(text) ? 'ours' : 'other'
}

function assertNoFile(contentRoot: string, content: string): void {
  if (statSync(contentRoot, { throwIfNoEntry: false })?.isDirectory() !== false) return
  throw new KbError(
    'USAGE',
    `${content} is a file, so it cannot be the content folder. Nothing was written.`,
    { hint: 'Choose another folder with --content.' },
  )
}

/** Names that start with `.` or `_` are never articles, but tools may use the latter for pages of folders. */
function listMarkdown(folder: string, preset: InitAnswers['preset']): string[] {
  // The content folder may be a package.
  const isSkipped = (name: string) =>
    (preset === undefined ? /^[._]/ : /^\./).test(name) || name === 'node_modules'
  const endings = preset === undefined ? ['.md'] : dialectOf(preset).paths.endings
  const entries = readEntriesOf(folder).filter(({ name }) => !isSkipped(name))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listMarkdown(path, preset)
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : []
  })
}

function readEntriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw new KbError(
      'CONTENT_UNREADABLE',
      `${folder} could not be read: ${reasonOf(error)}. Nothing was written.`,
      { hint: 'Make it readable for this user, or choose another folder with --content.', cause: error },
    )
  }
}

/** Returns references to the entries of a taxonomy file; an empty list for an invalid one, which kb check reports. */
function readEntries(file: string): string[] | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const entries = tryTo((): unknown => parseYaml(text))
  return Array.isArray(entries) ? entries.flatMap(nameOfEntry) : []
}

function nameOfEntry(entry: unknown): string[] {
  const { slug, name } = Object(entry) as { readonly slug?: unknown; readonly name?: unknown }
  return [slug, name].filter((each) => typeof each === 'string').slice(0, 1)
}

/** Returns the folder, or the nearest existing one above it. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

async function ignoresPackages(folder: string): Promise<boolean> {
  return (await runGit({ folder }, ['check-ignore', '--quiet', 'node_modules/kb-sync'])) !== undefined
}

/** Returns the root with links resolved; undefined outside a repository. */
async function repositoryRoot(folder: string): Promise<string | undefined> {
  const above = (await runGit({ folder }, ['rev-parse', '--show-cdup']))?.replace(/\n$/, '')
  return above === undefined ? undefined : resolve(realpathSync(folder), above)
}

/** Returns the remote's default branch, else a branch with a usual name, else the current one. */
async function mainBranch(folder: string): Promise<string> {
  const remote = await runGit({ folder }, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'])
  if (remote !== undefined) return remote.trim().replace(/^origin\//, '')
  const listed = await runGit({ folder }, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])
  const branches = listed?.split('\n') ?? []
  const usual = ['main', 'master'].find((name) => branches.includes(name))
  const current = usual ?? (await runGit({ folder }, ['symbolic-ref', '--short', 'HEAD']))?.trim()
  return current ?? 'main'
}

/** Returns the package manager of the project, or of the workspace that contains it; npm by default. */
async function detectManager(folder: string): Promise<PackageManager> {
  const { detectPackageManager } = await import('nypm')
  // Merging reports an invalid package.json.
  const found = await detectPackageManager(folder).catch(() => undefined)
  if (found === undefined || !isKnownManager(found.name)) return NPM
  const isPinned = found.version !== undefined
  const isBerry =
    found.name === 'yarn' && (isPinned ? found.majorVersion !== '1' : existsSync(join(folder, '.yarnrc.yml')))
  return { name: found.name, isBerry, isPinned }
}
