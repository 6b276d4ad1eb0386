import type { PresetName } from '../../core/dialects/dialects.ts'

export type CiSystem = 'github' | 'gitlab'

/** What `kb init` is told, by flags or in answer to its questions. */
export interface InitAnswers {
  /** The folder for articles, relative to the project, with `/`; `.` for that of the project. */
  readonly content: string
  /** The tool whose documents they are. */
  readonly preset: PresetName | undefined
  /** `builtin`, or the address of a service. */
  readonly target: 'builtin' | { readonly url: string }
  readonly language: string
  /** Others that articles are in. */
  readonly languages: readonly string[]
  readonly ci: readonly CiSystem[]
  /** Whether the pipelines also report on a schedule. */
  readonly report: boolean
}

/** What was answered by flags; a member that is missing is asked for, except for `preset`. */
export interface GivenAnswers extends Partial<Omit<InitAnswers, 'preset' | 'languages'>> {
  readonly preset?: PresetName | 'none'
  readonly install?: boolean
}

export type WholeAnswers = InitAnswers & { readonly install: boolean }

/** What holds where nothing is said. */
export const DEFAULT_ANSWERS: InitAnswers = {
  content: 'content',
  preset: undefined,
  target: 'builtin',
  language: 'en',
  languages: [],
  ci: [],
  report: false,
}
