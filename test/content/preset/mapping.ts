// Reads frontmatter with a preset or a function, one text at a time.
import {
  createFrontmatterFiles,
  type FrontmatterFiles,
} from '../../../src/content/preset/frontmatter-files.ts'
import { parseFrontmatter } from '../../../src/content/frontmatter/parse-frontmatter.ts'
import type { FrontmatterMapping } from '../../../src/core/dialects/frontmatter-mapping.ts'

export function mappingOf(changes: Partial<FrontmatterMapping> = {}): FrontmatterMapping {
  return {
    preset: 'docusaurus',
    languages: ['en', 'fr', 'pt-BR'],
    folderName: 'docs',
    read: undefined,
    write: undefined,
    ...changes,
  }
}

export function filesOf(changes: Partial<FrontmatterMapping> = {}): FrontmatterFiles {
  return createFrontmatterFiles(mappingOf(changes))
}

/** Returns the values of a file's frontmatter, or its problems as `line:column code`. */
export function readWith(files: FrontmatterFiles, text: string, source: string): unknown {
  const split = files.split(text)
  if (split.kind === 'problem') return [placed(split.problem)]
  const parsed = parseFrontmatter(files.map(split.yaml, source).yaml)
  const { problems } = parsed
  return parsed.kind === 'valid' && problems.length === 0 ? parsed.frontmatter : problems.map(placed)
}

function placed({
  line,
  column,
  end,
  code,
  message,
}: {
  line: number
  column: number
  end?: { line: number; column: number }
  code: string
  message: string
}) {
  return `${line}:${column}${end === undefined ? '' : `-${end.line === line ? '' : `${end.line}:`}${end.column}`} ${code} ${message}`
}
