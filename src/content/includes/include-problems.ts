import { entriesOf, relativePath } from '../../core/paths.ts'
import { join, posix } from 'node:path'
import type { SourceRange, Problem } from '../../core/model/diagnostic.ts'
import { createSourceIndex } from '../source/source-index.ts'
import { type SnippetPart, spellInclude } from './include-comment.ts'

export type IncludeProblems = ReturnType<typeof createIncludeProblems>

interface WantedInclude {
  /** Path as written. */
  readonly path: string
  readonly wanted: string
  /** The file that contains the include. */
  readonly from: string
}

/** Creates the problems of failed includes. If a file is missing, lists the content folder, at most once. */
export function createIncludeProblems(contentRoot: string) {
  let files: readonly string[] | undefined
  return {
    missing: (include: WantedInclude, range: SourceRange): Problem => {
      files ??= listContentFiles(contentRoot)
      const { path, wanted } = include
      const message = `There is no file "${wanted}" to include.`
      return { code: 'include-missing', ...range, message, hint: hintFor(include, path, files) }
    },
    outside: (path: string, range: SourceRange): Problem => ({
      code: 'include-outside',
      ...range,
      message: `"${path}" points to a file outside the content folder.`,
      hint: 'Copy the file into the content folder.',
    }),
    hidden: (path: string, range: SourceRange): Problem => ({
      code: 'include-outside',
      ...range,
      message: `"${path}" points to a hidden file or folder, which kb-sync never reads.`,
      hint: 'Include a file without a name that starts with a dot in its path.',
    }),
    /** @param way each file includes the next one; the last is the first */
    circular: (way: readonly string[], range: SourceRange): Problem => ({
      code: 'include-circular',
      ...range,
      message: `${way[0] ?? ''} includes itself: ${way.join(' → ')}.`,
      hint: 'Remove one of these comments.',
    }),
    tooLarge: (range: SourceRange): Problem => ({
      code: 'include-too-large',
      ...range,
      message: 'The includes here are nested too deeply or too large for one article.',
      hint: 'An article may have up to 1,000 includes, 20 levels of includes, and 2,000,000 characters in total.',
    }),
    /** @param part undefined: the whole file, which always exists */
    noPart: (part: SnippetPart | undefined, source: string, range: SourceRange): Problem => ({
      code: 'include-missing',
      ...range,
      message: `${source} has no ${nameOf(part)} to include.`,
      hint: 'Correct the name, or include the whole file.',
    }),
    /** An include within a line would insert several lines of text. */
    betweenWords: (path: string, range: SourceRange): Problem => ({
      code: 'include-misplaced',
      ...range,
      message: `The text of ${path} cannot be included within a line, because it has several lines.`,
      hint: 'Put the comment on its own line, with empty lines around it.',
    }),
  }
}

function nameOf(part: SnippetPart | undefined): string {
  return part === undefined || part.kind === 'lines' ? 'such part' : `${part.kind} "${part.name}"`
}

function hintFor({ wanted, from }: WantedInclude, path: string, files: readonly string[]): string {
  const name = posix.basename(wanted)
  const elsewhere = files.filter((file) => posix.basename(file) === name)
  const meant = elsewhere.length === 1 ? elsewhere[0] : createSourceIndex(files).nearest(wanted)
  return meant === undefined
    ? 'The path is relative to the file with the comment, or to the content folder if it starts with /.'
    : `Did you mean ${spellInclude(meant, path, from)}?`
}

/** Returns all files in the content folder except hidden ones, with `/`. */
export function listContentFiles(contentRoot: string): string[] {
  const files: string[] = []
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(join(contentRoot, folder))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const source = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(source)
      // A pipe cannot be included. The target of a link is checked when it is included.
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(source)
    }
  }
  return files.toSorted()
}

/**
 * Returns the file or folder in the content folder that one of these paths with a typo most likely means, or undefined.
 *
 * @param paths relative to `base`, with `/`, as is the result
 */
export function nearestEntry(
  contentRoot: string,
  base: string,
  paths: readonly string[],
): string | undefined {
  const files = listContentFiles(contentRoot).map((file) => relativePath(base, join(contentRoot, file)))
  const foldersOf = (file: string) => Array.from(file.matchAll(/\//g), ({ index }) => file.slice(0, index))
  const index = createSourceIndex(new Set([...files.flatMap(foldersOf), ...files]))
  return paths.map(index.nearest).find((found) => found !== undefined)
}

/** Returns the problem of an include comment that is left after all includes were replaced. */
export function misplacedInclude(range: SourceRange): Problem {
  return {
    code: 'include-misplaced',
    ...range,
    message: 'Nothing is included here, because the comment is not on its own line or is inside other HTML.',
    hint: 'Put it on its own line in an article or snippet, with empty lines around it. To show it as text, write it as `code`.',
  }
}

/** Returns the problem of a comment that looks like an include but is not one. */
export function misspeltInclude(range: SourceRange): Problem {
  return {
    code: 'include-misplaced',
    ...range,
    message: 'Nothing is included here, because the comment is not a valid include.',
    hint: 'Write it as <!-- include: path/of/file.md -->, in lower case, with a colon and a path.',
  }
}
