import { type LoadedContent, loadContent } from '../../content/pipeline/load-content.ts'
import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { AcceptedFile, Incoming, ProposedFile } from './pulled-files.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import type { FileStamp, FoundSources } from '../../content/source/find-sources.ts'
import type { CompiledMeta, CompiledSource } from '../../content/markdown/rendered-body.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { FileDigests } from '../../content/source/hash-sources.ts'
import { contentOptions } from '../../content/pipeline/content-options.ts'
import { resolveParser } from '../../content/parser/resolve-parser.ts'
import { createCompiler } from '../../content/pipeline/create-compiler.ts'
import { renderKeyOf, inputKeysOf } from '../../content/pipeline/compile-sources.ts'

interface Proposals {
  readonly open: readonly Incoming[]
  /** The proposed file of each, by source. */
  readonly proposals: ReadonlyMap<string, ProposedFile>
  /** Excerpts that are written into them, by source. */
  readonly excerpts: ReadonlyMap<string, string>
  readonly check: (texts: ReadonlyMap<string, string>) => Promise<LoadedContent>
  /** Path of the content folder in diagnostics. */
  readonly contentPrefix: string
}

/** Checks proposed files together: they must be valid, and equal to the target. */
export async function validateProposals(input: Proposals) {
  const { open, proposals, excerpts, check } = input
  const texts = new Map([...proposals].map(([source, { text }]) => [source, text]))
  const content = await check(texts)
  const articles = new Map(content.articles.map((article) => [article.source, article]))
  const wrong = await findWrong(texts, content, input)
  const missing = wrong.size > 0 ? [] : findMissingExcerpts(open, articles, excerpts)
  const leftOut = wrong.size > 0 || missing.length > 0 ? wrong : findLosses(open, proposals, articles)
  return {
    /** Reasons for leaving out files, by source. */
    leftOut,
    /** Excerpts to write, with their sources. */
    missing,
    /** Files that can be accepted if none is left out and nothing is missing. */
    accepted: toAccepted(open, proposals, articles),
  }
}

/** Reasons for leaving out files, by source. */
type Reasons = ReadonlyMap<string, string>

/** The content was valid before, so every error is caused by a proposed file, even if it is reported in another one. */
async function findWrong(
  texts: ReadonlyMap<string, string>,
  { diagnostics }: LoadedContent,
  { open, check, contentPrefix }: Proposals,
): Promise<Reasons> {
  const errors = diagnostics.filter(isError)
  const [first] = errors
  if (first === undefined) return new Map()
  const newcomers = open.filter(({ kind }) => kind === 'new')
  const own = newcomers.flatMap(({ source }) => {
    const error = errors.find(({ file }) => file === `${contentPrefix}${source}`)
    return error === undefined ? [] : [[source, explain(error)] as const]
  })
  if (own.length > 0) return new Map(own)
  // If an edit removes a heading, the error is in the file with the link, so each edit is checked by itself.
  const edits = open.filter(({ kind }) => kind === 'edit')
  const guilty: [string, string][] = []
  for (const { source } of edits) {
    const alone = await check(new Map([[source, texts.get(source) ?? '']]))
    const error = alone.diagnostics.find(isError)
    if (error !== undefined) guilty.push([source, explain(error)])
  }
  return new Map(guilty.length > 0 ? guilty : open.map(({ source }) => [source, explain(first)]))
}

function explain({ file, line, message }: Diagnostic): string {
  return `kb check would reject it: ${file}:${line} ${message.replace(/\.$/, '')}`
}

/** Returns excerpts that differ from those that the files derive from their texts. */
function findMissingExcerpts(
  open: readonly Incoming[],
  articles: ReadonlyMap<string, LocalArticle>,
  written: ReadonlyMap<string, string>,
): [string, string][] {
  return open.flatMap((incoming) => {
    const excerpt = excerptOf(incoming)
    const isWritten = written.has(incoming.source)
    const isThere = isWritten || excerpt === undefined || articles.get(incoming.source)?.excerpt === excerpt
    return isThere ? [] : [[incoming.source, excerpt]]
  })
}

/** Returns the excerpt to write, or undefined if the file determines it. */
function excerptOf(incoming: Incoming): string | undefined {
  const isTaken = incoming.kind === 'new' || incoming.fields.includes('excerpt')
  return isTaken ? incoming.remote.fields.excerpt : undefined
}

