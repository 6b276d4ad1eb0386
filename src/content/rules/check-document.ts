// Rules on one article that need more than its text: the configured defaults, and the targets of its links.
import type { Document, LocalArticle } from '../../core/model/document.ts'
import type { CompiledMeta } from '../markdown/rendered-body.ts'
import type { LinkedSlot, Linker } from '../links/link-documents.ts'
import { type SourceProblem, atField, rangeOf } from '../source/source-problem.ts'
import type { SeverityOf } from '../../core/model/create-severity-of.ts'
import { type LinkNotes, noteLinks } from './link-notes.ts'

function checkDocument(
  document: Document,
  meta: CompiledMeta,
  resolved: readonly LinkedSlot[],
): SourceProblem[] {
  return [
    ...excerptProblems(document, meta),
    ...reviewDateMissing(document),
    ...linksToDrafts(document, resolved),
  ]
}

/** Reports an article without a review date, which is due some days after it is sent. */
function reviewDateMissing(document: Document): SourceProblem[] {
  if (document.review.kind !== 'default') return []
  const message = 'The article has no review date.'
  const hint = `Add a line such as \`reviewDate: 2027-01-31\`, or \`reviewDate: never\`.`
  return [atField(document, 'reviewDate', { code: 'review-date-missing', message, hint })]
}

/** Reports links of a published article to drafts, which its readers cannot see. */
function linksToDrafts(document: Document, resolved: readonly LinkedSlot[]): SourceProblem[] {
  if (document.status === 'draft') return []
  return resolved.flatMap(({ slot, link }) => {
    if (link.kind !== 'url' || link.to?.kind !== 'article' || link.to.document.status === 'published')
      return []
    const message = `The link leads to "${link.to.document.title}", which is a draft.`
    const hint = `Publish ${link.to.document.source} first, or remove the link until then.`
    return [{ source: document.source, problem: { code: 'link-to-draft', ...rangeOf(slot), message, hint } }]
  })
}

/** Reports an article without an excerpt, for which the first paragraph or the title is used. */
function excerptProblems(document: Document, { frontmatter, firstParagraph }: CompiledMeta): SourceProblem[] {
  if (frontmatter?.excerpt !== undefined) return []
  const missing = atField(document, 'excerpt', {
    code: 'excerpt-missing',
    message: 'The article has no excerpt.',
    hint: 'Add a line `excerpt: …` that summarises the article in at most 160 characters.',
  })
  if (firstParagraph !== '' || document.status === 'draft') return [missing]
  const fromTitle = atField(document, 'excerpt', {
    code: 'excerpt-from-title',
    message: 'The article has no paragraph to derive the excerpt from, so its title is sent as the excerpt.',
    hint: 'Add a line `excerpt: …`, or start the text with a sentence.',
  })
  return [missing, fromTitle]
}

/** A document after its links were resolved. */
export interface CheckedDocument {
  readonly article: LocalArticle
  /** Problems of its links, and of rules that need its links. */
  readonly problems: readonly SourceProblem[]
  /** Faulty articles that it links to or translates (as written in `translationOf`) and whose URL or id is unknown. */
  readonly waitsFor: readonly string[]
  /** Sources of the articles that it links to. */
  readonly linksTo: readonly string[]
  /** Ids that links to it can use. */
  readonly anchors: readonly string[]
}

export type LinkAndCheck = (document: Document, meta: CompiledMeta, notes: LinkNotes) => CheckedDocument

/** Returns a function that links a document and checks it with the active rules. `notes` collect its links. */
export function createLinkAndCheck(linker: Linker, severityOf: SeverityOf): LinkAndCheck {
  return (document, meta, notes) => {
    const { article, problems, resolved, anchors } = linker.link(document, meta)
    noteLinks(notes, resolved, document)
    const found = [...problems, ...checkDocument(document, meta, resolved)]
    const reported = found.filter(
      ({ source, problem }) => severityOf(problem.code, problem.source ?? source) !== 'off',
    )
    const waitsFor = listAwaited(article, resolved)
    return { article, problems: reported, waitsFor, linksTo: listLinked(resolved), anchors }
  }
}

function listAwaited({ translationOf, original }: LocalArticle, resolved: readonly LinkedSlot[]): string[] {
  const linked = resolved.flatMap(({ link }) =>
    link.kind === 'url' && link.to?.kind === 'rejected' ? [link.to.source] : [],
  )
  return translationOf === undefined || original !== undefined ? linked : [...linked, translationOf]
}

function listLinked(resolved: readonly LinkedSlot[]): string[] {
  const linked = resolved.flatMap(({ link: { to } }) => (to?.kind === 'article' ? to.document.source : []))
  return [...new Set(linked)]
}
