import type { Dialect } from './dialect.ts'
import { docusaurus } from './docusaurus.ts'
import { folder } from './folder.ts'
import { hugo } from './hugo.ts'
import { mkdocs } from './mkdocs.ts'
import { obsidian } from './obsidian.ts'
import { starlight } from './starlight.ts'
import { vitepress } from './vitepress.ts'

/** The supported tools by preset name. Plain folders are recognised last. */
export const DIALECTS = {
  docusaurus,
  vitepress,
  hugo,
  mkdocs,
  starlight,
  obsidian,
  folder,
} as const satisfies Readonly<Record<string, Dialect>>

export type PresetName = keyof typeof DIALECTS

export const PRESET_NAMES = Object.keys(DIALECTS) as PresetName[]

export function dialectOf(preset: PresetName): Dialect {
  return DIALECTS[preset]
}

/** Looks up a name written by an author. Inherited names such as `constructor` have no entry. */
export function kindIn<Kind>(
  table: Readonly<Record<string, Kind>> | undefined,
  name: string,
): Kind | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}
