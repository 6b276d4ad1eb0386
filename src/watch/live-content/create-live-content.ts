import pLimit from 'p-limit'
import { renderKeyOf } from '../../content/input-keys.ts'
import { loadRenderer } from '../../content/markdown/load-renderer.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import { resolveParser } from '../../content/markdown/resolve-parser.ts'
import type { RenderCache } from '../../content/render-cache.ts'
import { createStampedHashes } from './create-stamped-hashes.ts'
import { changedFiles } from './digest-files.ts'
import { editArticle, type EditTools } from './edit-article.ts'
import type { EditedArticle, LiveContent } from './live-content.ts'
import type { LiveContentOptions } from './live-content-options.ts'
import type { LiveState } from './live-state.ts'
import { keysOf, lookAtFiles } from './look-at-files.ts'

/** After so many edits without a look at all files, the templates of texts that are gone are thrown away. */
const EDITS_PER_PRUNE = 500

/** Opens nothing before the first look. What is asked for at the same time is done in turn. */
export function createLiveContent(live: LiveContentOptions): LiveContent {
  const { options, now } = live
  const inTurn = pLimit(1)
  const hashes = createStampedHashes(options.contentRoot, now)
  let cache: RenderCache | undefined
  let state: LiveState | undefined
  let editing: EditTools['editing'] | undefined
  let edits = 0
  let pins = 0

  function openCache(): RenderCache {
    const opened = live.openCache()
    return { ...opened, prune: (used) => void (pins === 0 && opened.prune(used)) }
  }

  async function edit(source: string): Promise<EditedArticle | undefined> {
    if (state === undefined || cache === undefined) return undefined
    editing ??= await prepareEditing(live)
    const edited = editArticle(source, state, { options, cache, hashes, editing })
    if (edited === undefined) return undefined
    state = edited.state
    if (++edits % EDITS_PER_PRUNE === 0) cache.prune(keysOf(state))
    return edited.edited
  }

  return {
    current: () => state?.known.content,
    refresh: (run = {}) =>
      inTurn(async () => {
        cache ??= openCache()
        const before = state?.files ?? new Map<string, string>()
        state = await lookAtFiles(state, { ...live, cache, hashes }, run)
        return { content: state.known.content, touched: changedFiles(before, state.files) }
      }),
    pin: () => {
      pins++
      return () => void pins--
    },
    edit: (source) => inTurn(() => edit(source)),
    faulty: () => state?.faulty ?? new Set(),
    waiting: () => state?.waiting ?? new Set(),
    // What is under way still reads the cache.
    close: () => void inTurn(() => cache?.close()),
  }
}

async function prepareEditing({ options }: LiveContentOptions): Promise<EditTools['editing']> {
  const parser = await resolveParser(options.markdown)
  return {
    render: await loadRenderer(options.markdown, parser),
    files: await loadFrontmatterFiles(options.markdown.frontmatter),
    renderKey: renderKeyOf(options, parser.kind),
  }
}
