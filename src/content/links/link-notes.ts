// What is known of the links of a document: which files and articles they name, and which of them others wait for.
import type { Document, LocalArticle } from '../../core/model/document.ts'
import { joinSource, namesMarkdown, splitAddress } from '../source/link-address.ts'
import { rangeOf, type SourceProblem } from '../source/source-problem.ts'
import type { Slot } from '../markdown/rendered-body.ts'
import type { LinkedSlot, ResolvedLink } from './resolved-link.ts'

/** The links that rules over all documents need. */
export type LinkNotes = ReturnType<typeof createLinkNotes>

interface NotedLinks {
  readonly named: readonly string[]
  readonly linked: readonly string[]
}

export function createLinkNotes() {
  const named = new Set<string>()
  const linked = new Set<string>()
  const others: NotedLinks[] = []
  return {
    // Most projects need neither, so the recorded links are combined on demand.
    /** Sources in the content folder that are referred to, except Markdown files, in Unicode NFC. */
    get named() {
      return joined(named, others, (notes) => notes.named)
    },
    /** Sources of the articles that another file links to. */
    get linked() {
      return joined(linked, others, (notes) => notes.linked)
    },
    /** Records the file that a URL refers to, even if it cannot be used there. `source` contains the URL. */
    noteFile(slot: Slot, { to }: ResolvedLink, source: string) {
      if (to?.kind === 'asset') named.add(to.source.normalize('NFC'))
      // A Markdown file is never an unused file.
      if (namesMarkdown(slot.url)) return
      const file = joinSource(slot.source ?? source, splitAddress(slot.url).path)
      if (file !== undefined) named.add(file.normalize('NFC'))
    },
    /** Records the article that the file `source` links to. */
    noteArticle(link: ResolvedLink, source: string) {
      if (link.kind !== 'url' || link.to?.kind !== 'article') return
      const { document } = link.to
      if (document.source !== source) linked.add(document.source)
    },
    /** Adds the links that another instance has recorded. */
    noteAll(notes: NotedLinks) {
      others.push(notes)
    },
  }
}

function joined(
  own: ReadonlySet<string>,
  others: readonly NotedLinks[],
  of: (notes: NotedLinks) => readonly string[],
): ReadonlySet<string> {
  const all = new Set(own)
  for (const notes of others) for (const each of of(notes)) all.add(each)
  return all
}

/** Records all links of a document. Links of a draft do not count, because readers do not see them. */
export function noteLinks(
  notes: LinkNotes,
  resolved: readonly LinkedSlot[],
  { source, status }: Pick<Document, 'source' | 'status'>,
): void {
  // Without a problem, all links with the same URL are one.
  for (const [link, slot] of new Map(resolved.map((each) => [each.link, each.slot]))) {
    notes.noteFile(slot, link, source)
    if (status === 'published') notes.noteArticle(link, source)
  }
}

/** Reports links of a published article to drafts, which its readers cannot see. */
export function linksToDrafts(
  { source, status }: Pick<Document, 'source' | 'status'>,
  resolved: readonly LinkedSlot[],
): SourceProblem[] {
  if (status === 'draft') return []
  return resolved.flatMap(({ slot, link }) => {
    if (link.kind !== 'url' || link.to?.kind !== 'article' || link.to.document.status === 'published')
      return []
    const message = `The link leads to "${link.to.document.title}", which is a draft.`
    const hint = `Publish ${link.to.document.source} first, or remove the link until then.`
    return [{ source, problem: { code: 'link-to-draft', ...rangeOf(slot), message, hint } }]
  })
}

export function listAwaited(
  { translationOf, original }: Pick<LocalArticle, 'translationOf' | 'original'>,
  resolved: readonly LinkedSlot[],
): string[] {
  const linked = resolved.flatMap(({ link }) =>
    link.kind === 'url' && link.to?.kind === 'rejected' ? [link.to.source] : [],
  )
  return translationOf === undefined || original !== undefined ? linked : [...linked, translationOf]
}

export function listLinkedSources(resolved: readonly LinkedSlot[]): string[] {
  const linked = resolved.flatMap(({ link: { to } }) => (to?.kind === 'article' ? to.document.source : []))
  return [...new Set(linked)]
}
