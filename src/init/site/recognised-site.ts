import type { PresetName } from '../../model/preset-name.ts'

/** A folder that is the site of another tool already. Paths are relative to the project, with `/`. */
export interface RecognisedSite {
  readonly preset: PresetName
  /** The folder that holds its documents; `.` for that of the project. It exists. */
  readonly content: string
  /** The language that its configuration names. */
  readonly language: string | undefined
  /** Languages whose documents lie among the others; its own may be one of them. */
  readonly languages: readonly string[]
}

/** What people call the tools. */
export const TOOL_NAMES: Readonly<Record<PresetName, string>> = {
  docusaurus: 'Docusaurus',
  vitepress: 'VitePress',
  hugo: 'Hugo',
}
