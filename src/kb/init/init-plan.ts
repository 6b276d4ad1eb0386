import type { BareSite } from './site.ts'

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
  /** No report could be set up: it would have no target to look at. */
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
