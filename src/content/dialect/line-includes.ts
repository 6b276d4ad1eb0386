// Includes that fill a line and can be found without a parser: `--8<-- "file"`, which works everywhere, including in
// code, `![[note]]`, and `{{% include "file" %}}`.
import { existsSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { foldName, relativePath } from '../../core/paths.ts'
import { isBelow } from '../../core/dialects/site-folders.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'
import type { SnippetPart } from '../includes/include-comment.ts'
import { listContentFiles } from '../includes/include-problems.ts'
import { type FindToolIncludes, type FoundInclude, NO_TOOL_INCLUDES } from '../includes/find-includes.ts'

const MARK = /^([ \t]*)-+8<-+(?:[ \t]+(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)'))?[ \t]*$/
const PART = /^(.*?)(?::(\d*)(?::(\d*))?|:([A-Za-z][\w-]*))?$/

/** @param folders base folders of paths, relative to the content folder; '' is the folder of the text */
export function createFindMarkedSnippets(contentRoot: string, folders: readonly string[]): FindToolIncludes {
  const sourceOf = (path: string): string => {
    const sources = folders.map((folder) =>
      folder === '' ? path : `/${relativePath(contentRoot, resolve(contentRoot, folder, path))}`,
    )
    return sources.find((source) => existsSync(join(contentRoot, source))) ?? sources[0] ?? path
  }
  return (text) => {
    if (!text.includes('8<-')) return NO_TOOL_INCLUDES
    const includes: FoundInclude[] = []
    const droppedLines = new Set<number>()
    const lines = splitLines(text)
    const marks = lines.map((line) => (line.text.includes('8<-') ? MARK.exec(line.text) : null))
    const bare = marks.flatMap((mark, index) => (mark !== null && pathIn(mark) === undefined ? [index] : []))
    // A list of files is between two marks.
    const pairs = new Set(bare.slice(0, bare.length - (bare.length % 2)))
    let isList = false
    lines.forEach(({ kind, text: line }, index) => {
      if (pairs.has(index)) {
        isList = !isList
        droppedLines.add(index)
        return
      }
      const mark = marks[index] ?? null
      const written = isList ? line.trim() : mark === null ? undefined : pathIn(mark)
      if ((isList && written === '') || written?.startsWith(';') === true) droppedLines.add(index)
      else if (written !== undefined) {
        const snippet = readPath(written)
        if (snippet === undefined) return
        const space = /^[ \t]*/.exec(line)?.[0] ?? ''
        const form = kind === 'code' ? ({ kind: 'lines' } as const) : ({ kind: 'markdown' } as const)
        includes.push({
          path: sourceOf(snippet.path),
          part: snippet.part,
          ...atLine(line, index, { before: space, indent: space }),
          tool: { form, end: { line: index, at: line.length }, place: 'line' },
        })
      }
    })
    return { includes, droppedLines }
  }
}

function pathIn([, , double, single]: RegExpExecArray): string | undefined {
  return double?.replaceAll('\\"', '"') ?? single?.replaceAll("\\'", "'")
}

/** Returns undefined for a URL, and for several line ranges. */
function readPath(
  written: string,
): { readonly path: string; readonly part: SnippetPart | undefined } | undefined {
  const [, path = '', from, to, name] = PART.exec(written) ?? []
  if (path === '' || /^[a-z]+:\/\//i.test(written) || /:[-\d,:]*$/.test(path)) return undefined
  if (name !== undefined) return { path, part: { kind: 'section', name } }
  if (from === undefined) return { path, part: undefined }
  return { path, part: { kind: 'lines', from: numberIn(from), to: numberIn(to) } }
}

function numberIn(digits = ''): number | undefined {
  return digits === '' ? undefined : Number(digits)
}

function atLine(line: string, index: number, { before, indent }: Pick<FoundInclude, 'before' | 'indent'>) {
  const at = before.length
  return { line: index, at, before, indent, length: line.trimEnd().length - at }
}

const EMBED = /^!\[\[([^[\]|#^\\]+)(?:#([^[\]|\\]*))?(?:\|[^[\]]*)?\]\][ \t]*$/

/** The text before the content of a line: quote markers, list markers, indentation. */
const PREFIX = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*/

/** Finds notes as links do: in the same folder, by their path in the vault, or by its end in the topmost folder. */
export function createFindEmbeds(contentRoot: string): FindToolIncludes {
  let notes: readonly (readonly [key: string, source: string])[] | undefined
  const sourceOf = (name: string, from: string): string | undefined => {
    notes ??= listContentFiles(contentRoot)
      .filter((source) => source.endsWith('.md'))
      .toSorted((a, b) => a.split('/').length - b.split('/').length)
      .map((source) => [keyOf(source), source])
    const key = keyOf(name)
    const beside = keyOf(posix.join(posix.dirname(from), name))
    const found =
      notes.find(([each]) => each === beside) ??
      notes.find(([each]) => each === key) ??
      notes.find(([each]) => each.endsWith(`/${key}`))
    return found?.[1]
  }
  return (text, from) => {
    if (!text.includes('![[')) return NO_TOOL_INCLUDES
    const includes = blocksIn(text, (content) => {
      const [match, name = '', part] = EMBED.exec(content) ?? []
      if (match === undefined) return undefined
      const source = sourceOf(name.trim(), from.source)
      // Other files become links.
      if (source === undefined && /\.\w{1,6}$/.test(name.trim())) return undefined
      return { path: `/${source ?? `${name.trim()}.md`}`, part: partOf(part) }
    })
    return { ...NO_TOOL_INCLUDES, includes }
  }
}

interface BlockInclude extends Pick<FoundInclude, 'path' | 'part'> {
  /** Default: Markdown. */
  readonly form?: NonNullable<FoundInclude['tool']>['form']
}

/** Finds the includes that are blocks, including in lists and quotes. `read` gets a line without its markers. */
function blocksIn(text: string, read: (content: string) => BlockInclude | undefined): FoundInclude[] {
  let hasItem = false
  return splitLines(text).flatMap(({ kind, text: line }, index) => {
    const [before = ''] = PREFIX.exec(line) ?? []
    const isItem = before.trim() !== ''
    if (kind !== 'text') return []
    if (isItem || /^\S/.test(line)) hasItem = isItem
    // A line indented by four is code, except in a list.
    const isCode = !hasItem && /^(?: {4}|\t)/.test(line)
    const found = isCode ? undefined : read(line.slice(before.length))
    if (found === undefined) return []
    const indent = before.replaceAll(/(?:[-+*]|\d{1,9}[.)])(?=[ \t])/g, (marker) => ' '.repeat(marker.length))
    const { form = { kind: 'markdown' }, ...include } = found
    return [
      {
        ...include,
        ...atLine(line, index, { before, indent }),
        tool: { form, end: { line: index, at: line.length }, place: 'block' },
      },
    ]
  })
}

function keyOf(path: string): string {
  return foldName(path).replace(/\.md$/, '').replace(/^\//, '')
}

/** Parses `Heading`, `Heading#Below it` or `^block`. */
function partOf(written = ''): SnippetPart | undefined {
  const name = written.split('#').at(-1)?.trim() ?? ''
  if (name === '') return undefined
  return name.startsWith('^') ? { kind: 'block', name: name.slice(1) } : { kind: 'heading', name }
}

const EMBEDDED =
  /^\[[^[\]]{0,300}\]\([ \t]*([^\s()<>?#]{1,300}\.([a-z\d]{1,9}))[ \t]+(["']):include(?:[ \t]+:type=(code|markdown)(?:[ \t]+([\w-]+))?)?[ \t]*\3\)[ \t]*$/i

/** Reads `[a](file.md ':include')`. A file of another type is code; pages and media are shown by a browser. */
function readEmbedded(content: string): BlockInclude | undefined {
  const [, path = '', ending = '', , written, language = ending] = EMBEDDED.exec(content) ?? []
  const type = written ?? (/^(?:html?|mp[34]|ogg)$/.test(ending) ? undefined : ending)
  if (path === '' || type === undefined || /^[a-z]+:/i.test(path)) return undefined
  const isMarkdown = type === 'md' || type === 'markdown'
  return {
    path,
    part: undefined,
    form: isMarkdown ? { kind: 'markdown' } : { kind: 'code', language, meta: '' },
  }
}

const QUOTED_INCLUDE = /^\{%-?[ \t]*include[ \t]+"([^"]{0,300}\/[^"]{1,300}\.md)"[ \t]*-?%\}[ \t]*$/

/** Finds `{% include "../folder/file.md" %}` and `[a](file.md ':include')`, whose paths are relative to the text. */
export function findQuotedIncludes(text: string): FoundInclude[] {
  return blocksIn(text, (content) => {
    const [, path] = QUOTED_INCLUDE.exec(content) ?? []
    return path === undefined ? readEmbedded(content) : { path, part: undefined }
  })
}

const INCLUDE =
  /^\{\{[<%][ \t]*include[ \t]+(?:file[ \t]*=[ \t]*)?(?:"([^"]+)"|([^\s"=<>%]+))[ \t]*\/?[>%]\}\}[ \t]*$/

/**
 * Finds `{{% include "path" %}}`, which many themes have. The path is relative to the root, to a folder of the page or
 * above it, or to `_includes` there. If there is no such file, the shortcode means something else.
 */
export function createFindShortcodeIncludes(contentRoot: string): FindToolIncludes {
  return (text, { source }) => {
    const absent = new Set<string>()
    const includes = blocksIn(text, (content) => {
      const [, quoted, path = quoted] = INCLUDE.exec(content) ?? []
      if (path === undefined) return undefined
      const places = placesOf(path, source)
      const found = places.find((place) => existsSync(join(contentRoot, place)))
      // The text changes if one of these is created.
      for (const place of places.slice(0, found === undefined ? undefined : places.indexOf(found)))
        absent.add(place)
      return found === undefined ? undefined : { path: `/${found}`, part: undefined }
    })
    return { ...NO_TOOL_INCLUDES, includes, absent: [...absent] }
  }
}

function placesOf(path: string, from: string): string[] {
  const file = path.endsWith('.md') ? path : `${path}.md`
  const parts = from.split('/')
  const folders = parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'))
  // Each language may have its own folder.
  const places = file.startsWith('/')
    ? [file, `${parts[0]}${file}`]
    : folders.flatMap((folder) => [`${folder}/_includes/${file}`, `${folder}/${file}`])
  return places.map((place) => posix.normalize(place).replace(/^\/+/, '')).filter(isBelow)
}
