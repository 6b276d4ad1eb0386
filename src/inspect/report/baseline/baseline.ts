import type { LinkFinding, ReviewFinding } from '../../../web/report/report.ts'
import { z } from 'zod'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import { readableAddress } from '../../../content/link-occurrences/decode-written-url.ts'
import {
  type BaselineFile,
  baselineFileOf,
  type BaselineFormat,
  type BaselineUse,
  formatBaselineFile,
  readBaselineFile,
  writeBaselineFile,
} from '../../check/baseline/baseline-file.ts'

const text = z.string().min(1)

/** The subject of an entry: a file, or an article on the target without a file. */
const subject = {
  /** Relative to the project, with `/`; undefined if the article has no file. */
  file: text.optional(),
  /** Id on the target. It stays the same when the file is moved. */
  id: text.optional(),
  /** For readers, if there is no file. */
  title: z.string().optional(),
}

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
        ...subject,
        /** The review date that is accepted as overdue. With another date, the entry no longer applies. Default: any. */
        date: z.string().refine(isCalendarDate, 'a date must have the form YYYY-MM-DD').optional(),
      })
      .refine(namesArticle, UNNAMED),
  ),
  broken: z.array(z.strictObject({ ...subject, url: text }).refine(namesArticle, UNNAMED)),
})

type Baseline = Omit<z.infer<typeof baselineSchema>, 'version'>

const FORMAT = { command: 'kb report', version: 1, schema: baselineSchema } satisfies BaselineFormat<Baseline>

type AcceptedReview = Baseline['overdue'][number]
type AcceptedArticle = Omit<AcceptedReview, 'date'>

/** The baseline of one report. */
export interface OpenBaseline {
  readonly acceptsOverdue: (finding: Omit<ReviewFinding, 'isAccepted'>) => boolean
  readonly acceptsBroken: (finding: Omit<LinkFinding, 'isAccepted'>) => boolean
  /** Returns entries that are no longer needed. Call it after all findings were tested. */
  readonly unneeded: () => readonly string[]
  /** Writes the baseline if requested. @throws KbError FILES_UNWRITABLE */
  readonly keep: (findings: FindingsToAccept) => Promise<void>
}

const NOTHING_ACCEPTED: OpenBaseline = {
  acceptsOverdue: () => false,
  acceptsBroken: () => false,
  unneeded: () => [],
  keep: () => Promise.resolve(),
}

/**
 * Opens the baseline. It accepts the listed findings, or all findings if it will be written.
 *
 * @param isIgnored URLs that the report omits
 * @throws KbError BASELINE_INVALID
 */
export async function openBaseline(
  use: BaselineUse | undefined,
  root: string,
  isIgnored: (url: string) => boolean,
): Promise<OpenBaseline> {
  if (use === undefined) return NOTHING_ACCEPTED
  const file = baselineFileOf(use, root)
  if (!use.isWritten) {
    const acceptance = createAcceptance(await readBaseline(file), isIgnored)
    return { ...acceptance, keep: () => Promise.resolve() }
  }
  return {
    acceptsOverdue: () => true,
    acceptsBroken: () => true,
    unneeded: () => [],
    keep: (findings) => writeBaseline(file, findings),
  }
}

/** @throws KbError BASELINE_INVALID */
export function readBaseline(file: BaselineFile): Promise<Baseline> {
  return readBaselineFile(file, FORMAT)
}

type ArticleOfFinding = Pick<ReviewFinding, 'id' | 'file'>

/**
 * Tests which findings a baseline accepts, and records which entries were used. Matches articles by file or by id: a file
 * may be moved, and a target may replace an article.
 *
 * @param isIgnored URLs that this report omits, so that it is unknown whether their entries are needed
 */
export function createAcceptance(baseline: Baseline, isIgnored: (url: string) => boolean = () => false) {
  const reviews = createLookup(baseline.overdue, ({ date }) => date ?? '')
  const links = createLookup(baseline.broken, ({ url }) => readableAddress(url))
  return {
    acceptsOverdue: (finding: ArticleOfFinding & Pick<ReviewFinding, 'date'>) =>
      reviews.accepts(finding, [finding.date, '']),
    acceptsBroken: ({ article, url }: Pick<LinkFinding, 'url'> & { readonly article: ArticleOfFinding }) =>
      links.accepts(article, [readableAddress(url)]),
    /** Returns entries that accepted nothing so far, as text. Call it after all findings were tested. */
    unneeded: () => [
      ...reviews.unused().map(describeReview),
      ...links
        .unused()
        .filter(({ url }) => !isIgnored(url))
        .map((entry) => `${entry.url} is no longer broken in ${describeArticle(entry)}`),
    ],
  }
}

function createLookup<Entry extends AcceptedArticle>(
  entries: readonly Entry[],
  detailOf: (entry: Entry) => string,
) {
  const known = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const key of keysOf(entry, detailOf(entry))) known.set(key, [...(known.get(key) ?? []), entry])
  }
  const used = new Set<Entry>()
  return {
    accepts: (article: ArticleOfFinding, details: readonly string[]): boolean => {
      const found = details.flatMap((detail) =>
        keysOf(article, detail).flatMap((key) => known.get(key) ?? []),
      )
      for (const entry of found) used.add(entry)
      return found.length > 0
    },
    unused: () => entries.filter((entry) => !used.has(entry)),
  }
}

function keysOf({ file, id }: Pick<AcceptedArticle, 'file' | 'id'>, detail: string): string[] {
  return [
    ...(file === undefined ? [] : [`file ${file.normalize('NFC')}\n${detail}`]),
    ...(id === undefined ? [] : [`id ${id}\n${detail}`]),
  ]
}

function describeReview(entry: AcceptedReview): string {
  const date = entry.date === undefined ? '' : ` (${entry.date})`
  return `${describeArticle(entry)} is no longer overdue${date}`
}

function describeArticle({ file, id, title }: AcceptedArticle): string {
  return file ?? (title === undefined ? `article ${id ?? ''}` : `"${title}"`)
}

/** Writes the findings as a baseline. @throws KbError FILES_UNWRITABLE */
export function writeBaseline(file: BaselineFile, findings: FindingsToAccept): Promise<void> {
  return writeBaselineFile(file, formatBaseline(findings))
}

type TitledArticle = Pick<ReviewFinding, 'id' | 'file' | 'title'>

/** The findings to accept; complete findings may be passed. */
interface FindingsToAccept {
  readonly overdue: readonly Pick<ReviewFinding, 'id' | 'file' | 'title' | 'date'>[]
  readonly broken: readonly (Pick<LinkFinding, 'url'> & { readonly article: TitledArticle })[]
}

/** Formats a baseline. Of an article, it contains only file and id, or id and title if it has no file. */
export function formatBaseline({ overdue, broken }: FindingsToAccept): string {
  return formatBaselineFile(FORMAT.version, {
    overdue: overdue.map((finding) => ({ ...toArticle(finding), date: finding.date })),
    broken: broken.map(({ article, url }) => ({ ...toArticle(article), url })),
  })
}

function toArticle({ file, id, title }: TitledArticle): AcceptedArticle {
  return file === undefined ? { id, title } : { file: file.normalize('NFC'), id }
}
