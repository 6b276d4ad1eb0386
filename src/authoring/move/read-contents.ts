import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { joinSource } from '../../content/source/link-address.ts'
import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { FileTree } from './file-tree.ts'
import { includedPaths } from '../../content/includes/include-comment.ts'

/** A file that may contain links, as on disk. */
export interface ContentFile {
  readonly source: string
  readonly bytes: Buffer
  readonly kind: 'markdown' | 'taxonomy'
}

const MARKDOWN = new Set(['.md', '.mdx', '.markdown', '.mdown', '.mkd'])

/**
 * Reads the files that may contain links: articles, other Markdown files, the taxonomy, and included files.
 *
 * @param links symbolic links, whose targets are read under their own names
 * @param formerly previous path of a file that was already moved, to which its includes may be relative
 * @throws KbError CONTENT_UNREADABLE
 */
export function* readContents(
  contentRoot: string,
  tree: FileTree,
  links: ReadonlySet<string>,
  formerly: (source: string) => string,
): Generator<ContentFile> {
  const known = new Set(
    tree.sources.filter((source) => isMarkdown(source, tree) || TAXONOMY_FILES.includes(source)),
  )
  // The loop includes entries that are added while it runs.
  for (const source of known) {
    if (links.has(source)) continue
    const bytes = read(contentRoot, source)
    const kind = TAXONOMY_FILES.includes(source) ? 'taxonomy' : 'markdown'
    for (const file of includedBy(bytes, [source, formerly(source)], tree)) known.add(file)
    yield { source, bytes, kind }
  }
}

function includedBy(bytes: Buffer, places: readonly string[], tree: FileTree): string[] {
  return includedPaths(bytes.toString('utf8')).flatMap((path) =>
    places.flatMap((from) => {
      const included = joinSource(from, path)
      return included === undefined ? [] : (tree.find(included) ?? [])
    }),
  )
}

function isMarkdown(source: string, tree: FileTree): boolean {
  return tree.isArticle(source) || MARKDOWN.has(extname(source).toLowerCase())
}

function read(contentRoot: string, source: string): Buffer {
  try {
    return readFileSync(join(contentRoot, source))
  } catch (cause) {
    throw new KbError(
      'CONTENT_UNREADABLE',
      `${source} could not be read: ${reasonOf(cause)}. Nothing was moved.`,
      { hint: 'Its links may have to be updated: make it readable, and run the command again.', cause },
    )
  }
}
