import { isUtf8 } from 'node:buffer'
import { slugOfSource } from '../../content/frontmatter/build-document.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { splitFrontmatter } from '../../content/frontmatter/split-frontmatter.ts'
import type { PositionedYaml } from '../../content/frontmatter/yaml-positions.ts'

/** The text of a file, and the start of its Markdown. */
export interface TextFile {
  /** With byte order mark, if it has one. */
  readonly text: string
  /** Undefined if the end of the frontmatter is unknown. */
  readonly bodyStart: number | undefined
  /** Undefined if there is no readable frontmatter. */
  readonly yaml: PositionedYaml | undefined
  /** Returns the slug that it has, or would have at another path. */
  readonly slugAt: (source: string) => string
  /** Returns the slug that it would have there if its frontmatter did not set one. */
  readonly derivedSlugAt: (source: string) => string
}

/**
 * @param files reads frontmatter in a format other than our own
 * @returns undefined if the bytes are not text
 */
export function readTextFile(bytes: Buffer, files?: FrontmatterFiles): TextFile | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const derivedSlugAt = files?.slugOf ?? slugOfSource
  const split = files === undefined ? splitFrontmatter(text.slice(mark)) : files.split(text.slice(mark))
  if (split.kind === 'split') {
    const yaml = split.yaml.errors.length > 0 ? undefined : split.yaml
    return {
      text,
      bodyStart: text.length - split.body.length,
      yaml,
      slugAt: createSlugAt(yaml, derivedSlugAt, files),
      derivedSlugAt,
    }
  }
  return { text, bodyStart: bodyOfBroken(text, mark), yaml: undefined, slugAt: derivedSlugAt, derivedSlugAt }
}

function createSlugAt(
  yaml: PositionedYaml | undefined,
  derivedSlugAt: TextFile['derivedSlugAt'],
  files: FrontmatterFiles | undefined,
) {
  return (source: string): string => {
    const mapped = yaml === undefined ? undefined : files?.map(yaml, source).yaml
    return writtenText(mapped ?? yaml, 'slug') ?? derivedSlugAt(source)
  }
}

/** Returns a text in the frontmatter, or undefined if it is missing or not a text. */
export function writtenText(yaml: PositionedYaml | undefined, field: string): string | undefined {
  const value = yaml?.value
  if (typeof value !== 'object' || value === null || !(field in value)) return undefined
  const text = (value as Record<string, unknown>)[field]
  return typeof text === 'string' ? text : undefined
}

/** Snippets have no frontmatter. In formats other than YAML, it also has an end. */
function bodyOfBroken(text: string, mark: number): number | undefined {
  if (!/^---(?!-)/.test(text.slice(mark))) return mark
  const closing = /\n---[ \t]*(?:\r?\n|$)/.exec(text)
  return closing === null ? undefined : closing.index + closing[0].length
}
