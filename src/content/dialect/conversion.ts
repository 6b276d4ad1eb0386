import type { Problem } from '../../core/model/diagnostic.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import type { FindOwnElement, OwnElement } from './own-elements.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import type { Holes } from './holes.ts'
import type { PageValues } from './page-values.ts'
import type { CodeDepth } from './unresolved.ts'

/** The state of converting one text. */
export interface Conversion extends CodeDepth {
  readonly dialect: Dialect
  readonly ranges: SourceRanges
  /** The parsed text. */
  readonly text: string
  /** The frontmatter of the page. */
  readonly values: PageValues
  /** Constants that the text exports, by name. */
  readonly constants: Map<string, string>
  readonly problems: Problem[]
  /** Finds the project's own components. */
  readonly findOwn: FindOwnElement
  /** The results of open components, by name, because end tags do not repeat them. */
  readonly openOwn: Map<string, (OwnElement | undefined)[]>
  /** The missing values in URLs. */
  readonly holes: Holes
  /** True if there are elements that the allow-list must check. */
  hasElements: boolean
  /** Number of open constructs in which `{{ }}` is plain text. */
  verbatim: number
}

/** Removes the prefix with which the tool marks URLs of files of the site. */
export function withoutFilePrefix(url: string, { links: { filePrefix } }: Dialect): string {
  return filePrefix !== undefined && url.startsWith(`${filePrefix}/`) ? url.slice(filePrefix.length) : url
}
