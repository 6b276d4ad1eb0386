// What a run knows about content and target when both are equal, so that a later one can read only a few edited
// articles. One file: a header, the stamps and digests of all files, and a line for each article.
import { sumOf } from '../../core/group-by.ts'
import { readFileSync } from 'node:fs'
import type { ArticleIndex } from '../../content/pipeline/article-index.ts'
import { ArticleRows, formatRow, type IndexedArticle } from '../../content/pipeline/article-rows.ts'
import { type FileStamp, formatStamp } from '../../content/source/find-sources.ts'
import { isSettled } from '../../content/source/hash-sources.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Orphan } from '../../core/model/plan.ts'
import type { RemoteCategory } from '../../core/model/remote-article.ts'
import { textInPieces, writeFileWhole } from '../../core/write-file-whole.ts'

/** A file with the digest of its bytes. */
export interface IndexedFile extends FileStamp {
  readonly hash: string
}

/** An article that was edited, or whose links or warnings have changed. */
export interface MarkedEdit {
  readonly source: string
  /** Set if its file was edited. */
  readonly file?: IndexedFile | undefined
  readonly linksTo: readonly string[]
  /** Its name in diagnostics. `diagnostics` are those of this article alone. */
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
}

/** Names an index, which may be that of an earlier run, and the articles that have changed since then. */
export interface IndexedRun {
  readonly run: string
  readonly edits: readonly MarkedEdit[]
}

export interface KnownTarget {
  readonly categories: readonly RemoteCategory[]
  readonly languages: readonly string[]
  readonly articleLimit: number | undefined
  /** Ids of the entries that were created from the taxonomy files. */
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly orphans: readonly Orphan[]
}

interface IndexHeader {
  readonly run: string
  readonly content: ArticleIndex
  readonly target: KnownTarget
}

export interface RunIndex extends IndexHeader {
  /** Articles, taxonomy files, images and snippets, as text: a stamp and a digest each. */
  readonly files: string
  readonly rows: ArticleRows
  /** The rest of the file in its stored form. */
  readonly storedRows: Buffer
  readonly edited: ReadonlyMap<string, IndexedFile>
}

/** Writes the index. @throws what the operating system reports */
export function writeRunIndex(
  file: string,
  index: IndexHeader & {
    readonly files: readonly IndexedFile[]
    readonly articles: readonly IndexedArticle[]
  },
): Promise<void> {
  const { files, articles, ...header } = index
  return writeParts(file, header, bytesOf(files, formatFile), bytesOf(articles, formatRow))
}

/** Replaces the stamps of an index. @throws what the operating system reports */
export function renewRunIndex(
  file: string,
  { run, content, target, storedRows }: RunIndex,
  files: readonly IndexedFile[],
): Promise<void> {
  return writeParts(file, { run, content, target }, bytesOf(files, formatFile), [storedRows])
}

function bytesOf<T>(items: readonly T[], toText: (item: T) => string): Buffer[] {
  return Array.from(textInPieces(items, toText), (piece) => Buffer.from(piece))
}

function writeParts(file: string, header: IndexHeader, files: readonly Buffer[], rows: readonly Buffer[]) {
  const lengthOf = (pieces: readonly Buffer[]) => sumOf(pieces, ({ length }) => length)
  const stored: StoredHeader = { ...header, filesBytes: lengthOf(files), rowsBytes: lengthOf(rows) }
  return writeFileWhole(file, [`${JSON.stringify(stored)}\n`, ...files, ...rows])
}

/** Opens the index of a run; undefined if it is missing or belongs to another run. */
export function openRunIndex(file: string, { run, edits }: IndexedRun): RunIndex | undefined {
  try {
    const bytes = readFileSync(file)
    const start = bytes.indexOf('\n') + 1
    const { filesBytes, rowsBytes, ...header } = JSON.parse(bytes.toString('utf8', 0, start)) as StoredHeader
    const middle = start + filesBytes
    if (header.run !== run || bytes.length !== middle + rowsBytes) return undefined
    const storedRows = bytes.subarray(middle)
    const rows = new Map(edits.map(({ source, linksTo, file: at }) => [source, { linksTo, hash: at?.hash }]))
    return {
      ...header,
      files: bytes.toString('utf8', start, middle),
      rows: new ArticleRows(storedRows, rows),
      storedRows,
      edited: new Map(edits.flatMap(({ source, file: at }) => (at === undefined ? [] : [[source, at]]))),
    }
  } catch {
    return undefined
  }
}

/** Adds the lengths of the two parts that follow. */
type StoredHeader = IndexHeader & { readonly filesBytes: number; readonly rowsBytes: number }

function formatFile(file: IndexedFile): string {
  return `${formatStamp(file)}${file.hash}\n`
}

export function compareFiles(
  files: readonly FileStamp[],
  { files: text, edited }: Pick<RunIndex, 'files' | 'edited'>,
) {
  const known: (string | undefined)[] = []
  const touched: { source: string; before: string | undefined }[] = []
  let at = 0
  let others: ReadonlyMap<string, LocalFile> | undefined
  for (const file of files) {
    const { source } = file
    const next = others === undefined ? readStored(text, at) : undefined
    // After the first file that was added or removed, positions no longer match.
    if (next?.source !== source) others ??= readAllStored(text, at)
    const stored = others === undefined ? next : others.get(source)
    at = next?.end ?? at
    const edit = edited.get(source)
    const before = edit?.hash ?? stored?.hash
    known.push(before)
    const stamp = edit === undefined ? stored?.stamp : formatStamp(edit)
    if (stamp !== formatStamp(file)) touched.push({ source, before })
  }
  return {
    /** Digests in the index, in the order of the files; undefined for an unknown file. */
    known,
    /** Files with a new stamp, and their digests in the index. */
    touched,
    /** True if no file was added or removed. */
    areSame: others === undefined && at === text.length,
  }
}

interface LocalFile {
  readonly source: string
  readonly stamp: string
  readonly hash: string
  readonly end: number
}

/** A source may contain a newline, but no U+0000. */
function readStored(text: string, at: number): LocalFile | undefined {
  if (at === text.length) return undefined
  const sourceEnd = text.indexOf('\0', at)
  const stampEnd = text.indexOf('\n', sourceEnd) + 1
  const hashEnd = text.indexOf('\n', stampEnd)
  // A damaged file.
  if (sourceEnd === -1 || stampEnd === 0 || hashEnd === -1) return undefined
  return {
    source: text.slice(at, sourceEnd),
    stamp: text.slice(at, stampEnd),
    hash: text.slice(stampEnd, hashEnd),
    end: hashEnd + 1,
  }
}

function readAllStored(text: string, start: number): Map<string, LocalFile> {
  const all = new Map<string, LocalFile>()
  for (let file = readStored(text, start); file !== undefined; file = readStored(text, file.end))
    all.set(file.source, file)
  return all
}

/** Replaces the size of a file whose stamp was too young to trust. No file has this size. */
const UNTRUSTED_SIZE = -1

/** Marks a young file as untrusted, because it may be written again without a change of its stamp. */
export function trusted(file: IndexedFile, startedMs: number): IndexedFile {
  return isSettled({ newestMs: Math.max(file.mtimeMs, file.ctimeMs) }, startedMs)
    ? file
    : { ...file, size: UNTRUSTED_SIZE }
}
