import type { ContentOptions } from '../../content/content-options.ts'
import { createFileNamer } from '../../content/diagnostic-maker.ts'
import type { RenderCache } from '../../content/render-cache.ts'
import { applyEdit } from './apply-edit.ts'
import { diagnosticsOf } from './diagnostics-of-file.ts'
import type { StampedHashes } from './create-stamped-hashes.ts'
import type { EditedArticle } from './live-content.ts'
import type { LiveState } from './live-state.ts'
import { OF_ALL_ARTICLES } from './of-all-articles.ts'
import { readEdited, type ReadEditedOptions } from './read-edited.ts'
import { takeEdit } from './take-edit.ts'

export interface EditTools {
  readonly options: ContentOptions
  readonly cache: RenderCache
  readonly hashes: StampedHashes
  readonly editing: Omit<ReadEditedOptions, 'contentRoot'>
}

export interface EditedState {
  readonly state: LiveState
  readonly edited: EditedArticle
}

/** Takes one edited article in; undefined where that may concern others. */
export function editArticle(source: string, state: LiveState, tools: EditTools): EditedState | undefined {
  const { known, faulty, included } = state
  const { options, cache, editing } = tools
  const file = createFileNamer(options)(source)
  const compiledBefore = known.compiled.get(source)?.article
  const recordBefore = known.records.get(source)
  if (compiledBefore === undefined || recordBefore === undefined) return undefined
  const own = diagnosticsOf(known.content.diagnostics, file)
  const isPlain =
    !faulty.has(source) &&
    !included.has(source) &&
    compiledBefore.meta.includes === undefined &&
    own.every(({ severity }) => severity !== 'error')
  if (!isPlain) return undefined
  const read = readEdited(compiledBefore, { ...editing, contentRoot: options.contentRoot })
  if (read === undefined) return undefined
  if (read.kind === 'same') {
    const diagnostics = own.filter(({ code }) => !OF_ALL_ARTICLES.has(code))
    return { state, edited: { article: recordBefore.examined.article, diagnostics } }
  }
  cache.store([read.entry])
  const taken = takeEdit(read.article, recordBefore, known, options)
  if (taken === undefined) return undefined
  const { document, examined } = taken.record
  tools.hashes.note(read.stamp, document.sourceHash)
  state.files.set(source, document.sourceHash)
  const content = applyEdit(read.article, taken, file, known, cache)
  return {
    state: { ...state, known: { ...known, content } },
    edited: { article: examined.article, diagnostics: taken.diagnostics },
  }
}
