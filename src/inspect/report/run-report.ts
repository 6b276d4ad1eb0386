import type { ApiClient } from '../../api/client/create-client.ts'
import { compareTexts } from '../../core/compare-texts.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import {
  createHistoryContext,
  findOutdatedTranslations,
} from '../check/history/find-outdated-translations.ts'
import { createIsLeftOut } from './addresses.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { type FileHistory, readFileHistory, UNKNOWN_HISTORIES } from '../../core/git/read-file-history.ts'
import { monthsAround } from '../../web/dashboard/summary/calendar.ts'
import { loadPast } from '../../sync/state/load-past.ts'
import { workspaceOf, stateFiles } from '../../sync/state/workspace.ts'
import { selectSources } from '../../sync/select-sources.ts'
import { formatNumber } from '../../core/format-number.ts'
import { assembleReport, judgeThresholds } from './assemble-report.ts'
import { type OpenBaseline, openBaseline } from './baseline/baseline.ts'
import { findOwners } from './owners/find-owners.ts'
import { historyFile, rememberReport } from './history/keep-history.ts'
import { wantedByFiles } from './identify/wanted-by-files.ts'
import { createPlaceFinder } from './join/find-places.ts'
import { type KnownFile, knownFiles } from './join/join.ts'
import { openLocalCheck } from './local-check.ts'
import { readTarget } from './read-target.ts'
import type { OutdatedTranslation, Report } from '../../web/report/report.ts'
import { publicUrls } from '../../web/pages/page-addresses-of.ts'
import { openReportContent, type ReportContent } from './open-report-content.ts'
import type { ReportTask } from './report-task.ts'
import { type AgeSummary, createAgeCounter } from '../../web/dashboard/summary/summarize-ages.ts'
import { FRONTMATTER_START } from '../../content/source/source-problem.ts'

/** Number of months before and after this one that are counted day by day. */
const MONTHS_BEFORE = 2
const MONTHS_AFTER = 10

/**
 * Reads the lists of the target and combines them with the files. Writes nothing to the target, takes no lock on the
 * state and does not change it: writes only its own history, and a baseline if requested.
 *
 * @throws KbError BASELINE_INVALID, FILES_UNWRITABLE, CONTENT_UNREADABLE, INTERRUPTED and what connecting and the
 *   client throw
 */
export async function runReport(task: ReportTask): Promise<Report> {
  const { settings, now } = task
  const at = now()
  const isIgnored = createIsLeftOut(task.ignoredLinks)
  const baseline = await openBaseline(task.baseline, settings.root, isIgnored)
  const content = await openReportContent(task)
  try {
    const report = await makeReport(task, { at, baseline, content, isIgnored })
    return await finishReport(task, report, { baseline, isIgnored })
  } finally {
    content.close()
  }
}

interface ReportParts {
  readonly at: Date
  readonly baseline: OpenBaseline
  readonly content: ReportContent
  /** True for URLs that the report omits. */
  readonly isIgnored: (url: string) => boolean
}

type BareReport = Omit<Report, 'changes' | 'history' | 'exceeded'>

async function makeReport(task: ReportTask, { at, baseline, content, isIgnored }: ReportParts) {
  const { settings } = task
  const today = at.toISOString().slice(0, 10)
  const span = monthsAround(today, MONTHS_BEFORE, MONTHS_AFTER)
  const wanted = wantedByFiles(content, content.found, settings.render.frontmatter)
  const files = knownFiles(wanted, content, settings)
  const isSelected = selectSources(task.sources) ?? (() => true)
  const selected = [...files.values()].filter(({ source }) => isSelected(source))
  assertArticles(task.sources, selected)
  const past = await readPastOf([...files.keys()], task)
  const owners = await findOwners(task, past)
  const identify = { ...identifyOptions(task), wanted: wanted.articles }
  const { read, local } = await askTarget(task, async (client) => {
    // External checks are slow, so a missing key for the target is reported first.
    const opened = await openLocalCheck({ content, files, isSelected }, task)
    const lists = await readTarget({
      identify: { ...identify, client },
      join: {
        files,
        isSelected: task.sources === undefined ? undefined : isSelected,
        defaultLanguage: settings.defaultLanguage,
      },
      reviews: {
        scope: { today, dueWithinDays: task.dueWithinDays, span },
        isAccepted: baseline.acceptsOverdue,
        ownersOf: owners.ownersOf,
      },
      links: (known) => ({
        places: createPlaceFinder(content, settings),
        checkLocally: opened.judge(known),
        isIgnored,
        isAccepted: baseline.acceptsBroken,
      }),
      redirects: { nowMs: at.getTime(), urls: publicUrls(settings) },
      wantsAuthors: task.owners?.from === 'target',
    })
    return { read: lists, local: opened }
  })
  const documents = selected.flatMap(({ document }) => document ?? [])
  const { translations, notes } = await findTranslations(documents, past, task)
  const sources = selected.map(({ source }) => source)
  const measured = measureAges(past, sources, today)
  return assembleReport({
    task,
    at,
    span,
    read,
    selected,
    translations,
    ages: measured.ages,
    errors: content.errors,
    unneeded: task.sources === undefined ? baseline.unneeded() : [],
    notes: [...owners.notes(), ...local.notes, ...notes, ...measured.notes],
  })
}

