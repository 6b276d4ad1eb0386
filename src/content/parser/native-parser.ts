import { markdownToMdast, type Features } from 'satteri'

// Exactly what remark-parse with remark-gfm understands, so that both give the same tree.
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
 * The Markdown tree of `text`. satteri frees the buffers of a parse only when the event loop turns: anyone who renders
 * many documents in a row lets it turn now and then (`setImmediate` every 16 documents).
 */
export function parseNatively(text: string): ReturnType<typeof markdownToMdast> {
  return markdownToMdast(text, { features: FEATURES })
}
