import type { CreateOptions } from '../authoring/create/create-options.ts'
import type { MoveFilesOptions as MoveTask } from '../authoring/move/move-options.ts'
import type { Delay } from '../api/client/send-with-retries.ts'
import type { OnConflict } from '../core/config/schema.ts'
import type { DoctorPhase } from '../inspect/doctor/doctor-options.ts'
import type { ThresholdName } from '../core/model/threshold.ts'
import type { OwnerSource, OwnersShown } from '../inspect/report/report.ts'
import type { SiteLinks } from './site/site-options.ts'
import type { Progress } from '../sync/content-project.ts'
import type { Environment } from './project.ts'
import type { KbWatchEvent } from './watch-events.ts'

export interface KbOptions {
  /** The project's folder; default: the one that is current now. */
  readonly cwd?: string | undefined
  /** Configuration file, relative to `cwd`; default: kb.config.ts there, if any. */
  readonly config?: string | undefined
  /** Where KB_URL, KB_API_KEY and the proxy variables are read; default: process.env. */
  readonly env?: Environment | undefined
}

/** What every function takes. */
export interface RunOptions {
  /**
   * Stops the run: what is in flight is finished, nothing new is begun. Where it stops before there is a result,
   * `KbError` INTERRUPTED is thrown; later, the result has it as its `failure`.
   */
  readonly signal?: AbortSignal | undefined
}

/** What a run over the articles takes. */
export interface ContentRunOptions extends RunOptions {
  /** Articles and folders this run is about, by their path under the content folder, with `/`; default: all. */
  readonly sources?: readonly string[] | undefined
  /** Told how far the run is: phase, what is done, and the total. */
  readonly onProgress?: Progress | undefined
}

export interface CheckOptions extends ContentRunOptions {
  /** Checks links to other sites, too; addresses that worked lately are not asked again. */
  readonly external?: ExternalCheckOptions | undefined
}

export interface ExternalCheckOptions {
  /** Lets it connect to private addresses. */
  readonly allowPrivateAddresses?: boolean | undefined
}

/** What a run that speaks to a target takes. */
export interface TargetRunOptions extends ContentRunOptions {
  /** Name of a target of the configuration, or `builtin`; default: KB_URL of the environment, else the configuration's. */
  readonly target?: string | undefined
  /** Requests at one time; default: the configuration's. */
  readonly concurrency?: number | undefined
  /** Told of each pause before a request to a remote target is sent again. */
  readonly onDelay?: ((delay: Delay) => void) | undefined
}

export interface SyncOptions extends TargetRunOptions {
  /** Deletes articles of ours that no file wants any more. */
  readonly prune?: boolean | undefined
  /** What becomes of articles that were edited on the target. */
  readonly onConflict?: OnConflict | undefined
  /** Slugs of articles on the target that kb-sync did not create and may take over. */
  readonly adopt?: readonly string[] | undefined
  /** Nothing is deleted if more would go: a number, or a percentage such as `10%`. */
  readonly maxDeletes?: number | string | undefined
  /** Goes past the guards. */
  readonly yes?: boolean | undefined
  /** Reads every article of ours on the target, to find edits also where nothing is to be sent. */
  readonly verify?: boolean | undefined
  /** With a saved plan, `SavedPlanOptions` hold. */
  readonly plan?: undefined
}

export interface PlanOptions extends SyncOptions {
  /** Operations carry what the target has against what the file says; reads each such article once more. */
  readonly diff?: boolean | undefined
  /** File, relative to `cwd`, for the plan: `sync({ plan })` executes it. Not written where the content has errors. */
  readonly out?: string | undefined
}

/** A sync that executes a saved plan and is refused where files or target have moved on since. */
export interface SavedPlanOptions extends Omit<TargetRunOptions, 'target' | 'sources'> {
  /** File, relative to `cwd`, that `plan({ out })` wrote; all that is not named here is taken from it. */
  readonly plan: string
  /** Goes past the guards. */
  readonly yes?: boolean | undefined
}

