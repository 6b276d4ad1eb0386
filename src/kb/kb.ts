import type { CreatedArticle } from '../authoring/create/create-options.ts'
import type { MoveResult } from '../authoring/move/move-options.ts'
import type { PullResult } from '../authoring/pull/pulled-files.ts'
import type { Settings } from '../core/config/settings.ts'
import type { AssetsResult } from '../inspect/check/assets/copy-assets.ts'
import type { FixResult } from '../inspect/check/fix/fix-content.ts'
import type { CheckResult } from '../inspect/check/run-check.ts'
import type { DoctorReport } from '../inspect/doctor/doctor-report.ts'
import type { Report } from '../web/report/report.ts'
import type { SyncResult } from '../sync/sync-options.ts'
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
} from './options.ts'
import type { Project } from './project.ts'
import type { Site } from './site/open-site.ts'
import type { WatchSummary } from './watch-events.ts'

/**
 * The commands of one project as functions. They print nothing and do not use `this`. Call them repeatedly and
 * concurrently: those that only read never wait for each other. While one that changes a target is running (`sync`, and
 * `pull` without `dryRun`), a second one with the same target is rejected with LOCKED; if the first is in another
 * process, the second waits up to three seconds for it. Each call reads the configuration again.
 *
 * Every function throws `KbError` if its run could not start; later failures are in the result.
 */
