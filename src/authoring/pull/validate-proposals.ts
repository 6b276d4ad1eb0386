import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { type ProposedFile, type Incoming, excerptOf } from './proposed-file.ts'

/** A text that can be written: together with all others, it passes `kb check` without errors. */
export interface SettledDraft {
  readonly incoming: Incoming
  readonly text: string
  readonly article: LocalArticle
  /** Descriptions of the parts on the target that the file cannot contain. */
  readonly lost: readonly string[]
}

export interface RejectedDraft {
  readonly incoming: Incoming
  readonly reason: string
}

export interface SettleInput {
  readonly incoming: readonly Incoming[]
  /** Proposes these files, with links to each other. `excerpts` are by source. */
  readonly draftAll: (
    open: readonly Incoming[],
    excerpts: ReadonlyMap<string, string>,
  ) => ReadonlyMap<string, ProposedFile>
  readonly check: (drafts: ReadonlyMap<string, string>) => Promise<LoadedContent>
  /** Path of the content folder in diagnostics. */
  readonly contentPrefix: string
}

/**
 * Proposes all files and checks them together. Invalid ones are left out and the rest is proposed again, until all are
 * valid and equal to the target.
 */
export async function validateProposals(input: SettleInput) {
  const rejected: RejectedDraft[] = []
  const excerpts = new Map<string, string>()
  let open = input.incoming
  for (;;) {
    const drafts = input.draftAll(open, excerpts)
    const texts = new Map([...drafts].map(([source, { text }]) => [source, text]))
    const content = await input.check(texts)
    const articles = new Map(content.articles.map((article) => [article.source, article]))
    const wrong = await findWrong(open, texts, content, input)
    const missing = wrong.size > 0 ? [] : findMissingExcerpts(open, articles, excerpts)
    const lost = wrong.size > 0 || missing.length > 0 ? wrong : findLosses(open, drafts, articles)
    if (lost.size === 0 && missing.length === 0) return { drafts: toDrafts(open, drafts, articles), rejected }
    for (const [source, excerpt] of missing) excerpts.set(source, excerpt)
    rejected.push(...open.flatMap((incoming) => reject(incoming, lost)))
    open = open.filter(({ source }) => !lost.has(source))
  }
}

/** Reasons for leaving out files, by source. */
type Reasons = ReadonlyMap<string, string>

/** The content was valid before, so every error is caused by a proposed file, even if it is reported in another one. */
async function findWrong(
  open: readonly Incoming[],
  texts: ReadonlyMap<string, string>,
  { diagnostics }: LoadedContent,
  { check, contentPrefix }: SettleInput,
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

function findLosses(
  open: readonly Incoming[],
  drafts: ReadonlyMap<string, ProposedFile>,
  articles: ReadonlyMap<string, LocalArticle>,
): Reasons {
  return new Map(
    open.flatMap((incoming) => {
      const article = articles.get(incoming.source)
      const unwritten = drafts.get(incoming.source)?.unwritten ?? []
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
      return isLost ? [[incoming.source, explainLoss(drafts.get(incoming.source)?.lost ?? [])] as const] : []
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

function reject(incoming: Incoming, reasons: Reasons): RejectedDraft[] {
  const reason = reasons.get(incoming.source)
  return reason === undefined ? [] : [{ incoming, reason }]
}

function toDrafts(
  open: readonly Incoming[],
  drafts: ReadonlyMap<string, ProposedFile>,
  articles: ReadonlyMap<string, LocalArticle>,
): SettledDraft[] {
  return open.flatMap((incoming) => {
    const [draft, article] = [drafts.get(incoming.source), articles.get(incoming.source)]
    if (draft === undefined || article === undefined) return []
    // A change that was applied as far as possible results in the same file again.
    const isChange = incoming.kind === 'new' || draft.text !== incoming.before
    return isChange ? [{ incoming, ...draft, article }] : []
  })
}
