import { type SplitFile, splitFrontmatter } from '../frontmatter/split-frontmatter.ts'

/** Splits a file after its frontmatter. Throws if the frontmatter cannot be read. */
export function splitFile(text: string, files?: { readonly split: (text: string) => SplitFile }) {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const split = files === undefined ? splitFrontmatter(text.slice(mark)) : files.split(text.slice(mark))
  if (split.kind === 'problem') throw new Error(`Not an article: ${split.problem.message}`)
  return { head: text.slice(0, text.length - split.body.length), body: split.body }
}

/** Returns the line ending of the first of `texts` with more than one line. */
export function lineEndOf(...texts: readonly string[]): '\r\n' | '\n' {
  const found = texts.flatMap((text) => /\r?\n/.exec(text)?.[0] ?? [])[0]
  return found === '\r\n' ? '\r\n' : '\n'
}
