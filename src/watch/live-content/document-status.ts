import type { Document } from '../../core/model/document.ts'
import { digestParts } from '../../core/digest.ts'
import type { LinkContext } from '../../content/links/resolve-link.ts'
import type { LinkRecord } from './link-record.ts'

/** What stands at a place where links may lead: `kept` is the last good version of a faulty article. */
export type DocumentStatus =
  | { readonly kind: 'accepted' | 'kept'; readonly document: Document }
  | { readonly kind: 'faulty' }

/** By source in Unicode NFC. */
export type DocumentStatuses = ReadonlyMap<string, DocumentStatus>

/** Tells what others may show of a document, as text: equal facts, equal links. */
export type FactsOf = (document: Document) => string

export function documentStatuses(
  documents: readonly Document[],
  rejected: readonly string[],
  lastGood: Iterable<Document>,
): Map<string, DocumentStatus> {
  const standings = new Map<string, DocumentStatus>()
  const set = (source: string, standing: DocumentStatus) => standings.set(source.normalize('NFC'), standing)
  for (const document of documents) set(document.source, { kind: 'accepted', document })
  for (const source of rejected) set(source, { kind: 'faulty' })
  for (const document of lastGood) set(document.source, { kind: 'kept', document })
  return standings
}

/** Places at which a link may lead elsewhere than before. */
export function changedSources(
  before: DocumentStatuses,
  now: DocumentStatuses,
  factsOf: FactsOf,
): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const [place, standing] of now) if (!isSame(before.get(place), standing, factsOf)) changed.add(place)
  for (const place of before.keys()) if (!now.has(place)) changed.add(place)
  return changed
}

function isSame(before: DocumentStatus | undefined, now: DocumentStatus, factsOf: FactsOf): boolean {
  if (before === undefined || before.kind !== now.kind) return false
  if (before.kind === 'faulty' || now.kind === 'faulty') return true
  return before.document === now.document || factsOf(before.document) === factsOf(now.document)
}

/** `records`: what is known of documents already. */
export function createFactsOf(
  { urlOf, anchorsOf }: Pick<LinkContext, 'urlOf' | 'anchorsOf'>,
  records: ReadonlyMap<string, Pick<LinkRecord, 'document' | 'anchorsDigest'>>,
): FactsOf {
  return (document) => {
    const record = records.get(document.source)
    const anchors =
      record?.document === document ? record.anchorsDigest : digestParts(anchorsOf(document).anchors)
    const { status, title } = document
    // A published article that links to a draft is told the draft's title.
    return JSON.stringify([urlOf(document), status, status === 'draft' ? title : '', anchors])
  }
}
