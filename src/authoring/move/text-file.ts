import { isUtf8 } from 'node:buffer'
import { splitFrontmatter } from '../../content/split-frontmatter.ts'
import type { PositionedYaml } from '../../content/yaml-positions.ts'

/** The text of a file, and where in it the Markdown begins. */
export interface TextFile {
  /** With byte order mark, if it has one. */
  readonly text: string
  /** Undefined where it cannot be said what is frontmatter and what is not. */
  readonly bodyStart: number | undefined
  /** Undefined where there is none that can be read. */
  readonly yaml: PositionedYaml | undefined
}

/** @returns undefined where the bytes are no text */
export function readTextFile(bytes: Buffer): TextFile | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const split = splitFrontmatter(text.slice(mark))
  if (split.kind === 'split') {
    const yaml = split.yaml.errors.length > 0 ? undefined : split.yaml
    return { text, bodyStart: text.length - split.body.length, yaml }
  }
  return { text, bodyStart: bodyOfBroken(text, mark), yaml: undefined }
}

/** Snippets have no frontmatter; in another language than YAML it ends all the same. */
function bodyOfBroken(text: string, mark: number): number | undefined {
  if (!/^---(?!-)/.test(text.slice(mark))) return mark
  const closing = /\n---[ \t]*(?:\r?\n|$)/.exec(text)
  return closing === null ? undefined : closing.index + closing[0].length
}
