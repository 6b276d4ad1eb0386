import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Settings } from '../../core/config/settings.ts'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ChosenMove } from './choose-move.ts'
import { type DecidedFile, decideFile } from './decide-file.ts'
import { createFileTree, listFiles } from './file-tree.ts'
import type { InterruptedMove } from './interrupted-move.ts'
import { type RenamedSlugs, renameSlugs } from './new-slugs.ts'
import { pathAfter, pathBefore, type PathMove } from './path-move.ts'
import { type ContentFile, readContents } from './read-contents.ts'
import type { Relocation } from './rewrite-links.ts'
import { readTextFile } from './text-file.ts'
import { decodeAttribute } from '../../content/link-occurrences/decode-written-url.ts'

/** A complete move, before anything is written. */
export interface DecidedMove {
  readonly move: ChosenMove
  /** Files that change, or that should but cannot. */
  readonly files: readonly DecidedFile[]
  /** Number of files with a new path. */
  readonly moved: number
  /** The files of the content folder. */
  readonly sources: readonly string[]
}

interface DecideOptions {
  readonly settings: Settings
  readonly move: ChosenMove
  readonly newSlug: boolean
  /** Set after an interrupted run of the same move. */
  readonly interrupted: InterruptedMove | undefined
}

/** Reads the content and decides the change of every file. Writes nothing. @throws KbError USAGE, CONTENT_UNREADABLE */
export async function decideMove(options: DecideOptions): Promise<DecidedMove> {
  const { settings, move } = options
  const { contentRoot } = settings
  const isIncluded = await createSourceFilter(settings.include, settings.exclude)
  const { sources, links } = listFiles(contentRoot)
  const treeOptions = {
    isIncluded,
    mapping: settings.render.frontmatter,
    defaultLanguage: settings.defaultLanguage,
  }
  const found = createFileTree(sources, treeOptions)
  const other = createFileTree(
    sources.map((source) => (move.isMoved ? pathBefore(move, source) : pathAfter(move, source))),
    treeOptions,
  )
  const relocation = {
    move,
    ...(move.isMoved ? { before: other, after: found } : { before: found, after: other }),
  }
  const moved = relocation.before.sources.filter((source) => pathAfter(move, source) !== source)
  assertStillArticles(moved, relocation)
  assertNoNewArticles(moved, relocation, contentRoot)
  const formerly = (source: string): string => (move.isMoved ? pathBefore(move, source) : source)
  const contents = () => readContents(contentRoot, found, links, formerly)
  const files = await loadFrontmatterFiles(settings.render.frontmatter)
  const renamed = options.newSlug
    ? renameAll(contents(), formerly, relocation, { ...settings, files })
    : undefined
  const mayName = createMayName(move, found.site !== undefined)
  const decided: DecidedFile[] = []
  for (const content of contents()) {
    const from = formerly(content.source)
    const task = { content, from, isMoved: pathAfter(move, from) !== from, renamed, files }
    if (!task.isMoved && renamed === undefined && !mayName(content.bytes.toString('utf8'), from)) continue
    decided.push(...decideFile(task, relocation, options.interrupted))
  }
  return { move, files: decided, moved: moved.length, sources }
}

function renameAll(
  contents: Iterable<ContentFile>,
  formerly: (source: string) => string,
  { move, before }: Relocation,
  { defaultLanguage, files }: Settings & { readonly files: FrontmatterFiles | undefined },
): RenamedSlugs {
  const articles = [...contents].flatMap(({ source, bytes }) => {
    const from = formerly(source)
    const file = before.isArticle(from) ? readTextFile(bytes, files) : undefined
    return file === undefined ? [] : [{ source: from, file }]
  })
  return renameSlugs(articles, move, defaultLanguage)
}

/** Throws if a file would no longer be an article, because it would be deleted from the knowledge base. */
function assertStillArticles(moved: readonly string[], { move, before, after }: Relocation): void {
  const lost = moved.find((source) => before.isArticle(source) && !after.isArticle(pathAfter(move, source)))
  if (lost === undefined) return
  throw new KbError('USAGE', `${pathAfter(move, lost)} would no longer be an article. Nothing was moved.`, {
    hint: 'Choose another path: files whose names start with _, or that include or exclude leaves out, are not articles.',
  })
}

/** Throws for a snippet that would become an article, which would be invalid without frontmatter. */
function assertNoNewArticles(
  moved: readonly string[],
  { move, before, after }: Relocation & { readonly move: ChosenMove },
  contentRoot: string,
): void {
  const made = moved.find((source) => {
    const now = pathAfter(move, source)
    if (before.isArticle(source) || !after.isArticle(now)) return false
    return readTextFile(readFileSync(join(contentRoot, move.isMoved ? now : source)))?.yaml === undefined
  })
  if (made === undefined) return
  throw new KbError(
    'USAGE',
    `${pathAfter(move, made)} would become an article, but it has no frontmatter. Nothing was moved.`,
    { hint: 'Add frontmatter first, or choose a name that starts with _.' },
  )
}

const FOLDER_PAGE = /^(?:index|readme)\.[^.]+$/i
/** A path that consists only of dots, such as `..` and `./`: a parent folder, or the current one. */
const DOTS = /(?:\]\(|\]:|[="'<,])\s*<?(\.{1,2}(?:\/\.{1,2})*)\/?(?=[\s)>"'?#,]|$)/gm
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi

/**
 * Returns a quick test for texts with links that a move may change, because parsing every file of a large project takes
 * long. It has false positives but no false negatives.
 *
 * @param source the file with the text
 * @param isSite true if links may omit the extension
 */
export function createMayName(move: PathMove, isSite = false): (text: string, source: string) => boolean {
  const { from, to, isFolder } = move
  const isPage = !isFolder && [from, to].some((path) => FOLDER_PAGE.test(posix.basename(path)))
  // If the page of a folder moves, links to the folder may lead to another file.
  const paths = isPage ? [from, posix.dirname(from), posix.dirname(to)] : [from]
  const names = paths
    .map((path) => posix.basename(path).normalize('NFC'))
    .filter((name) => name !== '.' && name !== '')
    .flatMap((name) => (isSite ? spellingsOf(name) : [name]))
    .map((name) => name.toLowerCase())
  const folders = new Set([from, to].map((path) => posix.dirname(path).normalize('NFC')))
  return (text, source) => {
    const plain = readably(text)
    const leadsThere = ([, dots = '']: RegExpExecArray) =>
      folders.has(posix.join(posix.dirname(source), dots).replace(/\/$/, '').normalize('NFC'))
    return (
      names.some((name) => hasSegment(plain.toLowerCase(), name)) ||
      (isPage && [...plain.matchAll(DOTS)].some(leadsThere))
    )
  }
}

function spellingsOf(name: string): string[] {
  const bare = name.replace(/\.mdx?$/, '')
  return bare === name ? [name] : [name, bare, `${bare}.html`]
}

function hasSegment(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const after = text.charAt(at + name.length)
    if (BEFORE.test(text.slice(Math.max(at - 2, 0), at)) && (after === '' || AFTER.test(after))) return true
  }
  return false
}

const BEFORE = /(?:^|[\s/(<"'`=,:]|\[\[)$/
const AFTER = /[\s/)>\]|"'`?#,{}-]/

/** Returns the text with all names decoded. */
function readably(text: string): string {
  return text
    .replaceAll('\\', '')
    .replaceAll(REFERENCE, (reference) => decodeAttribute(reference))
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .normalize('NFC')
}
