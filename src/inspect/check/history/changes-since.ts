import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { diffWorktree, type WorktreeChange } from '../../../core/git/diff-worktree.ts'
import { readBlobs } from '../../../core/git/read-blobs.ts'
import type { HistoryContext } from './history-context.ts'
import { textToTranslate } from './text-to-translate.ts'

/** What became of the text of a file. */
export type TextChange =
  | { readonly kind: 'none' }
  /** `from`: where the file stood before, if elsewhere. */
  | { readonly kind: 'changed'; readonly from?: string }

/** Tells whether the text of a file is another one than in a commit, as far as translators are concerned. */
export function createChangesSince({ contentRoot, env, files, signal }: HistoryContext) {
  const limit = pLimit(4)
  const known = new Map<string, Promise<readonly WorktreeChange[] | undefined>>()
  const changesSince = (commit: string) => {
    const asked = known.get(commit) ?? limit(() => diffWorktree(contentRoot, commit, env, signal))
    known.set(commit, asked)
    return asked
  }
  return async (source: string, commit: string): Promise<TextChange> => {
    const changes = await changesSince(commit)
    const name = source.normalize('NFC')
    const change = changes?.find((each) => each.source === name)
    // What git cannot tell is taken for a change.
    if (changes !== undefined && (change === undefined || change.isSameText)) return { kind: 'none' }
    const changed: TextChange = { kind: 'changed', ...(change?.kind === 'moved' && { from: change.from }) }
    if (change?.blob === undefined) return changed
    const blobs = await readBlobs(contentRoot, [change.blob], env, signal)
    const before = blobs?.get(change.blob)
    const now = await readFile(join(contentRoot, source), 'utf8').catch(() => undefined)
    if (before === undefined || now === undefined) return changed
    return textToTranslate(before, files) === textToTranslate(now, files) ? { kind: 'none' } : changed
  }
}