export interface PullOptions extends TargetRunOptions {
  /** Decides everything and writes no file. */
  readonly dryRun?: boolean | undefined
  /** `overwrite`: where file and target both changed, the target's goes into the file, which is kept in .kb/backups. */
  readonly onConflict?: OnConflict | undefined
  /** Leaves articles that exist only on the target alone. */
  readonly editsOnly?: boolean | undefined
}

/** `folder` is relative to `cwd` or the content folder. */
export type NewArticleOptions = RunOptions &
  Omit<CreateOptions, 'settings' | 'cwd' | 'chooseCategory' | 'signal' | 'now'>

/** `from` and `to` are relative to `cwd` or the content folder. */
export type MoveOptions = RunOptions & Omit<MoveTask, 'settings' | 'cwd' | 'signal'>

export interface AssetsOptions extends RunOptions {
  /** Where files are copied to, relative to `cwd`. */
  readonly folder: string
  /** Decides everything and copies nothing. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: Progress | undefined
}

export interface ReportOptions extends TargetRunOptions {
  /** Days after today in which a review counts as due; default: `report.dueWithin` of the configuration. */
  readonly dueWithinDays?: number | undefined
  /** What may not be; default: `report.failOn` of the configuration. The result says in `exceeded` what is. */
  readonly failOn?: readonly ThresholdName[] | undefined
  /** Overdue articles that are allowed, and from which on `exceeded` says so; default: `report.maxOverdue`. */
  readonly maxOverdue?: number | undefined
  /** Addresses that are left out, beyond `links.ignore` of the configuration; `*` stands for anything. */
  readonly ignoreLinks?: readonly string[] | undefined
  /** File with findings that are accepted, relative to `cwd`; default: `report.baseline` of the configuration. */
  readonly baseline?: string | undefined
  /** Accepts all that is found now: writes the baseline anew. */
  readonly writeBaseline?: boolean | undefined
  /** Names the people to ask about each article; `email`: with their addresses. Without it, nobody is named. */
  readonly owners?: OwnersShown | undefined
  /** Where they are looked up; default: `target`. */
  readonly ownersFrom?: OwnerSource | undefined
  /** Asks other sites whether links work; else only what `check({ external })` remembers is compared. */
  readonly external?: ExternalCheckOptions | undefined
  /** `false` neither reads nor writes what earlier reports found. */
  readonly history?: boolean | undefined
}

export interface OpenSiteOptions extends RunOptions {
  /** Where pages of the site lie; default: where `links` of the configuration says that the target's do. */
  readonly links?: SiteLinks | undefined
  /** Whether drafts are part of the site. Default false. */
  readonly drafts?: boolean | undefined
}

export interface DoctorOptions extends RunOptions {
  /** Name of a target of the configuration, or `builtin`. */
  readonly target?: string | undefined
  /** Tries what the target does with a hidden draft, and removes it again. */
  readonly probe?: boolean | undefined
  /** Told what is looked at. */
  readonly onPhase?: ((phase: DoctorPhase) => void) | undefined
}

export interface WatchOptions extends RunOptions {
  /**
   * Name of a target of the configuration, or `builtin`; default: KB_URL of the environment, else the built-in server.
   * Another default target of the configuration is left alone unless it is named here.
   */
  readonly target?: string | undefined
  /** Deletes articles of ours whose file is gone; default: `sync.prune` of the configuration. */
  readonly prune?: boolean | undefined
  /** Requests at one time; default: the configuration's. */
  readonly concurrency?: number | undefined
  /** Told of each pause before a request to a remote target is sent again. */
  readonly onDelay?: ((delay: Delay) => void) | undefined
  /** `false` serves no pages. */
  readonly pages?: boolean | undefined
  /** Where the pages are served; default: `server.host` of the configuration. */
  readonly host?: string | undefined
  /** 0 for a free one; default: `server.port` of the configuration, or another one where that is taken. */
  readonly port?: number | undefined
  /** Told of all that happens, in its order. */
  readonly onEvent?: ((event: KbWatchEvent) => void) | undefined
}