function findLosses(
  open: readonly Incoming[],
  proposals: ReadonlyMap<string, ProposedFile>,
  articles: ReadonlyMap<string, LocalArticle>,
): Reasons {
  return new Map(
    open.flatMap((incoming) => {
      const article = articles.get(incoming.source)
      const unwritten = proposals.get(incoming.source)?.unwritten ?? []
      if (unwritten.length > 0) {
        const reason = `frontmatter in kb.config.ts has no write for its ${unwritten.join(', ')}`
        return [[incoming.source, reason] as const]
      }
      if (incoming.kind === 'new' || article === undefined) return []
      const { fields, remote, mayLose } = incoming
      const changed = TEXTS.find((name) => fields.includes(name) && article[name] !== remote.fields[name])
      if (changed !== undefined)
        return [[incoming.source, `its ${changed} on the target ${NO_TEXT}`] as const]
      const isLost = incoming.text && !mayLose && article.projectionHash !== remote.projectionHash
      return isLost
        ? [[incoming.source, explainLoss(proposals.get(incoming.source)?.lost ?? [])] as const]
        : []
    }),
  )
}

/** Fields that a service may fill with what no file can contain, such as half a surrogate pair. */
const TEXTS = ['title', 'slug', 'excerpt'] as const

const NO_TEXT = 'contains characters that a file cannot store'

function explainLoss(lost: readonly string[]): string {
  const parts = lost.length === 0 ? '' : `: ${lost.join(', ')}`
  return `its text on the target has parts that Markdown cannot represent${parts}`
}

function toAccepted(
  open: readonly Incoming[],
  proposals: ReadonlyMap<string, ProposedFile>,
  articles: ReadonlyMap<string, LocalArticle>,
): AcceptedFile[] {
  return open.flatMap((incoming) => {
    const [proposal, article] = [proposals.get(incoming.source), articles.get(incoming.source)]
    if (proposal === undefined || article === undefined) return []
    // A change that was applied as far as possible results in the same file again.
    const isChange = incoming.kind === 'new' || proposal.text !== incoming.before
    return isChange ? [{ incoming, ...proposal, article }] : []
  })
}

/**
 * Runs the pipeline of `kb check` on texts that are not written yet. Writes nothing to disk, not even the cache.
 *
 * @param hashes digests of the existing articles, by source
 */
export async function createProposalChecker(
  settings: Settings,
  found: FoundSources,
  hashes: FileDigests,
  cache: RenderCache,
) {
  const options = contentOptions(settings)
  const parser = await resolveParser(options.markdown)
  const { render, compile, files } = await createCompiler(options.markdown, parser, options.contentRoot)
  const renderKey = renderKeyOf(options, parser.kind)
  const proposed: CompiledProposals = { compiled: new Map(), includes: new Map() }
  const stamps = new Map(found.articles.map((article) => [article.source, article]))
  const compileText = (text: string, source: string): string => {
    const { sourceHash, ...compiled } = compile(Buffer.from(text), source)
    const { includes } = compiled.meta
    const { inputKey, includesKey } = inputKeysOf({ source, sourceHash }, includes, renderKey)
    proposed.compiled.set(inputKey, compiled)
    if (includesKey !== undefined) proposed.includes.set(includesKey, sourcesOf(compiled.meta))
    return sourceHash
  }
  return {
    render,
    /** Reads and writes frontmatter in a format other than our own. */
    files,
    /** Checks the content with these texts (by source) instead of their files, or as new files. */
    check: async (texts: ReadonlyMap<string, string>) => {
      const changed = [...texts].map(([source, text]) => [source, compileText(text, source)] as const)
      const all = new Map([...hashes, ...changed])
      const sources = [...all.keys()].toSorted()
      return loadContent({
        options,
        found: {
          taxonomy: found.taxonomy,
          folders: found.folders,
          unread: found.unread,
          articles: sources.map((source) => stamps.get(source) ?? newFile(source)),
        },
        hashes: new Map(sources.map((source) => [source, all.get(source)])),
        cache: overlay(cache, proposed),
      })
    },
  }
}

interface CompiledProposals {
  readonly compiled: Map<string, CompiledSource>
  readonly includes: Map<string, readonly string[]>
}

function sourcesOf({ includes = [] }: CompiledMeta): string[] {
  return includes.map(([source]) => source)
}

function newFile(source: string): FileStamp {
  return { source, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }
}

function overlay(cache: RenderCache, { compiled, includes }: CompiledProposals): RenderCache {
  return {
    readMeta: (key) => compiled.get(key)?.meta ?? cache.readMeta(key),
    readIncludes: (key) => includes.get(key) ?? cache.readIncludes(key),
    readLinks: (key) => compiled.get(key)?.links ?? cache.readLinks(key),
    readHtml: (key) => compiled.get(key)?.html ?? cache.readHtml(key),
    store: () => undefined,
    prune: () => undefined,
    findLost: () => new Set(),
    close: () => undefined,
  }
}
