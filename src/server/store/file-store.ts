// The files of articles, as the service stores them. Each is named by its digest, so a name has only one content.
import { sql } from 'kysely'
import { type PictureSize, storedFileNamesIn } from '../../core/stored-file-names.ts'
import { isOneOf, rowsOf, textsOf } from './json-lists.ts'
import { type Database, defineQuery, type Session } from './query.ts'

/** Number of chunks that one transaction deletes, while other writes wait. */
const CHUNKS_AT_ONCE = 16

/** Number of files to remove that one query finds. */
const FILES_AT_ONCE = 100

/** Size of each chunk of a file except the last, in bytes. */
export const FILE_CHUNK_BYTES = 262_144

export interface NewFile {
  readonly name: string
  readonly sizeBytes: number
  /** The current time. */
  readonly now: string
}

type BeginFileOutcome =
  | { readonly kind: 'begun'; readonly id: string }
  /** It is already stored, and its time of last use is now. */
  | { readonly kind: 'stored' }
  /** The files of the site would exceed `limitBytes`. */
  | { readonly kind: 'full' }

export type FileStore = ReturnType<typeof createFileStore>

/** Uploads, reads and removes files. This does not change articles, so it does not raise the revision. */
export function createFileStore(database: Database) {
  const { reader } = database
  return {
    ...createUploads(database),
    /**
     * Finds a stored file of any site: anyone who knows its name knows its content.
     *
     * @param hiddenSites files that only these sites have are not found
     */
    async findFile(name: string, hiddenSites: readonly string[]) {
      const row = await reader.first(fileQueries.byName, { name, hiddenSites: JSON.stringify(hiddenSites) })
      return row && { id: row.id, sizeBytes: row.size, createdDate: row.created_date }
    },
    readFileChunk: async (id: string, position: number) =>
      (await reader.first(fileQueries.chunk, { id, position }))?.data,
    /** Returns the sizes of the pictures among these files. */
    async pictureSizes(siteId: string, names: readonly string[]) {
      if (names.length === 0) return new Map<string, PictureSize>()
      const rows = await reader.all(fileQueries.stored, { siteId, names: JSON.stringify(names) })
      return new Map(
        rows.flatMap(({ name, width, height }): [string, PictureSize][] =>
          width === null || height === null ? [] : [[name, { width, height }]],
        ),
      )
    },
    /**
     * Removes unused files, and unfinished uploads.
     *
     * @param unusedSince files that were uploaded, announced or used after that are kept
     * @param begunBefore uploads that began after that may still arrive
     * @returns number of files removed
     */
    async removeUnusedFiles(unusedSince: string, begunBefore: string) {
      let removed = 0
      for (;;) {
        const found = await reader.all(fileQueries.unused, { unusedSince, begunBefore, limit: FILES_AT_ONCE })
        for (const { id, site_id } of found) {
          const times = { id, unusedSince, begunBefore }
          const taken = await database.writeWithoutRevision(site_id, (session) =>
            session.run(fileQueries.take, times),
          )
          if (taken === 0) continue
          await removeFile(database, site_id, id)
          removed++
        }
        if (found.length < FILES_AT_ONCE) return removed
      }
    },
  }
}

