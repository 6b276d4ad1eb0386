import { z } from 'zod'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import type { Baseline } from './baseline.ts'

const text = z.string().min(1)
const article = { file: text.optional(), id: text.optional(), title: z.string().optional() }

function namesArticle({ file, id }: { readonly file?: unknown; readonly id?: unknown }): boolean {
  return file !== undefined || id !== undefined
}

const UNNAMED = 'an entry names its `file`, or the `id` of the article'

/** What stands in a baseline, its version aside; a misspelt member would be ignored unseen, so unknown ones are refused. */
export const baselineSchema = z.strictObject({
  version: z.unknown(),
  overdue: z.array(
    z
      .strictObject({
        ...article,
        date: z.string().refine(isCalendarDate, 'a date is written YYYY-MM-DD').optional(),
      })
      .refine(namesArticle, UNNAMED),
  ),
  broken: z.array(z.strictObject({ ...article, url: text }).refine(namesArticle, UNNAMED)),
}) satisfies z.ZodType<Baseline>
