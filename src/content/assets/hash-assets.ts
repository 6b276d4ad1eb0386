import { closeSync } from 'node:fs'
import { openInside } from './open-inside.ts'
import { readOpened } from './read-opened.ts'

/** Digest of each asset's bytes by source; one that cannot be read, or must not be, has the empty text. */
export function hashAssets(contentRoot: string, sources: readonly string[]): Map<string, string> {
  return new Map(sources.map((source) => [source, hashAsset(contentRoot, source)]))
}

function hashAsset(contentRoot: string, source: string): string {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') return ''
  try {
    return readOpened(opened.descriptor, { limitBytes: opened.size, keepsAll: false }).hash
  } catch {
    return ''
  } finally {
    closeSync(opened.descriptor)
  }
}
