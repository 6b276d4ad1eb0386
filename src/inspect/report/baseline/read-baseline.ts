import { z } from 'zod'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import {
  type BaselineFile,
  type BaselineFormat,
  readBaselineFile,
} from '../../check/baseline/baseline-file.ts'

/** The subject of an entry: a file, or an article on the target without a file. */
export interface AcceptedArticle {
  /** Relative to the project, with `/`; undefined if the article has no file. */
  readonly file?: string | undefined
  /** Id on the target. It stays the same when the file is moved. */
  readonly id?: string | undefined
  /** For readers, if there is no file. */
  readonly title?: string | undefined
}

export interface AcceptedReview extends AcceptedArticle {
  /** The review date that is accepted as overdue. With another date, the entry no longer applies. Default: any. */
  readonly date?: string | undefined
}

export interface AcceptedLink extends AcceptedArticle {
  /** The URL in the target's list. */
  readonly url: string
}

export interface Baseline {
  readonly overdue: readonly AcceptedReview[]
  readonly broken: readonly AcceptedLink[]
}

const text = z.string().min(1)
const article = { file: text.optional(), id: text.optional(), title: z.string().optional() }

function namesArticle({ file, id }: { readonly file?: unknown; readonly id?: unknown }): boolean {
  return file !== undefined || id !== undefined
}

const UNNAMED = 'an entry must have the `file` or the `id` of its article'

/**
 * The contents of a baseline, except its version. Unknown properties are rejected, because a typo would otherwise be
 * ignored.
 */
const baselineSchema = z.strictObject({
  version: z.unknown(),
  overdue: z.array(
    z
      .strictObject({
        ...article,
        date: z.string().refine(isCalendarDate, 'a date must have the form YYYY-MM-DD').optional(),
      })
      .refine(namesArticle, UNNAMED),
  ),
  broken: z.array(z.strictObject({ ...article, url: text }).refine(namesArticle, UNNAMED)),
}) satisfies z.ZodType<Baseline>

export const BASELINE_FORMAT = {
  command: 'kb report',
  version: 1,
  schema: baselineSchema,
} satisfies BaselineFormat<Baseline>

/** @throws KbError BASELINE_INVALID */
export function readBaseline(file: BaselineFile): Promise<Baseline> {
  return readBaselineFile(file, BASELINE_FORMAT)
}