function createUploads(database: Database) {
  return {
    /**
     * Returns the names for which the site has no stored file.
     *
     * @param now new time of last use of the other files; undefined changes nothing
     */
    async findMissingFiles(siteId: string, names: readonly string[], now: string | undefined) {
      if (names.length === 0) return []
      const asked = { siteId, names: JSON.stringify(names) }
      if (now !== undefined)
        await database.writeWithoutRevision(siteId, (session) =>
          session.run(fileQueries.keep, { ...asked, now }),
        )
      const stored = new Set((await database.reader.all(fileQueries.stored, asked)).map(({ name }) => name))
      return [...new Set(names)].filter((name) => !stored.has(name))
    },
    /** Begins an upload, which is invisible until it is finished. @param limitBytes of all files of the site */
    beginFile: (
      siteId: string,
      { name, sizeBytes, now }: NewFile,
      limitBytes: number,
    ): Promise<BeginFileOutcome> =>
      database.writeWithoutRevision(siteId, async (session) => {
        if (await keep(session, siteId, name, now)) return { kind: 'stored' }
        const used = await session.first(fileQueries.usedBytes, { siteId })
        if (Number(used?.bytes ?? 0) + sizeBytes > limitBytes) return { kind: 'full' }
        const id = session.newId()
        await session.run(fileQueries.begin, { id, siteId, name, sizeBytes, now })
        return { kind: 'begun', id }
      }),
    async addFileChunk(siteId: string, id: string, position: number, data: Uint8Array) {
      await database.writeWithoutRevision(siteId, (session) =>
        session.run(fileQueries.addChunk, { id, position, data }),
      )
    },
    /** Makes the upload a stored file, unless another upload of it was finished before. */
    async finishFile(
      siteId: string,
      id: string,
      { name, sizeBytes, picture, now }: NewFile & { readonly picture: PictureSize | undefined },
    ) {
      const isNew = await database.writeWithoutRevision(siteId, async (session) => {
        if (await keep(session, siteId, name, now)) return false
        const { width = null, height = null } = picture ?? {}
        const finished = await session.run(fileQueries.finish, { id, sizeBytes, width, height, now })
        if (finished === 0) throw new Error('The upload was removed before it was finished')
        return true
      })
      if (!isNew) await removeFile(database, siteId, id)
    },
    /** Removes an unfinished upload. */
    abandonFile: (siteId: string, id: string) => removeFile(database, siteId, id),
  }
}

/** Removes the chunks, then the row, so that another process can continue if this one ends. */
async function removeFile(database: Database, siteId: string, id: string): Promise<void> {
  const last = (await database.reader.first(fileQueries.lastChunk, { id }))?.position ?? -1
  for (let before = CHUNKS_AT_ONCE; before <= last; before += CHUNKS_AT_ONCE) {
    const slice = { id, before }
    await database.writeWithoutRevision(siteId, (session) => session.run(fileQueries.removeChunks, slice))
  }
  await database.writeWithoutRevision(siteId, (session) => session.run(fileQueries.remove, { id }))
}

/** Updates the time of last use of a stored file. @returns true if it exists */
async function keep(session: Session, siteId: string, name: string, now: string): Promise<boolean> {
  return (await session.run(fileQueries.keep, { siteId, names: JSON.stringify([name]), now })) > 0
}

// The uses of files, derived from the HTML of articles, and of the descriptions of categories and tags.

/** The item that uses files. */
export interface FileUser {
  readonly siteId: string
  readonly kind: 'article' | 'category' | 'tag'
  readonly id: string
  /** The current time. Files that are no longer used are kept for the grace time from now. */
  readonly now: string
}

/** Replaces the recorded uses of an item with the files that its HTML refers to. */
export async function replaceFileUses(session: Session, user: FileUser, html: string): Promise<void> {
  const { siteId, kind, id, now } = user
  const queries = useQueries[kind]
  const names = new Set(storedFileNamesIn(html))
  const present = new Set((await session.all(queries.names, { id })).map(({ name }) => name))
  const left = [...present].filter((name) => !names.has(name))
  if (left.length > 0) {
    const leaving = { names: JSON.stringify(left) }
    await session.run(queries.remove, { id, ...leaving })
    await session.run(fileQueries.keep, { siteId, ...leaving, now })
  }
  const added = [...names].filter((name) => !present.has(name))
  await addFileUses(session, siteId, kind, [{ id, names: added }])
}

/** Records additional uses by items of a site. */
export async function addFileUses(
  session: Session,
  siteId: string,
  kind: FileUser['kind'],
  added: readonly { readonly id: string; readonly names: Iterable<string> }[],
): Promise<void> {
  const uses = added.flatMap(({ id, names }) => [...names].map((name) => [id, name]))
  if (uses.length > 0) await session.send(useQueries[kind].add, { siteId, uses: JSON.stringify(uses) })
}