export interface Kb {
  /**
   * Reads, validates and renders the articles, and sends nothing. Problems in the articles are in the result.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { check } = createKb({ cwd: '/path/to/project' })
   * const { articles, diagnostics } = await check()
   * console.log(articles, diagnostics.length) // prints 1 0
   * ```
   */
  readonly check: (options?: CheckOptions) => Promise<CheckResult & Partial<FixResult>>
  /**
   * Compares the articles with the target, and writes nothing there.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { plan } = createKb({ cwd: '/path/to/project' })
   * const { operations, summary } = await plan({ prune: true })
   * console.log(summary.created, summary.deleted) // prints 1 0
   * console.log(operations.at(-1)?.source) // prints reset-password.md
   * ```
   */
  readonly plan: (options?: PlanOptions) => Promise<SyncResult>
  /**
   * Updates the target to match the articles. If an article has an error, nothing is sent. A failed operation, and a
   * failure that ended the run early, are in the result.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { sync } = createKb({ cwd: '/path/to/project' })
   * const { summary, failure } = await sync({ onConflict: 'skip' })
   * console.log(summary.created, failure) // prints 1 undefined
   * ```
   */
  readonly sync: (options?: SyncOptions | SavedPlanOptions) => Promise<SyncResult>
  /**
   * Copies edits from the target into the files, and creates files for articles that exist only there. Sends nothing.
   * If an article has an error, nothing is pulled. A file that could not be written is in the result.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { pull } = createKb({ cwd: '/path/to/project' })
   * const { files, summary } = await pull({ dryRun: true })
   * console.log(files.length, summary.conflicts) // prints 0 0
   * ```
   */
  readonly pull: (options?: PullOptions) => Promise<PullResult>
  /**
   * Syncs, then sends every change as soon as the file is saved, and shows the articles as pages. Runs until `signal`
   * is aborted, whatever happens to the files or the target. Events are passed to `onEvent`.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { watch } = createKb({ cwd: '/path/to/project' })
   * const controller = new AbortController()
   * const { sent } = await watch({
   *   pages: false,
   *   signal: controller.signal,
   *   onEvent: ({ kind }) => {
   *     if (kind === 'ready') controller.abort()
   *   },
   * })
   * console.log(sent) // prints 1
   * ```
   */
  readonly watch: (options?: WatchOptions) => Promise<WatchSummary>
  /**
   * Creates the file of a new article in the folder of its category.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { newArticle } = createKb({ cwd: '/path/to/project' })
   * const { file, line } = await newArticle({ title: 'Change your address', categories: ['Guides'] })
   * console.log(`${file}:${line}`) // prints content/change-your-address.md:6
   * ```
   */
  readonly newArticle: (options: NewArticleOptions) => Promise<CreatedArticle>
  /**
   * Moves an article or a folder, and updates every link to it and inside it.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { move } = createKb({ cwd: '/path/to/project' })
   * const { moved, left } = await move({ from: 'content/reset-password.md', to: 'content/accounts/' })
   * console.log(moved, left.length) // prints 1 0
   * ```
   */
  readonly move: (options: MoveOptions) => Promise<MoveResult>
  /**
   * Copies the files that articles use into a folder, under the names that `assets.baseUrl` gives them.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { assets } = createKb({ cwd: '/path/to/project' })
   * const { files } = await assets({ folder: 'out/files' })
   * for (const { source, outcome } of files) console.log(source, outcome) // prints form.pdf copied
   * ```
   */
  readonly assets: (options: AssetsOptions) => Promise<AssetsResult>
  /**
   * Lists the articles on the target that are due for review and the links that are broken, with the lines of the files
   * to fix. Writes nothing to the target, and only its own history to the project (and a baseline on request).
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { report, sync } = createKb({ cwd: '/path/to/project' })
   * await sync()
   * const { counts, exceeded } = await report({ failOn: ['overdue', 'broken'] })
   * console.log(counts.overdue, counts.broken, exceeded.length) // prints 0 0 0
   * ```
   */
  readonly report: (options?: ReportOptions) => Promise<Report>
  /**
   * Opens the articles for a site that is built from them: metadata, HTML, headings and categories. Sends nothing.
   * Close it after the site is built.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { openSite } = createKb({ cwd: '/path/to/project' })
   * const site = await openSite({ links: { article: '/help/{id}' }, drafts: true })
   * const { view } = await site.read()
   * for (const { id, url } of view.articles) {
   *   const body = site.readBody(id)
   *   console.log(url, body?.headings.length) // prints /help/reset-password 0
   * }
   * site.close()
   * ```
   */
  readonly openSite: (options?: OpenSiteOptions) => Promise<Site>
  /**
   * Checks everything a sync depends on. An invalid configuration is a finding, too, and is not thrown.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { doctor } = createKb({ cwd: '/path/to/project' })
   * const { target, findings } = await doctor()
   * const errors = findings.filter(({ status }) => status === 'error')
   * console.log(target, errors.length) // prints builtin 0
   * ```
   */
  readonly doctor: (options?: DoctorOptions) => Promise<DoctorReport>
  /**
   * Reads the configuration and applies the defaults.
   *
   * @example
   * ```js
   * import { createKb } from 'kb-sync'
   *
   * const { loadSettings } = createKb({ cwd: '/path/to/project' })
   * const { project } = await loadSettings()
   * console.log(project) // prints demo
   * ```
   */
  readonly loadSettings: (options?: RunOptions) => Promise<Settings>
}

/** Returns the commands on `project`. The code of each is loaded with its first call. */
export function kbOf(project: Project): Kb {
  /** A command that can be stopped. */
  const command =
    <Options extends RunOptions, Result>(
      load: () => Promise<(project: Project, options: Options) => Promise<Result>>,
    ) =>
    async (options: Options = {} as Options): Promise<Result> => {
      const [{ runStoppably }, run] = await Promise.all([import('./run-stoppably.ts'), load()])
      return runStoppably(options.signal, (signal) => run(project, { ...options, signal }))
    }
  const onFiles = () => import('./on-files.ts')
  const onTarget = () => import('./on-target.ts')
  return {
    check: command(async () => (await onFiles()).check),
    plan: command(async () => (await onTarget()).plan),
    sync: command(async () => (await onTarget()).sync),
    pull: command(async () => (await onTarget()).pull),
    watch: command(async () => (await import('./watch.ts')).watch),
    newArticle: command(async () => (await onFiles()).newArticle),
    move: command(async () => (await onFiles()).move),
    assets: command(async () => (await onFiles()).assets),
    report: command(async () => (await onTarget()).report),
    openSite: command(async () => (await onFiles()).openSite),
    doctor: command(async () => (await onTarget()).doctor),
    loadSettings: command(async () => () => project.loadSettings()),
  }
}
