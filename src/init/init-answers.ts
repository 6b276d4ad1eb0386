export type CiSystem = 'github' | 'gitlab'

/** What `kb init` is told, by flags or in answer to its questions. */
export interface InitAnswers {
  /** The folder for articles, relative to the project, with `/`. */
  readonly content: string
  /** `builtin`, or the address of a service. */
  readonly target: 'builtin' | { readonly url: string }
  readonly language: string
  readonly ci: readonly CiSystem[]
  /** Whether the pipelines also report on a schedule. */
  readonly report: boolean
}

/** What holds where nothing is said. */
export const DEFAULT_ANSWERS: InitAnswers = {
  content: 'content',
  target: 'builtin',
  language: 'en',
  ci: [],
  report: false,
}
