// Compiled files by hash, in one SQLite file, because reading thousands of small files would take longer than
// rendering. Disposable: an unreadable cache is deleted and created again.
import Database from 'libsql'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CompiledHtml, CompiledMeta, CompiledTexts } from '../markdown/rendered-body.ts'
import { type PackedLinks, unpackLinks } from './packed-links.ts'

/** Parts of a compiled file as JSON texts, which come from worker threads and are mostly passed on unparsed. */
export interface CacheEntry {
  readonly key: string
  readonly meta: string
  readonly links: string
  readonly html: string
  /** For texts that depend on other files: the list of these files, under a key without their digests. */
  readonly includes?: { readonly key: string; readonly sources: readonly string[] } | undefined
}

export interface RenderCache extends CompiledTexts {
  readonly readMeta: (key: string) => CompiledMeta | undefined
  /** Returns the files that a text included when it was last compiled, by `includes.key`. */
  readonly readIncludes: (key: string) => readonly string[] | undefined
  /** Stores a batch in one transaction. */
  readonly store: (entries: readonly CacheEntry[]) => void
  /** Removes all entries except those with the given keys, if most entries are unused. */
  readonly prune: (used: ReadonlySet<string>) => void
  /** Returns the keys whose entries another process has removed. Very fast unless another process writes. */
  readonly findLost: (keys: Iterable<string>) => ReadonlySet<string>
  readonly close: () => void
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS compiled (
  key TEXT PRIMARY KEY, meta TEXT NOT NULL, links TEXT NOT NULL, html TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS includes (key TEXT PRIMARY KEY, sources TEXT NOT NULL)`

/** Opens the cache in this file, or if that fails, one in memory for this run. */
export function openRenderCache(file: string): RenderCache {
  try {
    if (!isHollow(file)) return open(file)
  } catch {
    // The file is damaged or has another format.
  }
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    return open(file)
  } catch {
    return openDatabase(':memory:')
  }
}

/** Returns true for an empty file with a write-ahead log, for which SQLite would wait until its timeout. */
function isHollow(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0 && existsSync(`${file}-wal`)
}

/** Opens a cache in SQLite's temporary database, which is removed when it is closed or the process ends. */
export function openTemporaryCache(): RenderCache {
  return openDatabase('')
}

function open(file: string): RenderCache {
  mkdirSync(dirname(file), { recursive: true })
  return openDatabase(file)
}

function openDatabase(file: string): RenderCache {
  const database = new Database(file, { timeout: 10_000 })
  try {
    // Entries lost in a power failure are rendered again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL')
    database.exec(SCHEMA)
    return createCache(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function createCache(database: Database.Database): RenderCache {
  // If the disk is full, entries stay in memory, and the next run renders them again.
  const unkept = new Map<string, CacheEntry>()
  const reader = (column: 'meta' | 'links' | 'html') => {
    const statement = database.prepare(`SELECT ${column} AS json FROM compiled WHERE key = ?`)
    return (key: string): unknown => {
      const json = unkept.get(key)?.[column] ?? (statement.get(key) as { json: string } | undefined)?.json
      return json === undefined ? undefined : JSON.parse(json)
    }
  }
  const [meta, links, html] = [reader('meta'), reader('links'), reader('html')] as const
  const insert = database.prepare(
    'INSERT OR REPLACE INTO compiled (key, meta, links, html) VALUES (?, ?, ?, ?)',
  )
  const knownIncludes = createKnownIncludes(database)
  const count = database.prepare('SELECT count(*) AS n FROM compiled')
  const keys = database.prepare('SELECT json_group_array(key) AS json FROM compiled')
  // Changes when another connection has written.
  const readVersion = database.prepare('PRAGMA data_version')
  let seenVersion: number | undefined
  const remove = database.prepare('DELETE FROM compiled WHERE key = ?')
  const storeAll = database.transaction((entries: readonly CacheEntry[]) => {
    for (const { includes, ...entry } of entries) {
      insert.run(entry.key, entry.meta, entry.links, entry.html)
      if (includes !== undefined) knownIncludes.store(includes)
    }
  })
  const pruneAll = database.transaction((used: ReadonlySet<string>) => {
    if ((count.get() as { n: number }).n <= used.size * 2 + 1000) return
    // There are few of them, and compiling their articles restores them.
    knownIncludes.forget()
    for (const key of parseKeys(keys.get())) if (!used.has(key)) remove.run(key)
  })
  return {
    readMeta: (key) => meta(key) as CompiledMeta | undefined,
    readIncludes: knownIncludes.read,
    readLinks: (key, isWanted) => unpackLinks(found(links(key) as PackedLinks | undefined, key), isWanted),
    readHtml: (key) => found(html(key) as CompiledHtml | undefined, key),
    store: (entries) => {
      try {
        if (unkept.size === 0) return storeAll(entries)
      } catch {
        // Not storing an entry does no harm.
      }
      for (const entry of entries) unkept.set(entry.key, entry)
    },
    prune: (used) => {
      for (const key of unkept.keys()) if (!used.has(key)) unkept.delete(key)
      if (unkept.size === 0) pruneAll(used)
    },
    findLost: (wanted) => {
      const { data_version: version } = readVersion.get() as { data_version: number }
      if (version === seenVersion) return new Set()
      seenVersion = version
      const kept = new Set(parseKeys(keys.get()))
      return new Set([...wanted].filter((key) => !kept.has(key) && !unkept.has(key)))
    },
    close: () => void database.close(),
  }
}

/** One text is read faster than thousands of rows. */
function parseKeys(row: unknown): readonly string[] {
  return JSON.parse((row as { json: string }).json) as string[]
}

function createKnownIncludes(database: Database.Database) {
  const count = database.prepare('SELECT count(*) AS n FROM includes')
  const select = database.prepare('SELECT sources FROM includes WHERE key = ?')
  const insert = database.prepare('INSERT OR REPLACE INTO includes (key, sources) VALUES (?, ?)')
  const remove = database.prepare('DELETE FROM includes')
  // Most projects have no snippets, and need no query per article.
  let hasAny: boolean | undefined
  return {
    read: (key: string) => {
      hasAny ??= (count.get() as { n: number }).n > 0
      const row = hasAny ? (select.get(key) as { sources: string } | undefined) : undefined
      return row && (JSON.parse(row.sources) as string[])
    },
    store: ({ key, sources }: NonNullable<CacheEntry['includes']>) => {
      insert.run(key, JSON.stringify(sources))
      hasAny = true
    },
    forget: () => remove.run(),
  }
}

function found<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Error(`the render cache lost the entry ${key} while it was in use`)
  return value
}
