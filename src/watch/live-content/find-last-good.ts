import type { Document } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { CompiledMeta } from '../../content/compiled-source.ts'
import type { LinkRecord } from './link-record.ts'

export interface LastGood {
  readonly shown: ReadonlyMap<Document, CompiledMeta>
  /** Another article has their slug by now. */
  readonly hidden: readonly LinkRecord[]
}

/** The last good versions of `rejected` articles among what was known before. */
export function findLastGood(
  documents: readonly Document[],
  rejected: readonly string[],
  before: ReadonlyMap<string, LinkRecord>,
  lost: ReadonlySet<string>,
): LastGood {
  const known = rejected
    .flatMap((source) => before.get(source) ?? [])
    .filter(({ document }) => !lost.has(document.inputKey))
  if (known.length === 0) return { shown: new Map(), hidden: [] }
  const slugs = new Set(documents.map(slugKey))
  const isHidden = ({ document }: LinkRecord) => slugs.has(slugKey(document))
  return {
    shown: new Map(known.filter((record) => !isHidden(record)).map(({ document, meta }) => [document, meta])),
    hidden: known.filter(isHidden),
  }
}
