import { z } from 'zod'

/** Counts up with every change that an older kb-sync would not understand. */
export const HISTORY_VERSION = 1

const count = z.int().min(0)
const moment = z.iso.datetime()

const knownArticle = z.object({ id: z.string(), file: z.string().optional(), title: z.string() })
const knownLink = z.object({ article: knownArticle, url: z.string() })

const historyPoint = z.object({
  at: moment,
  overdue: count,
  due: count,
  broken: count,
  unowned: count,
  outdatedTranslations: count,
  asked: z.string(),
})

/** What stands in a file of the history; members that are not listed are dropped. */
export const historySchema = z.object({
  version: z.literal(HISTORY_VERSION),
  points: z.array(historyPoint),
  last: z.object({
    at: moment,
    overdue: z.object({ total: count, entries: z.array(knownArticle) }),
    broken: z.object({ total: count, entries: z.array(knownLink) }),
  }),
})
