import type { Kysely } from 'kysely'
import type { Database, Session } from '../session.ts'
import { siteQueries } from '../site-queries.ts'
import type { Tables } from '../tables.ts'
import type { LanguageAdmin, LanguageRecord } from './admin-store.ts'
import { countItems, describeItems } from './count-items.ts'
import { languageQueries } from './language-queries.ts'
import { itemExists, itemInUse, unknownItem } from './refuse.ts'

/** The languages of a site. */
export function createLanguageAdmin(database: Database, db: Kysely<Tables>): LanguageAdmin {
  const queries = { ...siteQueries(db), ...languageQueries(db) }

  async function codesOf(session: Session, siteId: string): Promise<string[]> {
    return (await session.all(queries.languages, { siteId })).map(({ code }) => code)
  }

  async function list(session: Session, siteId: string): Promise<LanguageRecord[]> {
    const records: LanguageRecord[] = []
    for (const [index, code] of (await codesOf(session, siteId)).entries()) {
      const isDefault = index === 0
      const items = await countItems(session, queries, siteId, isDefault ? '' : code)
      records.push({ code, isDefault, ...items })
    }
    return records
  }

  async function remove(session: Session, siteId: string, code: string): Promise<void> {
    const languages = await list(session, siteId)
    const language = languages.find((each) => each.code === code)
    if (language === undefined) {
      throw unknownItem(
        'language',
        code,
        languages.map((each) => each.code),
      )
    }
    if (language.isDefault) {
      throw itemInUse(`"${code}" is the default language.`, 'The first language of the site stays.')
    }
    if (language.articles + language.categories + language.tags > 0) {
      throw itemInUse(
        `The language "${code}" is used by ${describeItems(language)}.`,
        'Delete these first, or keep the language.',
      )
    }
    await session.run(queries.removeLanguage, { siteId, code })
  }

  return {
    list: (siteId) => list(database.reader, siteId),
    add: (siteId, code) =>
      database.write(async (session) => {
        const codes = await codesOf(session, siteId)
        const present = codes.find((each) => each.toLowerCase() === code.toLowerCase())
        if (present !== undefined) throw itemExists(`The language "${present}" is already enabled.`)
        await session.run(queries.appendLanguage, { siteId, code })
      }),
    remove: (siteId, code) => database.write((session) => remove(session, siteId, code)),
  }
}
