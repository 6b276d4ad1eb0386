import type { Problem } from '../../core/model/diagnostic.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import type { FindOwnElement, OwnElement } from './own-elements.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import type { PageValues } from './page-values.ts'
import type { CodeDepth } from './unresolved.ts'

/** What is known while the tree of one text is made plain. */
export interface Conversion extends CodeDepth {
  readonly dialect: Dialect
  readonly ranges: SourceRanges
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

/** An address without what tells the tool that it leads to a file of the site and to no page. */
export function withoutFilePrefix(url: string, { links: { filePrefix } }: Dialect): string {
  return filePrefix !== undefined && url.startsWith(`${filePrefix}/`) ? url.slice(filePrefix.length) : url
}
