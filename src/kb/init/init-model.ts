import type { UsedTaxonomy } from './first-article.ts'
import type { PackageManager } from './packages.ts'
import type { BareSite } from './site.ts'

interface RepositoryFacts {
  /** From the repository's root to the project: `''`, or a path that ends in `/`. */
  readonly prefix: string
  /** The branch that is synced. */
  readonly branch: string
}

/** What is in the folder already, as far as `kb init` minds. Paths are relative to the project, with `/`. */
export interface InitFacts {
  readonly folderName: string
  /** Text of package.json. */
  readonly packageJson: string | undefined
  /** Text of .gitignore. */
  readonly gitignore: string | undefined
  /** Whether git would add packages to the repository. */
  readonly addsPackages: boolean
  /** Whether the content folder is there. */
  readonly hasContent: boolean
  /** How many Markdown files are in the content folder. */
  readonly articles: number
  /** What those files name. */
  readonly named: UsedTaxonomy
  /** How categories go by that `_categories.yml` has; undefined where there is no such file. */
  readonly categories: readonly string[] | undefined
  /** The same of `_tags.yml`. */
  readonly tags: readonly string[] | undefined
  readonly hasGitHubWorkflow: boolean
  readonly hasGitHubReport: boolean
  /** Whose `.gitlab-ci.yml` is there: one that has our jobs needs no more, any other one is not ours to change. */
  readonly gitlabPipeline: 'none' | 'ours' | 'other'
  readonly hasGitLabInclude: boolean
  readonly hasGitLabReport: boolean
  readonly repository: RepositoryFacts
  readonly manager: PackageManager
  /** From the repository's root to the folder that holds the lock file: `''`, or a path that ends in `/`. */
  readonly lockPrefix: string
  /** From the project to the folder whose node_modules has, or will have, kb-sync: `''`, or `../` any number of times. */
  readonly packagePrefix: string
  /** Whether kb-sync can be resolved from the project already. */
  readonly isInstalled: boolean
  readonly version: string
}

/** Names of CI files, from the repository's root. */
export const CI_FILES = {
  github: '.github/workflows/kb.yml',
  githubReport: '.github/workflows/kb-report.yml',
  gitlab: '.gitlab-ci.yml',
  gitlabInclude: '.gitlab/kb.yml',
  gitlabReport: '.gitlab/kb-report.yml',
} as const

/** One file as `kb init` leaves it; its path is relative to the project, with `/`. */
export type PlannedFile =
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  /** `changes` names what is added, each in a few words. */
  | {
      readonly kind: 'change'
      readonly file: string
      readonly text: string
      readonly changes: readonly string[]
    }
  /** It is there, and stays as it is. */
  | { readonly kind: 'keep'; readonly file: string }

/** What is left to people. */
export type InitTodo =
  /** The folder is a site whose documents are elsewhere, so that the project has none of them. */
  | ({ readonly kind: 'site' } & BareSite)
  /** Keys that a pipeline needs. */
  | { readonly kind: 'keys'; readonly system: 'github' | 'gitlab' }
  /** The one key that a report beside a pipeline of others needs. */
  | { readonly kind: 'report-key'; readonly system: 'github' | 'gitlab' }
  /** GitLab keeps schedules apart from files. */
  | { readonly kind: 'schedule'; readonly cron: string }
  /** No report could be set up: it would have no target to check. */
  | { readonly kind: 'no-report' }
  /** package.json has a script of this name that runs something else than ours would. */
  | { readonly kind: 'script'; readonly name: string }
  /** `file` has to name what was written beside it. */
  | { readonly kind: 'include'; readonly file: string; readonly line: string }

/** All that `kb init` writes, as data, in the order in which it is written: the configuration comes last. */
export interface InitPlan {
  readonly files: readonly PlannedFile[]
  readonly todos: readonly InitTodo[]
}
