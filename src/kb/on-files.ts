// The commands without a target. Each loads its code on its first call.
import { isDotted } from '../core/paths.ts'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CreatedArticle } from '../authoring/create/create-options.ts'
import type { MoveResult } from '../authoring/move/move-options.ts'
import { assertContentFolder } from '../content/source/content-folder.ts'
import { readEnvironment, resolveTarget, withStorage } from '../core/config/resolve-target.ts'
import { fileStorageOf, type Settings, type TargetSettings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { AssetsResult } from '../inspect/check/assets/copy-assets.ts'
import type { FixResult } from '../inspect/check/fix/fix-content.ts'
import type { BaselineUse } from '../inspect/check/baseline/baseline-file.ts'
import type { AcceptedFinding } from '../inspect/check/baseline/accept-findings.ts'
import type { CheckResult, RunCheckOptions } from '../inspect/check/run-check.ts'
import { selectSources } from '../sync/select-sources.ts'
import { canPrepare, workspaceOf } from '../sync/state/workspace.ts'
import type {
  AssetsOptions,
  CheckOptions,
  MoveOptions,
  NewArticleOptions,
  OpenSiteOptions,
} from './options.ts'
import type { Project } from './project.ts'
import type { Site } from './site/open-site.ts'

export async function check(
  project: Project,
  { sources, fix = false, dryRun = false, external, onProgress, signal, ...baselineOptions }: CheckOptions,
): Promise<CheckResult & Partial<FixResult>> {
  if (dryRun && !fix) {
    throw new KbError('USAGE', 'A dry run has no effect without fixes.', {
      hint: 'A check writes nothing by itself. Use --fix --dry-run to see what --fix would change.',
    })
  }
  if (dryRun && baselineOptions.writeBaseline === true)
    throw new KbError('USAGE', 'A dry run cannot write a baseline.', { hint: 'Leave out one of them.' })
  const settings = await project.loadSettings()
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  await assertSources(sources, settings.contentRoot)
  const use = baselineUse(project, { ...baselineOptions, sources })
  const loadBaselines = () => import('../inspect/check/baseline/accept-findings.ts')
  const baseline = use && (await (await loadBaselines()).openCheckBaseline(use, settings.root))
  const { env } = project
  const target = targetOf(settings, env)
  const options = {
    settings: withStorage(settings, fileStorageOf(target)),
    target,
    isSelected: selectSources(sources),
    external,
    env,
    onProgress,
    signal,
  }
  const result = await (fix ? fixAll(options, dryRun) : checkAll(options))
  if (baseline === undefined) return result
  const { addressOfProblem } = await import('../inspect/check/external/check-external-links.ts')
  const unjudged = new Set(result.unjudged)
  const isLinkJudged = (message: string) =>
    result.external !== undefined && !unjudged.has(addressOfProblem(message) ?? '')
  // Entries for other files, and for links that could not be checked, are not known to be fixed. A dry run fixes nothing.
  const isComplete = ({ code, message }: AcceptedFinding) =>
    sources === undefined && !dryRun && (code !== 'link-external-broken' || isLinkJudged(message))
  return { ...result, ...(await baseline.apply(result.diagnostics, isComplete)) }
}

/** A check sends nothing, so errors in the environment do not matter to it. */
function targetOf(settings: Settings, env: Project['env']): TargetSettings {
  try {
    return resolveTarget(settings, undefined, readEnvironment(env))
  } catch (error) {
    if (error instanceof KbError) return settings.target
    throw error
  }
}

async function fixAll(options: RunCheckOptions, dryRun: boolean): Promise<FixResult> {
  const { fixContent, previewFixes } = await import('../inspect/check/fix/fix-content.ts')
  return dryRun ? previewFixes(options) : fixContent(options)
}

async function checkAll(options: RunCheckOptions): Promise<CheckResult> {
  const { runCheck } = await import('../inspect/check/run-check.ts')
  return runCheck(options)
}

/**
 * Returns the baseline of a run, or undefined if there is none.
 *
 * @param configured the baseline of the configuration, and how a hint refers to it
 * @throws KbError USAGE
 */
export function baselineUse(
  { cwd }: Project,
  { baseline, writeBaseline = false, sources }: Pick<CheckOptions, 'baseline' | 'writeBaseline' | 'sources'>,
  configured: { readonly file?: string | undefined; readonly remedy?: string } = {},
): BaselineUse | undefined {
  const file = baseline === undefined ? configured.file : resolve(cwd, baseline)
  if (writeBaseline && file === undefined) {
    throw new KbError('USAGE', 'The name of the baseline is missing.', {
      hint: `Set it with --baseline, such as --baseline kb-baseline.json${configured.remedy ?? ''}.`,
    })
  }
  if (writeBaseline && sources !== undefined) {
    throw new KbError('USAGE', 'A baseline must cover all articles.', {
      hint: 'Leave out the paths, or --write-baseline.',
    })
  }
  return file === undefined ? undefined : { file, isWritten: writeBaseline }
}

/**
 * Rejects unknown sources: a run on nothing would look like one without findings.
 *
 * @throws KbError USAGE for a source that does not exist
 */
export async function assertSources(
  sources: readonly string[] | undefined,
  contentRoot: string,
): Promise<void> {
  const missing = sources?.find((source) => !existsSync(join(contentRoot, source)))
  if (missing === undefined) return
  const { nearestEntry } = await import('../content/includes/include-problems.ts')
  const meant = nearestEntry(contentRoot, contentRoot, [missing])
  throw new KbError('USAGE', `There is no file or folder ${missing} in the content folder.`, {
    hint:
      meant === undefined
        ? 'Sources are paths relative to the content folder, with /.'
        : `Did you mean "${meant}"?`,
  })
}

export async function newArticle(project: Project, options: NewArticleOptions): Promise<CreatedArticle> {
  const { cwd, loadSettings } = project
  const { createArticle } = await import('../authoring/create/create-article.ts')
  const settings = await loadSettings()
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  return createArticle({ ...options, settings, cwd })
}

export async function move({ cwd, loadSettings }: Project, options: MoveOptions): Promise<MoveResult> {
  const { moveSource } = await import('../authoring/move/move-source.ts')
  const settings = await loadSettings()
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  return moveSource({ ...options, settings, cwd: baseOfMove(options, cwd, settings.root) })
}

/** Returns the base folder of both paths: the first one in which either path exists, unless the old path is dotted. */
function baseOfMove({ from, to }: MoveOptions, cwd: string, root: string): string {
  if (isDotted(from)) return cwd
  const bases = [from, to].flatMap((path) => [cwd, root].filter((base) => existsSync(resolve(base, path))))
  return bases[0] ?? cwd
}

export async function assets({ cwd, loadSettings }: Project, options: AssetsOptions): Promise<AssetsResult> {
  const { copyAssets } = await import('../inspect/check/assets/copy-assets.ts')
  const settings = await loadSettings()
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  return copyAssets({ ...options, settings, folder: resolve(cwd, options.folder) })
}

export async function openSite({ loadSettings, env }: Project, options: OpenSiteOptions): Promise<Site> {
  const { links = {}, drafts = false } = options
  const [{ openSiteOn }, { openLiveContent }] = await Promise.all([
    import('./site/open-site.ts'),
    import('./open-live-content.ts'),
  ])
  let configFiles: readonly string[] = []
  const settings = await loadSettings((files) => {
    configFiles = files
  })
  return openSiteOn({
    settings,
    configFiles,
    // Like a check, a build also works on a read-only file system.
    openContent: (ofSite) => openLiveContent(ofSite, !canPrepare(workspaceOf(ofSite.root))),
    links,
    drafts,
    env,
    now: () => new Date(),
  })
}