const fileQueries = {
  keep: defineQuery((db, is: { siteId: string; names: string; now: string }, dialect) =>
    db
      .updateTable('files')
      .set({ used_date: is.now })
      .where('site_id', '=', is.siteId)
      .where('is_stored', '=', sql.lit(1))
      .where(isOneOf('name', is.names, dialect)),
  ),
  stored: defineQuery((db, is: { siteId: string; names: string }, dialect) =>
    db
      .selectFrom('files')
      .select(['name', 'width', 'height'])
      .where('site_id', '=', is.siteId)
      .where('is_stored', '=', sql.lit(1))
      .where(isOneOf('name', is.names, dialect)),
  ),
  usedBytes: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('files')
      .select((eb) => eb.fn.sum('size').as('bytes'))
      .where('site_id', '=', is.siteId),
  ),
  begin: defineQuery((db, is: { id: string; siteId: string; name: string; sizeBytes: number; now: string }) =>
    db
      .insertInto('files')
      .values({
        id: is.id,
        site_id: is.siteId,
        name: is.name,
        size: is.sizeBytes,
        width: null,
        height: null,
        created_date: is.now,
        used_date: is.now,
        is_stored: 0,
      }),
  ),
  addChunk: defineQuery((db, is: { id: string; position: number; data: Uint8Array }) =>
    db.insertInto('file_chunks').values({ file_id: is.id, position: is.position, data: is.data }),
  ),
  finish: defineQuery(
    (db, is: { id: string; sizeBytes: number; width: number | null; height: number | null; now: string }) =>
      db
        .updateTable('files')
        .set({ size: is.sizeBytes, width: is.width, height: is.height, used_date: is.now, is_stored: 1 })
        .where('id', '=', is.id),
  ),
  byName: defineQuery((db, is: { name: string; hiddenSites: string }, dialect) =>
    db
      .selectFrom('files')
      .select(['id', 'size', 'created_date'])
      .where('name', '=', is.name)
      .where('is_stored', '=', sql.lit(1))
      .where('site_id', 'not in', db.selectFrom(textsOf(is.hiddenSites, dialect)).select('text.value'))
      .limit(1),
  ),
  chunk: defineQuery((db, is: { id: string; position: number }) =>
    db
      .selectFrom('file_chunks')
      .select('data')
      .where('file_id', '=', is.id)
      .where('position', '=', is.position),
  ),
  lastChunk: defineQuery((db, is: { id: string }) =>
    db
      .selectFrom('file_chunks')
      .select('position')
      .where('file_id', '=', is.id)
      .orderBy('position', 'desc')
      .limit(1),
  ),
  unused: defineQuery((db, is: UnusedArguments & { readonly limit: number }) =>
    db.selectFrom('files').select(['id', 'site_id']).where(isUnused(is)).orderBy('used_date').limit(is.limit),
  ),
  // It may have been used or announced since it was found.
  take: defineQuery((db, is: UnusedArguments & { readonly id: string }) =>
    db.updateTable('files').set({ is_stored: 0 }).where('id', '=', is.id).where(isUnused(is)),
  ),
  removeChunks: defineQuery((db, is: { id: string; before: number }) =>
    db.deleteFrom('file_chunks').where('file_id', '=', is.id).where('position', '<', is.before),
  ),
  remove: defineQuery((db, is: { id: string }) => db.deleteFrom('files').where('id', '=', is.id)),
}

type UnusedArguments = Readonly<Record<'unusedSince' | 'begunBefore', string>>

function isUnused({ unusedSince, begunBefore }: UnusedArguments) {
  const isUsed = sql`exists (select 1 from file_uses
    where file_uses.site_id = files.site_id and file_uses.name = files.name)`
  return sql<boolean>`((is_stored = 0 and used_date < ${begunBefore})
    or (is_stored = 1 and used_date < ${unusedSince} and not ${isUsed}))`
}

const USE = { id: 'text', name: 'text' } as const

const useQueries = {
  article: useQueriesOf('article_id'),
  category: useQueriesOf('category_id'),
  tag: useQueriesOf('tag_id'),
} as const

function useQueriesOf(column: 'article_id' | 'category_id' | 'tag_id') {
  return {
    names: defineQuery((db, is: { id: string }) =>
      db.selectFrom('file_uses').select('name').where(column, '=', is.id),
    ),
    add: defineQuery((db, is: { siteId: string; uses: string }, dialect) =>
      db
        .insertInto('file_uses')
        .columns(['site_id', column, 'name'])
        .expression(
          db
            .selectFrom(rowsOf(is.uses, USE, dialect))
            .select((eb) => [eb.val(is.siteId).as('site_id'), 'row.id', 'row.name']),
        ),
    ),
    remove: defineQuery((db, is: { id: string; names: string }, dialect) =>
      db
        .deleteFrom('file_uses')
        .where(column, '=', is.id)
        .where(isOneOf('name', is.names, dialect)),
    ),
  }
}
