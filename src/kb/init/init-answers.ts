import type { PresetName } from '../../core/dialects/dialects.ts'

export type CiSystem = 'github' | 'gitlab'

/** The answers for `kb init`, from flags or prompts. */
export interface InitAnswers {
  /** The folder for articles, relative to the project, with `/`; `.` for the project folder. */
  readonly content: string
  /** The tool that the documents belong to. */
  readonly preset: PresetName | undefined
  /** The name of the site in the configuration of the tool. */
  readonly name?: string | undefined
  /** `builtin`, or the URL of a service. */
  readonly target: 'builtin' | { readonly url: string }
  readonly language: string
  /** Other languages of articles. */
  readonly languages: readonly string[]
  readonly ci: readonly CiSystem[]
  /** True if the pipelines also report on a schedule. */
  readonly report: boolean
}

/** The answers from flags. Missing ones are asked for, except `preset`. */
export interface GivenAnswers extends Partial<Omit<InitAnswers, 'preset' | 'name' | 'languages'>> {
  readonly preset?: PresetName | 'none'
  readonly install?: boolean
}

export type WholeAnswers = InitAnswers & { readonly install: boolean }

export const DEFAULT_ANSWERS: InitAnswers = {
  content: 'content',
  preset: undefined,
  target: 'builtin',
  language: 'en',
  languages: [],
  ci: [],
  report: false,
}