/** Closes the connection to the target as soon as the work is done. */
async function askTarget<T>(
  { connect, signal }: Pick<ReportTask, 'connect' | 'signal'>,
  ask: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const session = await connect({ readOnly: true, signal })
  try {
    return await ask(session.client)
  } finally {
    await session.close()
  }
}

/** Reads the git history of all files, because files outside the selection may be originals of selected ones. */
function readPastOf(sources: readonly string[], { settings, owners, env, signal }: ReportTask) {
  const wantsAuthors = owners?.from === 'git'
  return readFileHistory({ folder: settings.contentRoot, sources, wantsAuthors, env, signal })
}

/** Rejects a selection without articles, which would look like a report without findings. @throws KbError USAGE */
function assertArticles(sources: readonly string[] | undefined, selected: readonly KnownFile[]): void {
  const empty = sources?.find((each) => {
    const isWithin = selectSources([each])
    return !selected.some(({ source }) => isWithin?.(source) ?? true)
  })
  if (empty === undefined) return
  throw new KbError('USAGE', `${empty} is neither an article nor a folder with articles.`, {
    hint: 'Use the paths of articles, or of folders that contain articles.',
  })
}

function identifyOptions(task: ReportTask) {
  const { project, defaultLanguage } = task.settings
  return { state: stateOf(task), project, defaultLanguage }
}

function stateOf({ target, settings }: ReportTask) {
  const files = stateFiles(target, settings, workspaceOf(settings.root))
  return loadPast(files, settings.project)
}

async function finishReport(
  task: ReportTask,
  report: BareReport,
  { baseline, isIgnored }: Pick<ReportParts, 'baseline' | 'isIgnored'>,
): Promise<Report> {
  const { settings, target, now, sleep } = task
  const workspace = workspaceOf(settings.root)
  await baseline.keep({ overdue: report.reviews.overdue.entries, broken: report.links.broken.entries })
  // A report about some files says nothing about the others.
  const isKept = task.keepsHistory && task.sources === undefined
  const place = isKept ? { workspace, file: historyFile(target, settings, workspace), now, sleep } : undefined
  const { notes, ...past } = await rememberReport(report, place, { ...task, isIgnored })
  return {
    ...report,
    ...past,
    exceeded: judgeThresholds(report.counts, task.thresholds),
    notes: [...report.notes, ...notes, ...(task.baseline?.isWritten === true ? explainCut(report) : [])],
  }
}

function explainCut({ reviews, links }: BareReport): string[] {
  const lists = { 'overdue articles': reviews.overdue, 'broken links': links.broken }
  return Object.entries(lists).flatMap(([name, { total, entries }]) =>
    total > entries.length
      ? [`The baseline lists the first ${formatNumber(entries.length)} of ${formatNumber(total)} ${name}.`]
      : [],
  )
}

async function findTranslations(
  articles: readonly LocalArticle[],
  past: FileHistory,
  task: ReportTask,
): Promise<{
  readonly translations: readonly OutdatedTranslation[] | undefined
  readonly notes: readonly string[]
}> {
  const context = createHistoryContext(task, articles)
  const found = await findOutdatedTranslations(context, past)
  if (found === undefined) {
    const reason = UNKNOWN_HISTORIES[past.kind === 'whole' ? 'none' : past.kind]
    return {
      translations: undefined,
      notes: [`Translations are not compared with their originals: ${reason}.`],
    }
  }
  const translations = found.map(({ article, original, originalChanged, translated, diff }) => ({
    title: article.title,
    language: article.language ?? task.settings.defaultLanguage,
    file: `${context.contentPrefix}${article.source}`,
    original: `${context.contentPrefix}${original}`,
    originalChanged,
    translated: translated.date,
    place: article.positions['translationOf'] ?? FRONTMATTER_START,
    hint: diff,
  }))
  return { translations: translations.toSorted((a, b) => compareTexts(a.file, b.file)), notes: [] }
}

/** Computes the time since each file was changed, according to git. Pure. @param today calendar date in UTC */
function measureAges(
  past: FileHistory,
  sources: readonly string[],
  today: string,
): {
  /** Undefined if git does not know the folder, or not its complete history. */
  readonly ages: AgeSummary | undefined
  readonly notes: readonly string[]
} {
  // Files that are not in git have no age, which needs no note.
  if (past.kind === 'none') return { ages: undefined, notes: [] }
  if (past.kind !== 'whole')
    return { ages: undefined, notes: [`The age of articles is unknown: ${UNKNOWN_HISTORIES[past.kind]}.`] }
  const counter = createAgeCounter(today)
  for (const source of sources) counter.add(past.lastCommitOf(source)?.date)
  return { ages: counter.summary(), notes: [] }
}
