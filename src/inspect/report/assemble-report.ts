import type { AgeSummary } from '../../web/dashboard/summary/summarize-ages.ts'
import type { DateSpan } from '../../web/dashboard/summary/calendar.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatNumber } from '../../core/format-number.ts'
import { createCategoryCounter } from '../../web/dashboard/summary/summarize-categories.ts'
import type { ReviewSummary } from '../../web/dashboard/summary/summarize-reviews.ts'
import type { KnownFile } from './join/join.ts'
import { byTitle } from './join/collect-reviews.ts'
import type { TargetRead } from './read-target.ts'
import {
  type ExceededThreshold,
  type LinkFinding,
  type OutdatedTranslation,
  type Report,
  REPORT_LIST_LIMIT,
  type ReportCounts,
  type ReviewFinding,
  type UnownedArticle,
} from '../../web/report/report.ts'
import type { ReportTask } from './report-task.ts'
import type { Listing } from '../../web/dashboard/summary/least.ts'
import { type ThresholdName, THRESHOLDS } from '../../core/model/threshold.ts'

interface ReportFacts {
  readonly task: Pick<ReportTask, 'settings' | 'target' | 'dueWithinDays' | 'external'>
  readonly at: Date
  readonly span: DateSpan
  readonly read: TargetRead
  /** The files that the report covers. */
  readonly selected: readonly KnownFile[]
  /** Undefined if git does not know. */
  readonly translations: readonly OutdatedTranslation[] | undefined
  readonly ages: AgeSummary | undefined
  /** Errors in the files. */
  readonly errors: number
  /** Descriptions of baseline entries that are no longer needed. */
  readonly unneeded: readonly string[]
  readonly notes: readonly string[]
}

export function assembleReport(facts: ReportFacts): Omit<Report, 'changes' | 'history' | 'exceeded'> {
  const { task, at, span, read, selected, translations, ages } = facts
  const { reviews, links } = read
  const { isExact, ...unowned } = listUnowned(read)
  const broken = sharePlaces(links.summary.links)
  return {
    version: 1,
    project: task.settings.project,
    target: task.target.name,
    generatedAt: at.toISOString(),
    today: at.toISOString().slice(0, 10),
    dueWithinDays: task.dueWithinDays,
    counts: {
      ...countFound(facts),
      disagreements: links.disagreements.total,
      brokenHere: links.brokenHere,
      unowned: unowned.total,
      isUnownedExact: isExact,
      outdatedTranslations: translations?.length,
    },
    reviews: { ...listReviews(reviews.summary), span, summary: reviews.summary },
    links: {
      broken: { total: links.summary.total, entries: broken },
      summary: { ...links.summary, links: broken },
      disagreements: links.disagreements,
    },
    unowned,
    translations: translations && { total: translations.length, entries: translations },
    redirects: read.redirects,
    categories: countCategories(selected, read),
    ages,
    notes: [...notesOf(facts, unowned.total), ...facts.notes],
  }
}

type FoundCounts = Omit<
  ReportCounts,
  'disagreements' | 'brokenHere' | 'unowned' | 'isUnownedExact' | 'outdatedTranslations'
>

function countFound({ read: { identified, reviews, links }, selected }: ReportFacts): FoundCounts {
  const onTarget = new Set(identified.sourceOf.values())
  const { overdue, due, later, never, undated } = reviews.summary
  return {
    files: selected.length,
    onTarget: selected.filter(({ source }) => onTarget.has(source)).length,
    overdue,
    due,
    later,
    never,
    undated,
    links: links.links,
    broken: links.summary.total,
    ignoredLinks: links.ignored,
    acceptedOverdue: reviews.accepted,
    acceptedBroken: links.accepted,
  }
}

function notesOf(facts: ReportFacts, unowned: number): string[] {
  const { task, errors, read, selected, unneeded } = facts
  const { identified, reviews, unlisted, links } = read
  const { files, onTarget } = countFound(facts)
  const faulty = selected.filter(({ document }) => document === undefined).length
  const isBuiltin = task.target.kind === 'builtin'
  const notes: readonly (string | false)[] = [
    errors > 0 &&
      `${pluralize(errors, 'error')} in the files ${errors === 1 ? 'keeps' : 'keep'} kb sync from sending everything: kb check shows ${errors === 1 ? 'it' : 'them'}.`,
    faulty > 0 &&
      `${pluralize(faulty, 'file')} cannot be read as ${faulty === 1 ? 'an article' : 'articles'}, so the locations and categories of ${faulty === 1 ? 'its article' : 'their articles'} on the target are unknown.`,
    onTarget < files &&
      `${formatNumber(files - onTarget)} of ${pluralize(files, 'file')} ${files - onTarget === 1 ? 'has no article' : 'have no article'} on the target, and ${files - onTarget === 1 ? 'is' : 'are'} not in this report until kb sync sends ${files - onTarget === 1 ? 'it' : 'them'}.`,
    unlisted > 0 &&
      `The target's list of review dates leaves out ${pluralize(unlisted, 'article')} of these files that ${unlisted === 1 ? 'has' : 'have'} one. ${unlisted === 1 ? 'It was' : 'They were'} read separately. Other articles that the list leaves out are not in this report.`,
    reviews.unreadable > 0 &&
      `${pluralize(reviews.unreadable, 'review date')} of the target cannot be read: ${reviews.unreadable === 1 ? 'its article is' : 'their articles are'} listed without a date.`,
    identified.isCut &&
      (onTarget < files || unowned > 0) &&
      'The target has too many articles to read them all: some of those without a file may be yours. After a kb sync, .kb/state contains which.',
    isBuiltin &&
      links.links > 0 &&
      links.summary.total === 0 &&
      `The built-in server checks links only while kb serve is running; before that, it reports none as broken.${task.external === undefined ? ' kb report --external checks links to other sites now.' : ''}`,
    unneeded.length > 0 &&
      `The baseline has entries that are no longer needed (${unneeded.length}): ${someOf(unneeded)}.`,
  ]
  return notes.filter((note) => note !== false)
}

