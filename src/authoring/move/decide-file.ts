import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isBannerPath } from '../../content/frontmatter/frontmatter-schema.ts'
import type { LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import { listLinkOccurrences } from '../../content/link-occurrences/list-link-occurrences.ts'
import { joinSource } from '../../content/source/link-address.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { editFrontmatter, type FrontmatterChanges } from '../../content/write-back/edit-frontmatter.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { digest } from '../../core/digest.ts'
import type { FileTree } from './file-tree.ts'
import type { InterruptedMove } from './interrupted-move.ts'
import { type FreedSlug, type RenamedSlugs, slugChangeOf, writtenField } from './new-slugs.ts'
import { type PathMove, pathAfter } from './path-move.ts'
import type { ContentFile } from './read-contents.ts'
import { isSame } from './respell-address.ts'
import {
  type FrontmatterWriter,
  rewriteAll,
  type RewrittenFile,
  type RewriteOccurrences,
  rewriteMarkdownFile,
  type LinkChange,
  positionAt,
  rewriteText,
  type RewrittenText,
} from './rewrite-file.ts'
import { type Relocation, rewriteLinks, targetAfter } from './rewrite-links.ts'
import { readTextFile, type TextFile } from './text-file.ts'
import { resolveOccurrence } from './resolve-occurrence.ts'
import { isScalar, type Node, type Pair, parseDocument, type Scalar, visit } from 'yaml'
import { applyTextEdits, type TextEdit } from '../../core/text-edits.ts'

/** A file with its new text. */
export interface DecidedFile extends RewrittenFile {
  /** Source after the move. */
  readonly source: string
  /** As read. */
  readonly bytes: Buffer
  readonly isMoved: boolean
  readonly frontmatter: FrontmatterChanges
}

interface FileTask {
  readonly content: ContentFile
  /** Source before the move. */
  readonly from: string
  readonly isMoved: boolean
  readonly renamed: RenamedSlugs | undefined
  /** Reads and writes frontmatter in a format other than our own. */
  readonly files: FrontmatterFiles | undefined
}

/** Decides how a file changes; undefined if it does not. Pure. */
export function decideFile(
  task: FileTask,
  relocation: Relocation,
  interrupted: InterruptedMove | undefined,
): DecidedFile[] {
  const { content, from, isMoved } = task
  const { bytes } = content
  const common = { source: pathAfter(relocation.move, from), bytes, isMoved }
  const file = readTextFile(bytes, task.files)
  if (file === undefined) {
    const left = ['it is not UTF-8 text, so its links could not be read']
    return [{ ...common, text: '', links: [], left, frontmatter: {} }]
  }
  const doubts: string[] = []
  const rewrite =
    isMoved && content.kind === 'markdown'
      ? rewriteOfMoved(from, bytes, relocation, interrupted, doubts)
      : rewriteAll(from, relocation)
  const { frontmatter, left } = frontmatterOf(file, task, relocation)
  const rewritten =
    content.kind === 'taxonomy'
      ? rewriteTaxonomyFile(file.text, rewrite)
      : rewriteMarkdownFile(
          file,
          rewrite,
          writerOf(frontmatter, { from, to: common.source }, task.files),
          dialectOf(relocation.before),
        )
  const all = [...rewritten.left, ...doubts, ...left]
  const isChanged = rewritten.text !== file.text || all.length > 0
  return isChanged ? [{ ...common, ...rewritten, left: all, frontmatter }] : []
}

/** Returns the dialect, without its own link syntax if that is text in these files. */
function dialectOf({ site, sources }: FileTree): Dialect | undefined {
  const { text } = site?.dialect ?? {}
  const sign = text?.linkPathFile
  if (site === undefined || text === undefined || sign === undefined) return site?.dialect
  if (sources.some((source) => sign.test(source))) return site.dialect
  const { linkPath: _, ...others } = text
  return { ...site.dialect, text: others }
}

/** Rewrites the links of a moved file, which an earlier run or the user may already have updated. */
function rewriteOfMoved(
  from: string,
  bytes: Buffer,
  relocation: Relocation & { readonly move: { readonly isMoved?: boolean } },
  interrupted: InterruptedMove | undefined,
  doubts: string[],
): RewriteOccurrences {
  if (relocation.move.isMoved !== true) return rewriteAll(from, relocation)
  if (interrupted !== undefined) {
    const known = interrupted.files[pathAfter(relocation.move, from)]
    const hash = digest(bytes)
    if (known?.before === hash) return rewriteAll(from, relocation)
    if (known === undefined || known.after === hash) return () => ({ changes: [], lost: [] })
  }
  return (occurrences) => {
    const { doubtful, ...rewritten } = rewriteByHand(occurrences, from, relocation)
    doubts.push(
      ...doubtful.map(
        ({ written }) =>
          `"${written}" points to one file from the old location and to another from the new one`,
      ),
    )
    return rewritten
  }
}

/** In frontmatter of another format, a field that cannot be written is left to the user. */
function writerOf(
  changes: FrontmatterChanges,
  { from, to }: { readonly from: string; readonly to: string },
  files: FrontmatterFiles | undefined,
): FrontmatterWriter | undefined {
  if (Object.keys(changes).length === 0) return undefined
  if (files === undefined) return (text) => ({ text: editFrontmatter(text, changes), left: [] })
  return (text) => {
    const written = files.edit(text, changes, to, from)
    const left = written.unwritten.map(
      (field) => `its ${field} ${String(changes[field])} could not be added to its frontmatter`,
    )
    if (typeof changes.slug !== 'string') return { text: written.text, left }
    const ofSlug = files.edit(text, { slug: changes.slug }, to, from).text
    return { text: written.text, left, slugKeys: writtenKeys(text, ofSlug, files) }
  }
}

function frontmatterOf(
  file: TextFile,
  { from, isMoved, renamed, files }: FileTask,
  { move, before }: Relocation,
): { readonly frontmatter: FrontmatterChanges; readonly left: readonly string[] } {
  if (!before.isArticle(from)) return { frontmatter: {}, left: [] }
  const change = isMoved ? slugChangeOf(file, from, move) : undefined
  const keeps = change?.kind === 'other' && renamed === undefined ? change.before : undefined
  const gets = change?.kind === 'written' && renamed !== undefined ? change.after : undefined
  const slug = keeps ?? gets
  if (file.yaml === undefined) {
    const left =
      keeps === undefined
        ? []
        : [`its frontmatter could not be read, so its slug ${keeps} was not added to it`]
    return { frontmatter: {}, left }
  }
  const original = originalAfter(writtenField(file, 'translationOf'), { move, before }, renamed?.originals)
  const banner = bannerAfter(writtenField(file, 'seoBannerUrl'), from, move)
  // With a preset, aliases may be paths.
  const freed = files === undefined ? renamed?.freed.get(pathAfter(move, from)) : undefined
  const aliases = freed && aliasesAfter(file.yaml.value, freed)
  return {
    frontmatter: {
      ...(slug !== undefined && { slug }),
      ...(aliases !== undefined && { aliases }),
      ...(original !== undefined && { translationOf: original }),
      ...(banner !== undefined && { seoBannerUrl: banner }),
    },
    left: [],
  }
}

/** Returns the aliases with the old slug and without the new one, or undefined if they are invalid. */
function aliasesAfter(frontmatter: unknown, { before, after }: FreedSlug): readonly string[] | undefined {
  if (typeof frontmatter !== 'object' || frontmatter === null) return undefined
  const { aliases: written = [] } = frontmatter as { readonly aliases?: unknown }
  const list: readonly unknown[] = Array.isArray(written) ? written : [written]
  const texts = list.filter((item) => typeof item === 'string')
  if (texts.length < list.length) return undefined
  return [...new Set([...texts.filter((alias) => alias !== after), before])]
}

function originalAfter(
  written: string | undefined,
  { move, before }: Pick<Relocation, 'move'> & { readonly before: FileTree },
  renamed: RenamedSlugs['originals'] | undefined,
): string | undefined {
  if (written === undefined) return undefined
  const source = before.find(written)
  const after = source === undefined ? renamed?.get(written) : pathAfter(move, source)
  return after === source || after === written ? undefined : after
}

/** Returns the banner's path from the new location; undefined if the written path is valid there or is a URL. */
function bannerAfter(written: string | undefined, from: string, move: PathMove): string | undefined {
  const source = written !== undefined && isBannerPath(written) ? joinSource(from, written) : undefined
  if (source === undefined) return undefined
  const to = pathAfter(move, from)
  const after = pathAfter(move, source)
  return joinSource(to, written as string) === after ? undefined : posix.relative(posix.dirname(to), after)
}

/** Returns the frontmatter keys that differ between `before` and `after`, with their new values. */
function writtenKeys(before: string, after: string, files: FrontmatterFiles) {
  const former = valuesOf(before, files)
  return Object.fromEntries(
    Object.entries(valuesOf(after, files)).filter(
      ([key, value]) => !(Object.hasOwn(former, key) && isDeepStrictEqual(former[key], value)),
    ),
  )
}

function valuesOf(text: string, files: FrontmatterFiles): Readonly<Record<string, unknown>> {
  const split = files.split(text.replace(/^\uFEFF/, ''))
  const value = split.kind === 'split' ? split.yaml.value : undefined
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

interface Readings {
  /** Links that are valid only from the old path. */
  readonly old: LinkOccurrence[]
  /** Links that are valid only from the new path. */
  readonly now: LinkOccurrence[]
  /** Links to different files or folders from the two paths. */
  readonly doubtful: LinkOccurrence[]
}

/**
 * Rewrites the links of a file that the user moved and may have updated, completely or in part. A link that is valid
 * only from the old path is rewritten. One that is valid from both is rewritten if the rest of the file is unchanged,
 * and reported if that is unclear.
 */
function rewriteByHand(occurrences: readonly LinkOccurrence[], from: string, relocation: Relocation) {
  const { old, now, doubtful } = readBoth(occurrences, from, relocation)
  const isUntouched = old.length > 0 && now.length === 0
  const { changes, lost } = rewriteLinks(isUntouched ? [...old, ...doubtful] : old, from, relocation)
  const isUnclear = !isUntouched && (old.length > 0 || now.length === 0)
  return { changes, lost, doubtful: isUnclear ? doubtful : [] }
}

function readBoth(occurrences: readonly LinkOccurrence[], from: string, relocation: Relocation): Readings {
  const { move, before, after } = relocation
  const found: Readings = { old: [], now: [], doubtful: [] }
  for (const occurrence of occurrences) {
    const was = resolveOccurrence(occurrence, from, before)
    const is = resolveOccurrence(occurrence, pathAfter(move, from), after)
    if (was === undefined || is === undefined || isSame(is, targetAfter(was, move))) continue
    if (was.kind !== 'nothing' && is.kind === 'nothing') found.old.push(occurrence)
    else if (was.kind === 'nothing' && is.kind !== 'nothing') found.now.push(occurrence)
    else if (was.kind !== 'nothing') found.doubtful.push(occurrence)
  }
  return found
}

/** Rewrites the links in the long descriptions of a taxonomy file, which are Markdown, and the paths of images. Pure. */
function rewriteTaxonomyFile(text: string, rewrite: RewriteOccurrences): RewrittenFile {
  const edits: TextEdit[] = []
  const links: LinkChange[] = []
  const left: string[] = []
  for (const { value, list, from, to } of textsWithLinks(text)) {
    const rewritten = rewriteText(value, rewrite, list)
    left.push(...rewritten.left)
    if (rewritten.links.length === 0) continue
    const written = text.slice(from, to)
    const inScalar = editsOfScalar(written, value, rewritten.changes)
    const edited = applyTextEdits(written, inScalar)
    if (
      inScalar.length < rewritten.changes.length ||
      !readsAs(text, { from, to, text: edited }, rewritten.text)
    ) {
      left.push(
        ...rewritten.links.map(({ before }) => `"${before}" is in a position where it cannot be changed`),
      )
    } else {
      edits.push({ from, to, text: edited })
      links.push(
        ...rewritten.links.map(({ before, after }, index) => ({
          ...positionAt(text, from + (inScalar[index]?.from ?? 0)),
          before,
          after,
        })),
      )
    }
  }
  return { text: applyTextEdits(text, edits), links, left }
}

interface TextWithLinks {
  readonly value: string
  readonly list: (text: string) => readonly LinkOccurrence[]
  readonly from: number
  readonly to: number
}

/** By the key of a taxonomy entry: the links in its value. */
const LINKS_OF: ReadonlyMap<unknown, TextWithLinks['list']> = new Map([
  ['longDescription', (text: string) => listLinkOccurrences(text)],
  ['iconUrl', (path: string) => [imageOccurrence(path)]],
  ['thumbnailUrl', (path: string) => [imageOccurrence(path)]],
])

function imageOccurrence(path: string): LinkOccurrence {
  const range = { start: 0, end: path.length }
  return { kind: 'image', form: 'comment', isListed: false, ...range, written: path, url: path }
}

function textsWithLinks(text: string): TextWithLinks[] {
  const found: TextWithLinks[] = []
  visit(parseDocument(text, { logLevel: 'silent', uniqueKeys: false }), {
    Pair(_key, pair) {
      const { key, value } = pair as Pair<unknown, Node | null>
      const list = LINKS_OF.get(isScalar(key) ? key.value : undefined)
      if (list !== undefined && isScalar(value)) found.push(...textOf(value, list))
    },
  })
  return found
}

function textOf({ value, range }: Scalar, list: TextWithLinks['list']): TextWithLinks[] {
  return typeof value === 'string' && range ? [{ value, list, from: range[0], to: range[1] }] : []
}

/** URLs contain no line breaks, so each occurs as often in the written scalar as in the value. */
function editsOfScalar(written: string, value: string, changes: RewrittenText['changes']): TextEdit[] {
  return changes.flatMap(({ occurrence, written: text }) => {
    const count = value.slice(0, occurrence.start).split(occurrence.written).length
    const at = written.split(occurrence.written).slice(0, count).join(occurrence.written).length
    return at < written.length ? [{ from: at, to: at + occurrence.written.length, text }] : []
  })
}

function readsAs(text: string, edit: TextEdit, expected: string): boolean {
  const edited = applyTextEdits(text, [edit])
  return textsWithLinks(edited).some(({ from, value }) => from === edit.from && value === expected)
}
