import type { CreatedArticle } from '../authoring/create/create-options.ts'
import type { MoveResult } from '../authoring/move/move-options.ts'
import type { AssetsResult } from '../inspect/check/assets/copy-assets.ts'
import type { CheckResult } from '../inspect/check/run-check.ts'
import type { Settings } from '../core/config/settings.ts'
import type { DoctorReport } from '../inspect/doctor/doctor-report.ts'
import type { PullResult } from '../authoring/pull/pull-options.ts'
import type { Report } from '../inspect/report/report.ts'
import type { Site } from './site/site-options.ts'
import type { SyncResult } from '../sync/sync-options.ts'
import type { Project } from './project.ts'
import type {
  AssetsOptions,
  CheckOptions,
  DoctorOptions,
  MoveOptions,
  NewArticleOptions,
  OpenSiteOptions,
  PlanOptions,
  PullOptions,
  ReportOptions,
  RunOptions,
  SavedPlanOptions,
  SyncOptions,
  WatchOptions,
} from './run-options.ts'
import type { WatchSummary } from './watch-events.ts'

/**
 * One project's commands as functions. They print nothing, need no `this`, and may be called again and at the same time:
 * those that only look never wait for each other, and of those that change something on one target (`sync`, and `pull`
 * without `dryRun`) the second is refused with LOCKED while the first is under way (one in another process is waited for, for three seconds). Each call reads the configuration
 * anew, so an edit of it counts from the next call on.
 *
 * Every function throws `KbError` where its run could not begin; what goes wrong later is in the result.
 */
export interface Kb {
  /** Reads, checks and renders the articles; sends nothing. Their problems are in the result. */
  readonly check: (options?: CheckOptions) => Promise<CheckResult>
  /** Compares the articles with the target and writes nothing there. */
  readonly plan: (options?: PlanOptions) => Promise<SyncResult>
  /**
   * Makes the target equal to the articles. Nothing is sent while one of them has an error; an operation that fails is
   * in the result, and so is a failure that ended the run early.
   */
  readonly sync: (options?: SyncOptions | SavedPlanOptions) => Promise<SyncResult>
  /**
   * Brings edits made on the target into the files, and articles that exist only there in as new ones. Sends nothing.
   * Nothing is pulled while an article has an error; a file that could not be written is in the result.
   */
  readonly pull: (options?: PullOptions) => Promise<PullResult>
  /**
   * Syncs, then sends every change of the files as soon as it is saved, and shows the articles as pages. Goes on until
   * `signal` is aborted, whatever happens to the files or the target: what it has to tell comes through `onEvent`.
   */
  readonly watch: (options?: WatchOptions) => Promise<WatchSummary>
  /** Writes the file of a new article into the folder where it belongs. */
  readonly newArticle: (options: NewArticleOptions) => Promise<CreatedArticle>
  /** Moves an article or a folder and rewrites every link that leads there or starts there. */
  readonly move: (options: MoveOptions) => Promise<MoveResult>
  /** Copies the files that articles use, by the names that `assets.baseUrl` gives them. */
  readonly assets: (options: AssetsOptions) => Promise<AssetsResult>
  /**
   * Tells which articles on the target are due for review and which links are dead, and where in the files to mend them.
   * Writes nothing there, and nothing here but its own history (and a baseline, where asked for).
   */
  readonly report: (options?: ReportOptions) => Promise<Report>
  /**
   * Opens the articles for a site that is built from them: metadata, HTML, headings, categories. Sends nothing. Close it
   * when the site is built.
   */
  readonly openSite: (options?: OpenSiteOptions) => Promise<Site>
  /** Looks at all that a sync depends on. A broken configuration is a finding, too, and not thrown. */
  readonly doctor: (options?: DoctorOptions) => Promise<DoctorReport>
  /** The configuration with every default filled in. */
  readonly loadSettings: (options?: RunOptions) => Promise<Settings>
}

/** The commands on `project`. The code of each is loaded with its first call. */
export function kbOf(project: Project): Kb {
  return {
    check: async (options = {}) => {
      const { check } = await import('./check.ts')
      return stoppably(options, (stoppable) => check(project, stoppable))
    },
    plan: async (options = {}) => {
      const { plan } = await import('./plan.ts')
      return stoppably(options, (stoppable) => plan(project, stoppable))
    },
    sync: async (options = {}) => {
      const { sync } = await import('./sync.ts')
      return stoppably(options, (stoppable) => sync(project, stoppable))
    },
    pull: async (options = {}) => {
      const { pull } = await import('./pull.ts')
      return stoppably(options, (stoppable) => pull(project, stoppable))
    },
    watch: async (options = {}) => {
      const { watch } = await import('./watch.ts')
      return stoppably(options, (stoppable) => watch(project, stoppable))
    },
    newArticle: async (options) => {
      const { newArticle } = await import('./new-article.ts')
      return stoppably(options, (stoppable) => newArticle(project, stoppable))
    },
    move: async (options) => {
      const { move } = await import('./move.ts')
      return stoppably(options, (stoppable) => move(project, stoppable))
    },
    assets: async (options) => {
      const { assets } = await import('./assets.ts')
      return stoppably(options, (stoppable) => assets(project, stoppable))
    },
    report: async (options = {}) => {
      const { report } = await import('./report.ts')
      return stoppably(options, (stoppable) => report(project, stoppable))
    },
    openSite: async (options = {}) => {
      const { openProjectSite } = await import('./open-site.ts')
      return stoppably(options, (stoppable) => openProjectSite(project, stoppable))
    },
    doctor: async (options = {}) => {
      const { doctor } = await import('./doctor.ts')
      return stoppably(options, (stoppable) => doctor(project, stoppable))
    },
    loadSettings: async (options = {}) => stoppably(options, () => project.loadSettings()),
  }
}

async function stoppably<Options extends RunOptions, Result>(
  options: Options,
  run: (options: Options) => Promise<Result>,
): Promise<Result> {
  const { runStoppably } = await import('./run-stoppably.ts')
  return runStoppably(options.signal, (signal) => run({ ...options, signal }))
}
