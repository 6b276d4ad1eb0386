import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import type { SourcePlaces } from './source-places.ts'

/** One article's text in the forms that rules look at. */
export interface BodyView {
  /** As the author wrote it, after the user's plugins. */
  readonly mdast: Mdast
  /** As it is sent: cleaned, and without the title. */
  readonly tree: Root
  /** Whether raw HTML stands in the text; without it, `tree` holds nothing that `mdast` does not say. */
  readonly hasRaw: boolean
  /** Whether the first heading says what the title says, and is not sent. */
  readonly isTitleDropped: boolean
  readonly body: string
  /** Whether `body` was written in another Markdown, so that the ends of its lines are nobody's. */
  readonly isRewritten: boolean
  readonly places: SourcePlaces
}
