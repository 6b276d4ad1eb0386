import type { Root } from 'mdast'
import type { MarkdownStyle } from './markdown-style.ts'
import { createMarkdownWriter } from './stringify-markdown.ts'

/** Makes a writer for each style of which `usual` is the base, and each only once. */
export function createMarkdownWriters(
  usual: MarkdownStyle,
): (style?: MarkdownStyle) => (tree: Root) => string {
  const writers = new Map<string, (tree: Root) => string>()
  return (style) => {
    const key = JSON.stringify(style ?? {})
    const writer = writers.get(key) ?? createMarkdownWriter({ ...usual, ...style })
    writers.set(key, writer)
    return writer
  }
}
