import type { Problem } from '../../core/model/diagnostic.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import type { FindOwnElement, OwnElement } from './own-elements.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import type { PageValues } from './page-values.ts'
import type { CodeDepth } from './unresolved.ts'

/** What is known while the tree of one text is made plain. */
export interface Conversion extends CodeDepth {
  readonly dialect: PresetName
  readonly places: SourcePlaces
  /** What was parsed. */
  readonly text: string
  /** What the frontmatter of the page says. */
  readonly values: PageValues
  /** Constants that the text itself exports, by name. */
  readonly constants: Map<string, string>
  readonly problems: Problem[]
  /** The components of the project's own. */
  readonly findOwn: FindOwnElement
  /** What became of those that are open, by name: their ends say nothing of it. */
  readonly openOwn: Map<string, (OwnElement | undefined)[]>
  /** Whether elements were made that only the allow-list may let through. */
  hasElements: boolean
  /** How many things are open in which `{{ }}` are words. */
  verbatim: number
}
