// Passes a list as one argument, a JSON array, and so in one statement, whatever its length.
import { type AliasedExpression, type Expression, sql, type SqlBool } from 'kysely'
import type { SqlDialect } from './query.ts'

type ColumnType = 'text' | 'bigint'

/**
 * Selects the rows of a JSON array of arrays, with elements in the order of `columns`: both databases read objects more
 * slowly.
 */
export function rowsOf<Columns extends Readonly<Record<string, ColumnType>>>(
  json: string,
  columns: Columns,
  { jsonElements }: SqlDialect,
) {
  const elements = jsonElements === 'json_each' ? 'json_each' : 'jsonb_array_elements'
  const cells = Object.entries(columns).map(
    ([name, type], index) => sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(type)}) as ${sql.ref(name)}`,
  )
  const rows = sql`(select ${sql.join(cells)} from ${sql.raw(elements)}(${json}))`.as('row')
  return rows as unknown as AliasedExpression<
    { [Name in keyof Columns]: Columns[Name] extends 'bigint' ? number | null : string },
    'row'
  >
}

/** Selects the elements of a JSON array of texts, with their positions as `key`. */
export function textsOf(json: string, { jsonElements }: SqlDialect) {
  const [elements, alias] =
    jsonElements === 'json_each'
      ? [sql`json_each(${json})`, sql`text`]
      : [sql`json_array_elements_text(${json}) with ordinality`, sql`text (value, key)`]
  return elements.$castTo<{ value: string; key: number }>().as<'text'>(alias)
}

/**
 * Tests if a value is in a JSON array. On PostgreSQL, an index finds it: a join with the array would be planned for any
 * number of elements, and would read the whole table if that seems to be small.
 *
 * @param key the function that the index applies to values
 */
export function isOneOf(
  value: string | Expression<string | number>,
  json: string,
  { jsonElements }: SqlDialect,
  { key = '', type = 'text' }: { readonly key?: string | undefined; readonly type?: ColumnType } = {},
) {
  const column = typeof value === 'string' ? sql.ref(value) : value
  const keyOf = (text: Expression<unknown>) => sql`${sql.raw(key)}(${text})`
  const element = keyOf(sql`cast(listed.value as ${sql.raw(type)})`)
  return jsonElements === 'json_each'
    ? sql<SqlBool>`${keyOf(column)} in (select ${element} from json_each(${json}) as listed)`
    : sql<SqlBool>`${keyOf(column)} = any(array(select ${element} from json_array_elements_text(${json}) as listed))`
}
