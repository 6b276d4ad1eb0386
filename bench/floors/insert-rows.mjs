// The rows of articles that the server has created, inserted again below other ids, with nothing else: no lock, nothing
// read, nothing checked but by the database. A transaction is sent in one go.
import { Client } from 'pg'

/** The tables that a create writes, each with the list of rows that it takes. Links are derived later. */
const INSERTS = [
  [0, `insert into articles select * from json_populate_recordset(null::articles, $1)`],
  [1, `insert into article_categories select * from json_populate_recordset(null::article_categories, $1)`],
  [
    1,
    `insert into unindexed_articles (article_id, site_id)
      select distinct article_id, site_id from json_populate_recordset(null::article_categories, $1)`,
  ],
]

/** @param connections number of transactions at a time, each with `size` articles */
export async function createRowInserter(url, { connections, size }) {
  const clients = Array.from(
    { length: connections },
    () => new Client({ connectionString: url, pipeline: true }),
  )
  await Promise.all(clients.map((client) => client.connect()))
  return {
    /** The rows of articles whose slugs begin with `prefix`, as copies that can be inserted. */
    async copyRows(prefix, copy) {
      const read = async (sql) => (await clients[0].query(sql, [`${prefix}%`, copy])).rows
      const articles = await read(
        `select id, to_jsonb(a) || jsonb_build_object('id', $2 || id, 'slug', $2 || slug) as row
           from articles a where slug like $1 order by id`,
      )
      const rowsOf = async (table) => {
        const rows = await read(
          `select article_id as id, to_jsonb(r) || jsonb_build_object('id', $2 || r.id, 'article_id', $2 || article_id) as row
             from ${table} r join articles a on a.id = article_id where a.slug like $1`,
        )
        const byArticle = new Map(articles.map(({ id }) => [id, []]))
        for (const row of rows) byArticle.get(row.id).push(row)
        return byArticle
      }
      const related = [await rowsOf('article_categories')]
      const groups = []
      for (let start = 0; start < articles.length; start += size) {
        const group = articles.slice(start, start + size)
        groups.push(
          [group, ...related.map((rows) => group.flatMap(({ id }) => rows.get(id)))].map((rows) =>
            JSON.stringify(rows.map(({ row }) => row)),
          ),
        )
      }
      return groups
    },
    /** Articles per second. */
    async insert(groups, articles) {
      let next = 0
      const started = performance.now()
      await Promise.all(
        clients.map(async (client) => {
          while (next < groups.length) {
            const group = groups[next++]
            const inserts = INSERTS.map(([list, text], index) => ({
              name: `insert-${index}`,
              text,
              values: [group[list]],
            }))
            await Promise.all(['begin', ...inserts, 'commit'].map(async (each) => client.query(each)))
          }
        }),
      )
      const rate = articles / ((performance.now() - started) / 1000)
      // Servers would derive the links of these copies, whose ids are longer, during their own rounds.
      await clients[0].query('delete from article_changes where length(article_id) > 36')
      return rate
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  }
}
