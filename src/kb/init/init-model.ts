import type { PresetName } from '../../core/dialects/dialects.ts'
import type { UsedTaxonomy } from './first-article.ts'
import type { PackageManager } from './packages.ts'
import type { BareSite } from './site.ts'

/** The relevant content of the folder. Paths are relative to the project, with `/`. */
export interface InitFacts {
  readonly folderName: string
  readonly packageJson: string | undefined
  readonly gitignore: string | undefined
  /** True unless git ignores installed packages, as the .gitignore of a folder above can tell it. */
  readonly addsPackages: boolean
  /** True if the content folder exists. */
  readonly hasContent: boolean
  /** Number of Markdown files in the content folder. */
  readonly articles: number
  /** The categories and tags in those files. */
  readonly named: UsedTaxonomy
  /** References to the categories in `_categories.yml`; undefined if there is no such file. */
  readonly categories: readonly string[] | undefined
  /** The same for `_tags.yml`. */
  readonly tags: readonly string[] | undefined
  readonly hasGitHubWorkflow: boolean
  readonly hasGitHubReport: boolean
  /** The existing `.gitlab-ci.yml`. One with our jobs is complete; any other must not be changed. */
  readonly gitlabPipeline: 'none' | 'ours' | 'other'
  readonly hasGitLabInclude: boolean
  readonly hasGitLabReport: boolean
  readonly repository: {
    /** Path from the repository's root to the project: `''`, or with a trailing `/`. */
    readonly prefix: string
    readonly branch: string
  }
  readonly manager: PackageManager
  /** Path from the repository's root to the folder with the lock file: `''`, or with a trailing `/`. */
  readonly lockPrefix: string
  /** Path from the project to the folder whose node_modules has, or will have, kb-sync: `''`, or `../` repeated. */
  readonly packagePrefix: string
  /** True if kb-sync resolves from the project. */
  readonly isInstalled: boolean
  readonly version: string
}

/** CI files, relative to the repository's root. */
export const CI_FILES = {
  github: '.github/workflows/kb.yml',
  githubReport: '.github/workflows/kb-report.yml',
  gitlab: '.gitlab-ci.yml',
  gitlabInclude: '.gitlab/kb.yml',
  gitlabReport: '.gitlab/kb-report.yml',
} as const

/** A file of the plan. Its path is relative to the project, with `/`. */
export type PlannedFile =
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  /** `changes` briefly describes each addition. */
  | {
      readonly kind: 'change'
      readonly file: string
      readonly text: string
      readonly changes: readonly string[]
    }
  /** The file exists and is not changed. */
  | { readonly kind: 'keep'; readonly file: string }

/** A step for the user. */
export type InitTodo =
  /** The folder is a site whose documents are elsewhere, so the project has none. */
  | ({ readonly kind: 'site' } & BareSite)
  /** Translations of the site are not read. The folders are relative to the project. */
  | { readonly kind: 'translations'; readonly preset: PresetName; readonly folders: readonly string[] }
  /** API keys for a pipeline. */
  | { readonly kind: 'keys'; readonly system: 'github' | 'gitlab' }
  /** The API key for a report beside a pipeline that is not ours. */
  | { readonly kind: 'report-key'; readonly system: 'github' | 'gitlab' }
  /** GitLab configures schedules outside files. */
  | { readonly kind: 'schedule'; readonly cron: string }
  /** No report could be set up, because there is no target to check. */
  | { readonly kind: 'no-report' }
  /** package.json has kb-sync from this file, which a pipeline needs. `command` installs a copy of it. */
  | { readonly kind: 'packed-file'; readonly file: string; readonly command: string }
  /** package.json has a script with this name and another command. */
  | { readonly kind: 'script'; readonly name: string }
  /** `file` must include the file that was written beside it. */
  | { readonly kind: 'include'; readonly file: string; readonly line: string }

/** All files that `kb init` writes, as data, in order. The configuration comes last. */
export interface InitPlan {
  readonly files: readonly PlannedFile[]
  readonly todos: readonly InitTodo[]
}
