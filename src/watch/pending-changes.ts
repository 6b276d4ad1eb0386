import type { Touch } from './files/watched-paths.ts'

/** What has happened to the files since they were looked at. */
export interface PendingChanges {
  /** Touched sources that nobody has looked at, and when the first touch was seen. */
  readonly sources: ReadonlyMap<string, number>
  /** When the first touch of something came that only a look at all files can tell; undefined: none did. */
  readonly unclearSinceMs: number | undefined
  /** The last touch of anything; undefined where a look at all files has followed in a quiet moment. */
  readonly lastTouchMs: number | undefined
  /** The last touch of the configuration. */
  readonly configMs: number | undefined
  readonly touch: (touch: Touch, nowMs: number) => void
  /** Puts sources back with the time of their first touch: only a look at all files can tell what became of them. */
  readonly putBack: (sources: ReadonlyMap<string, number>, nowMs: number) => void
  /** Takes these away, because each is about to be looked at by itself. */
  readonly takeEdited: (sources: readonly string[]) => ReadonlyMap<string, number>
  /** Takes all sources away, because all files are about to be looked at. */
  readonly takeAll: (isQuiet: boolean) => ReadonlyMap<string, number>
  readonly takeConfig: () => void
}

/** Files that editors keep for a moment beside the one that is saved. The look in a quiet moment sees them as well. */
const OF_AN_EDITOR = /~$|\.(?:tmp|sw[a-z])$|(?:^|\/)(?:4913|#[^/]*#)$/

/** @param isArticle whether a source is an article that is known already */
export function createPendingChanges(isArticle: (source: string) => boolean): PendingChanges {
  let sources = new Map<string, number>()
  let unclearSinceMs: number | undefined
  let lastTouchMs: number | undefined
  let configMs: number | undefined
  return {
    get sources() {
      return sources
    },
    get unclearSinceMs() {
      return unclearSinceMs
    },
    get lastTouchMs() {
      return lastTouchMs
    },
    get configMs() {
      return configMs
    },
    touch: (touch, nowMs) => {
      if (touch.kind === 'config') {
        configMs = nowMs
        return
      }
      lastTouchMs = nowMs
      if (touch.kind === 'source' && OF_AN_EDITOR.test(touch.source)) return
      if (touch.kind === 'source' && !sources.has(touch.source)) sources.set(touch.source, nowMs)
      if (touch.kind === 'folders' || !isArticle(touch.source)) unclearSinceMs ??= nowMs
    },
    putBack: (unclear, nowMs) => {
      for (const [source, sinceMs] of unclear) sources.set(source, sinceMs)
      unclearSinceMs ??= nowMs
      lastTouchMs ??= nowMs
    },
    takeEdited: (edited) => {
      const taken = new Map(edited.map((source) => [source, sources.get(source) ?? 0]))
      for (const source of edited) sources.delete(source)
      return taken
    },
    takeAll: (isQuiet) => {
      const taken = sources
      sources = new Map()
      unclearSinceMs = undefined
      if (isQuiet) lastTouchMs = undefined
      return taken
    },
    takeConfig: () => {
      configMs = undefined
    },
  }
}
