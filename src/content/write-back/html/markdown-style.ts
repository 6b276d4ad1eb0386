import type { Options } from 'remark-stringify'

/** Ways of writing Markdown that render the same; what is left out is written our way. */
export type MarkdownStyle = Pick<
  Options,
  | 'bullet'
  | 'bulletOrdered'
  | 'closeAtx'
  | 'emphasis'
  | 'fence'
  | 'incrementListMarker'
  | 'listItemIndent'
  | 'rule'
  | 'ruleRepetition'
  | 'ruleSpaces'
  | 'setext'
  | 'strong'
>
