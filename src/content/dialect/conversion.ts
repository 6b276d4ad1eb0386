import type { Problem } from '../../model/diagnostic.ts'
import type { PresetName } from '../../model/preset-name.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'

/** What is known while the tree of one text is made plain. */
export interface Conversion {
  readonly dialect: PresetName
  readonly places: SourcePlaces
  readonly problems: Problem[]
  /** Whether elements were made that only the allow-list may let through. */
  hasElements: boolean
  /** How many things are open in which `{{ }}` are words. */
  verbatim: number
}
