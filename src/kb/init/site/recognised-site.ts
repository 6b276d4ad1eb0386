import type { PresetName } from '../../../core/model/preset-name.ts'

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

/** A site without documents where its tool has them. */
export interface BareSite {
  readonly preset: PresetName
  /** Its configuration, relative to the project. */
  readonly file: string
  /** The folder where its documents would be as a rule. */
  readonly content: string
}

/** What people call the tools. */
export const TOOL_NAMES: Readonly<Record<PresetName, string>> = {
  docusaurus: 'Docusaurus',
  vitepress: 'VitePress',
  hugo: 'Hugo',
}
