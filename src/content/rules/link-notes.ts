import type { LinkedSlot } from '../links/link-documents.ts'
import { joinSource, namesMarkdown, splitAddress } from '../source/link-address.ts'
import type { Slot } from '../markdown/rendered-body.ts'
import type { ResolvedLink } from '../links/resolved-link.ts'

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
  { source, status }: { readonly source: string; readonly status: 'draft' | 'published' },
): void {
  for (const { slot, link } of resolved) {
    notes.noteFile(slot, link, source)
    if (status === 'published') notes.noteArticle(link, source)
  }
}
