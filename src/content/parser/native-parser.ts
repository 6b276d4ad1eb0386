import { markdownToMdast, type Features } from 'satteri'

// Exactly the syntax of remark-parse with remark-gfm, so that both return the same tree.
export const FEATURES: Features = {
  gfm: true,
  frontmatter: false,
  math: false,
  headingAttributes: false,
  directive: false,
  superscript: false,
  subscript: false,
  wikilinks: false,
  definitionList: false,
  smartPunctuation: false,
  rawHtml: false,
}

/**
 * Returns the Markdown tree of `text`. satteri frees its buffers only when the event loop turns, so callers that render
 * many documents must let it turn (`setImmediate` every 16 documents).
 */
export function parseNatively(text: string): ReturnType<typeof markdownToMdast> {
  return markdownToMdast(text, { features: FEATURES })
}
