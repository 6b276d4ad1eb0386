import type { DesiredArticle, Document } from '../model/document.ts'
import { hashProjection } from '../model/projection.ts'
import { digestParts } from '../util/digest.ts'
import type { CompiledMeta } from './compiled-source.ts'
import type { FindOriginal } from './find-original.ts'
import { findFile } from './find-sources.ts'
import { createAnchorIndex } from './markdown/anchors.ts'
import type { PlacedProblem } from './placed-problem.ts'
import type { RenderCache } from './render-cache.ts'
import { joinTemplate } from './markdown/slot-template.ts'
import { type LinkContext, resolveLink } from './resolve-link.ts'

export interface LinkerOptions {
  readonly contentRoot: string
  /** Sources of articles with errors of their own. */
  readonly rejected: readonly string[]
  readonly inlineUnderBytes: number
  readonly urlOf: (document: Document) => string
  readonly findOriginal: FindOriginal
  readonly cache: RenderCache
}

export interface Linker {
  /** Resolves every link of one document. Its HTML is not read: hashes of the parts decide whether it changed. */
  readonly link: (
    document: Document,
    meta: CompiledMeta,
  ) => { article: DesiredArticle; problems: PlacedProblem[] }
  /** The article's HTML with its links resolved, without marker. */
  readonly readHtml: (document: Document) => string
  /** Digests of all images read so far, by source. */
  readonly assets: () => ReadonlyMap<string, string>
}

/** Links documents to each other; all of them must be known before. */
export function createLinker(documents: readonly Document[], options: LinkerOptions): Linker {
  const assets = new Map<string, string>()
  const context = linkContext(documents, options, (source, hash) => assets.set(source, hash))
  return {
    link: (document, meta) => linkDocument(document, meta, options, context),
    readHtml: (document) => {
      const { slots } = options.cache.readLinks(document.inputKey)
      const urls = slots.map((slot) => {
        const resolved = resolveLink(slot, document.source, context)
        return resolved.kind === 'url' ? resolved.url : slot.url
      })
      return joinTemplate(options.cache.readHtml(document.inputKey), urls)
    },
    assets: () => new Map([...assets].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function linkContext(
  documents: readonly Document[],
  { contentRoot, rejected, inlineUnderBytes, urlOf, cache }: LinkerOptions,
  onAsset: LinkContext['onAsset'],
): LinkContext {
  const anchors = new Map<string, ReturnType<LinkContext['anchorsOf']>>()
  return {
    contentRoot,
    inlineUnderBytes,
    documents: new Map(documents.map((document) => [document.source.normalize('NFC'), document])),
    rejected: new Set(rejected.map((source) => source.normalize('NFC'))),
    urlOf,
    anchorsOf: ({ inputKey }) => {
      const known = anchors.get(inputKey)
      if (known !== undefined) return known
      const list = cache.readLinks(inputKey).anchors
      const entry = { anchors: list, index: createAnchorIndex(list) }
      anchors.set(inputKey, entry)
      return entry
    },
    isOtherFile: (source) => findFile(contentRoot, source) !== undefined,
    onAsset,
  }
}

function linkDocument(
  document: Document,
  meta: CompiledMeta,
  { cache, findOriginal }: Pick<LinkerOptions, 'cache' | 'findOriginal'>,
  context: LinkContext,
) {
  const { slots, targets } = cache.readLinks(document.inputKey)
  const resolved = slots.map((slot) => resolveLink(slot, document.source, context))
  const urls = resolved.map((link) => (link.kind === 'url' ? link.url : ''))
  const article: DesiredArticle = {
    ...document,
    original: findOriginal(document)?.source,
    contentHash: digestParts([meta.templateHash, ...urls]),
    projectionHash: hashProjection(
      meta.textHash,
      targets.map((target) => (typeof target === 'number' ? (urls[target] ?? '') : target)),
    ),
  }
  const problems = resolved.flatMap((link) =>
    link.kind === 'problem' ? [{ source: document.source, problem: link.problem }] : [],
  )
  return { article, problems }
}
