import { fitsUse } from '../../content/assets/asset-types.ts'
import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'
import type { ExamineDocument, ExaminedDocument } from '../../content/rules/check-document.ts'
import { createLinkNotes } from '../../content/rules/link-notes.ts'
import { digestParts } from '../../core/digest.ts'
import type { Document } from '../../core/model/document.ts'
import type { DependencyTracker } from './dependency-tracker.ts'
import type { QueryResults } from './query-results.ts'
import type { CompiledMeta } from '../../content/markdown/rendered-body.ts'

/** The result of examining a document, and everything else that it depends on. */
export interface LinkRecord {
  readonly document: Document
  readonly meta: CompiledMeta
  readonly examined: Omit<ExaminedDocument, 'anchors'>
  /** Digest of the ids that links to it may use. */
  readonly anchorsDigest: string
  readonly places: readonly string[]
  readonly lookups: readonly string[]
  readonly assets: readonly UsedAsset[]
  /** The links that rules over all documents need, see `LinkNotes`. */
  readonly named: readonly string[]
  readonly linked: readonly string[]
}

interface ExamineTools {
  readonly examine: ExamineDocument
  readonly recorder: DependencyTracker
  readonly answers: QueryResults
}

/** Examines a document and records everything that the result depends on. */
export function examineRecorded(
  document: Document,
  meta: CompiledMeta,
  { examine, recorder, answers }: ExamineTools,
): LinkRecord {
  const notes = createLinkNotes()
  const { result, asked } = recorder.record(() => examine(document, meta, notes))
  const { anchors, ...examined } = result
  const isTranslation = document.translationOf !== undefined
  return {
    document,
    meta,
    examined,
    anchorsDigest: digestParts(anchors),
    places: [...asked.places],
    lookups: [...asked.lookups, ...(isTranslation ? [answers.ask({ kind: 'originals' })] : [])],
    assets: asked.assets,
    // An article cannot be an unused file.
    named: [...notes.named].filter((source) => fitsUse(source, 'link')),
    linked: [...notes.linked],
  }
}

/** Each file once, by source. A file that is embedded in some articles and published for others counts as published. */
export function mergeUsed(lists: Iterable<readonly UsedAsset[]>): UsedAsset[] {
  const used = new Map<string, UsedAsset>()
  for (const list of lists)
    for (const asset of list)
      if (asset.published !== undefined || !used.has(asset.source)) used.set(asset.source, asset)
  return [...used.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}