const NAMED = 5

function someOf(all: readonly string[]): string {
  const rest = all.length - NAMED
  return [...all.slice(0, NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

/** Creates the lists of a report from the data read. Pure. */
function listReviews(summary: ReviewSummary<ReviewFinding>): Omit<Report['reviews'], 'span' | 'summary'> {
  return {
    overdue: { total: summary.overdue, entries: summary.longestOverdue },
    due: { total: summary.due, entries: summary.dueNext },
    later: { total: summary.later, entries: summary.laterNext },
    never: { total: summary.never, entries: summary.neverDue },
    undated: { total: summary.undated, entries: summary.withoutDate },
  }
}

/** Lists articles without a file: those of the review-dates list, and those that only the list of links contains. */
function listUnowned({ reviews, links, identified }: TargetRead): Listing<UnownedArticle> & {
  /** False if the lists are too long to know which articles both of them contain. */
  readonly isExact: boolean
} {
  const { total, entries } = reviews.unowned
  const isExact = total <= REPORT_LIST_LIMIT && links.others.size < REPORT_LIST_LIMIT
  if (total > REPORT_LIST_LIMIT) return { total, entries, isExact }
  const orphanIds = new Set(identified.orphans.map(({ id }) => id))
  const others = [...links.others.values()].map(
    ({ file: _file, url: _url, categories: _categories, ...article }): UnownedArticle => ({
      ...article,
      kind: orphanIds.has(article.id) ? 'orphan' : 'foreign',
    }),
  )
  const all = [...entries, ...others].toSorted(byTitle)
  return { total: all.length, entries: all.slice(0, REPORT_LIST_LIMIT), isExact }
}

function countCategories(files: readonly KnownFile[], { reviews, links }: TargetRead) {
  const counter = createCategoryCounter()
  for (const { source, categories } of files) {
    counter.addArticle(categories, reviews.standings.get(source))
    const broken = links.brokenBySource.get(source) ?? 0
    if (broken > 0) counter.addBrokenLinks(categories, broken)
  }
  return counter.summary()
}

/**
 * Distributes places among links that a target lists separately although URL and article are the same: the first link
 * gets the first place, and so on; the last one gets the remaining places. Pure.
 *
 * @param findings those with the same article and URL are adjacent
 */
function sharePlaces(findings: readonly LinkFinding[]): readonly LinkFinding[] {
  let at = 0
  return findings.map((finding, index) => {
    at = isSame(findings[index - 1], finding) ? at + 1 : 0
    const isLast = !isSame(findings[index + 1], finding)
    const { places } = finding
    if (places.length < 2 || (at === 0 && isLast)) return finding
    const first = Math.min(at, places.length - 1)
    return { ...finding, places: isLast ? places.slice(first) : places.slice(first, first + 1) }
  })
}

function isSame(one: LinkFinding | undefined, other: LinkFinding): boolean {
  return one !== undefined && one.article.id === other.article.id && one.url === other.url
}

interface ThresholdOptions {
  readonly failOn: readonly ThresholdName[]
  /** Maximum number of overdue articles. Setting it enables the check. */
  readonly maxOverdue?: number | undefined
}

type JudgedCounts = Pick<ReportCounts, ThresholdName | 'acceptedOverdue' | 'acceptedBroken'>

/** Returns the exceeded limits. What the baseline accepts does not count; without a number, the limit is zero. */
export function judgeThresholds(
  counts: JudgedCounts,
  { failOn, maxOverdue }: ThresholdOptions,
): readonly ExceededThreshold[] {
  return THRESHOLDS.flatMap((name) => {
    const isJudged = failOn.includes(name) || (name === 'overdue' && maxOverdue !== undefined)
    const allowed = name === 'overdue' ? (maxOverdue ?? 0) : 0
    const count = countOf(name, counts)
    return isJudged && count > allowed ? [{ name, count, allowed }] : []
  })
}

function countOf(name: ThresholdName, counts: JudgedCounts): number {
  switch (name) {
    case 'overdue':
      return counts.overdue - counts.acceptedOverdue
    case 'broken':
      return counts.broken - counts.acceptedBroken
    case 'due':
      return counts.due
  }
}
