// The options of every command. The library's types, its validation, and the flags of the command line are derived from
// them. A boolean is a flag; an option with `value` is a flag with a value; others exist only in the library.
import { isIP } from 'node:net'
import * as z from 'zod'
import type { Delay } from '../api/client/send-with-retries.ts'
import type { CategoryChoice } from '../authoring/create/create-options.ts'
import { concurrency, maxDeletes, onConflict, port, wholeNumber } from '../core/config/schema.ts'
import { parseShard } from '../core/config/shard.ts'
import { PRESET_NAMES } from '../core/dialects/dialects.ts'
import { THRESHOLDS } from '../core/model/threshold.ts'
import type { DoctorPhase } from '../inspect/doctor/doctor-options.ts'
import { parseDurationMs } from '../core/quantities.ts'
import { OWNER_SOURCES, OWNERS_SHOWN } from '../web/report/report.ts'
import type { Progress } from '../sync/target-session.ts'
import type { SyncStage } from '../sync/sync-options.ts'
import { parseContentFolder, type Parsed, parseLanguage, parseTargetAddress } from './init/parse-answers.ts'
import type { Environment } from './project.ts'
import type { SiteLinks } from './site/describe-site.ts'
import type { KbWatchEvent } from './watch-events.ts'

const filled = z.string().min(1, 'must not be empty')
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isFunction = (value: unknown) => typeof value === 'function'

const option = <Schema extends z.ZodType>(schema: Schema, value: string, description: string) =>
  schema.optional().meta({ description, value })
const flag = (description: string) => z.boolean().optional().meta({ description })
/** @param off description of the flag that turns it off */
const onByDefault = (description: string, off: string) => z.boolean().optional().meta({ description, off })
const text = (value: string, description: string) => option(filled, value, description)
const texts = (value: string, description: string) => option(z.array(filled).readonly(), value, description)
const callback = <Call>(description: string) =>
  z.custom<Call>(isFunction, 'must be a function').optional().meta({ description })

const run = {
  signal: z
    // Also accepts a signal of another realm.
    .custom<AbortSignal>((value) => isObject(value) && 'aborted' in value, 'must be an AbortSignal')
    .optional()
    .describe(
      'stops the run after the requests in progress. If there is no result yet, it throws `KbError` INTERRUPTED; otherwise, that is the `failure` of the result',
    ),
}

const content = {
  ...run,
  sources: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(
      'paths of the articles and folders to process, relative to the content folder, with `/` (default: all)',
    ),
  onProgress: callback<Progress>(
    'called with the progress of the run: the phase, what is done, and the total',
  ),
}

const connection = {
  target: text('name', 'a target of the configuration, or builtin'),
  concurrency: option(concurrency, 'n', 'concurrent requests'),
  onDelay: callback<(delay: Delay) => void>(
    'called for each pause before a request to a remote target is repeated',
  ),
}

const sync = {
  ...content,
  ...connection,
  onStage: callback<(stage: SyncStage) => void>(
    'called when a stage of the run begins, to measure its duration',
  ),
  prune: flag('delete managed articles whose file is gone'),
  onConflict: option(onConflict, 'how', 'articles that were edited on the target'),
  keepGoing: flag('send valid articles, and hold back those with errors'),
  adopt: texts('slug', 'take over an article that kb-sync did not create'),
  verify: flag('read every managed article, to also find edits of articles with nothing to send'),
  maxDeletes: option(
    maxDeletes,
    'n',
    'maximum number of deletions, or a percentage; if there are more, nothing is deleted',
  ),
  yes: flag('override the guards against too many deletions'),
}

const external = z
  .strictObject({ allowPrivateAddresses: flag('allow connections to private addresses') })
  .optional()
  .describe('check links to other sites; links that worked recently are not checked again')

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const CHECK_RULE = 'must be off, or a duration from 1m to 365d, such as 12h'

/** Parses a duration such as `15s` to milliseconds. `0` needs no unit. */
function duration(rule: string, leastMs: number, mostMs: number) {
  return z.string().transform((written, context) => {
    const ms = written === '0' ? 0 : parseDurationMs(written)
    if (ms !== undefined && ms >= leastMs && ms <= mostMs) return ms
    context.addIssue(rule)
    return z.NEVER
  })
}

/** An IP address, or a network in CIDR notation. */
const network = z.string().refine((written) => {
  const [address = '', bits, rest] = written.split('/')
  const version = isIP(address)
  if (version === 0 || rest !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}, 'must be an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8')

/** `[host:]port`; the default host is localhost. */
const metricsAddress = z.string().transform((written, context) => {
  const [, host = '127.0.0.1', digits = ''] = /^(?:\[?([^[\]]+)\]?:)?(\d+)$/.exec(written) ?? []
  const parsed = port.safeParse(digits === '' ? undefined : Number(digits))
  if (parsed.success) return { host, port: parsed.data }
  context.addIssue('must be a port or host:port, such as 9100')
  return z.NEVER
})

function answer(parse: (written: string) => Parsed<string>) {
  return z.string().transform((written, context) => {
    const parsed = parse(written)
    if (parsed.kind === 'value') return parsed.value
    context.addIssue(parsed.reason.replace(/^It /, '').replace(/\.$/, ''))
    return z.NEVER
  })
}

export const OPTIONS = {
  createKb: z.strictObject({
    cwd: text('dir', 'the project folder, or one in it (default: the current one)'),
    config: text('file', 'configuration file (default: kb.config.ts)'),
    env: z
      .custom<Environment>(isObject, 'must be an object')
      .optional()
      .describe('where KB_URL, KB_API_KEY and the proxy variables are read (default: process.env)'),
  }),
  loadSettings: z.strictObject(run),
  check: z.strictObject({
    ...content,
    fix: flag('apply safe fixes: dates, slugs, keys, links, white space at line ends'),
    dryRun: flag('with --fix: show what would be written, as a diff'),
    baseline: text('file', 'accept the problems in this file; only new ones count'),
    writeBaseline: flag('accept all problems: write them to the baseline'),
    external,
  }),
  plan: z.strictObject({
    ...sync,
    diff: flag('show how the article on the target and the file differ'),
    out: text('file', 'save the plan for kb sync --plan'),
  }),
  sync: z.strictObject({ ...sync, plan: z.undefined().optional() }),
  /** Executes a saved plan. Rejected if files or target have changed since. */
  savedPlan: z.strictObject({
    onProgress: content.onProgress,
    onStage: sync.onStage,
    signal: run.signal,
    concurrency: connection.concurrency,
    onDelay: connection.onDelay,
    yes: sync.yes,
    shard: option(
      z
        .string()
        .refine(
          (written) => parseShard(written) !== undefined,
          'must be n/m with n from 1 to m, such as 2/8',
        ),
      'n/m',
      'with --plan: send one of several parts of the plan, such as 2/8',
    ),
    plan: filled.meta({
      description: 'carry out a plan saved by kb plan --out, or nothing if it is outdated',
      value: 'file',
    }),
  }),
  pull: z.strictObject({
    ...content,
    ...connection,
    dryRun: flag('show what would be written, with the differences'),
    onConflict: option(onConflict, 'how', 'articles that were edited in the file and on the target'),
    editsOnly: flag('ignore articles that exist only on the target'),
  }),
  watch: z.strictObject({
    ...run,
    concurrency: connection.concurrency,
    onDelay: connection.onDelay,
    target: text('name', 'a target of the configuration (default: KB_URL, else builtin)'),
    prune: flag('delete articles whose file is gone'),
    pages: onByDefault('`false` serves no pages', 'serve no pages'),
    host: text('host', 'address of the pages (default: server.host, 127.0.0.1)'),
    port: option(port, 'port', 'port of the pages, 0 for a free one (default: server.port, 4400)'),
    onEvent: callback<(event: KbWatchEvent) => void>('called with every event, in order'),
  }),
  newArticle: z.strictObject({
    ...run,
    title: filled.describe('its title'),
    categories: texts('name', 'a category: slug, name or path'),
    tags: texts('name', 'a tag: slug or name'),
    language: text('code', 'its language (default: defaultLanguage)'),
    translationOf: text('article', 'the original that it translates: slug or path'),
    slug: text('slug', 'its slug (default: derived from the title)'),
    folder: text('folder', 'its folder (default: the folder of similar articles)'),
    dryRun: flag('show the file; write nothing'),
    chooseCategory: callback<(choices: readonly CategoryChoice[]) => Promise<string>>(
      'called if several categories are possible and none is given; without it, that is an error',
    ),
  }),
  move: z.strictObject({
    ...run,
    from: filled.describe('file or folder, relative to `cwd` or the content folder'),
    to: filled.describe('its new path, or a folder to move it into'),
    newSlug: flag('derive new slugs, and so new URLs, from the new names'),
    dryRun: flag('show every link that would be updated; write nothing'),
  }),
  assets: z.strictObject({
    ...run,
    folder: filled.describe('the destination, relative to `cwd`; existing files stay'),
    dryRun: flag('show what would be copied'),
    onProgress: content.onProgress,
  }),
  report: z.strictObject({
    ...content,
    ...connection,
    dueWithinDays: option(
      wholeNumber(0, 9999),
      'days',
      'reviews within this number of days count as due (default: 30)',
    ),
    failOn: option(
      z.array(z.enum(THRESHOLDS)).readonly(),
      'list',
      `end with exit code 1 if there are any: ${THRESHOLDS.join(', ')}`,
    ),
    maxOverdue: option(wholeNumber(0, 999_999_999), 'n', 'end with exit code 1 if more articles are overdue'),
    ignoreLinks: texts('pattern', 'URLs to ignore; * matches anything'),
    baseline: text('file', 'accept the findings in this file (default: report.baseline)'),
    writeBaseline: flag('accept all findings: write them to the baseline'),
    owners: z
      .enum(OWNERS_SHOWN)
      .optional()
      .describe('show owners: their names, or with email also their e-mail addresses'),
    ownersFrom: option(z.enum(OWNER_SOURCES), 'source', 'where to look up owners'),
    external,
    history: onByDefault(
      '`false` neither reads nor stores the results of earlier reports',
      'neither compare with earlier reports nor store this one',
    ),
  }),
  openSite: z.strictObject({
    ...run,
    links: z
      .custom<SiteLinks>(isObject, 'must be an object')
      .optional()
      .describe('the URLs of the pages of the site (default: `links` of the configuration)'),
    drafts: flag('include drafts'),
  }),
  doctor: z.strictObject({
    ...run,
    target: connection.target,
    probe: flag('test the target with a hidden draft, and remove it again'),
    onPhase: callback<(phase: DoctorPhase) => void>('called with each phase'),
  }),
  init: z.strictObject({
    content: option(answer(parseContentFolder), 'dir', 'the content folder (default: content)'),
    preset: option(
      z.enum([...PRESET_NAMES, 'none']),
      'tool',
      'read the documents of a site as they are (default: the site that is found)',
    ),
    url: option(
      answer(parseTargetAddress),
      'url',
      'the URL of a remote target (default: the built-in server)',
    ),
    language: option(answer(parseLanguage), 'code', 'the language of the articles (default: en)'),
    ci: option(
      z.array(z.enum(['github', 'gitlab', 'none'])).readonly(),
      'system',
      'add a CI workflow: github, gitlab or none',
    ),
    report: flag('with --ci: also report due reviews and broken links on a schedule'),
    install: onByDefault('`false` installs nothing', 'do not install kb-sync'),
    accept: flag('write the settings that let a first sync through'),
    nested: flag('create a separate project within another one'),
    yes: flag('ask nothing; use the defaults'),
  }),
  serve: z.strictObject({
    host: text('host', 'address to listen on (default: server.host, 127.0.0.1)'),
    port: option(port, 'port', 'port to listen on, 0 for a free one (default: server.port, 4400)'),
    db: text(
      'file|url',
      'SQLite file or postgres:// URL (default: KB_DB, server.db, .kb/kb.db in the project, or without one in this folder)',
    ),
    metrics: option(metricsAddress, 'address', 'serve metrics, without a key, on [host:]port'),
    rateLimit: option(wholeNumber(1, Infinity), 'n', 'requests per minute of each key (default: no limit)'),
    maxConnections: option(wholeNumber(1, Infinity), 'n', 'concurrent connections (default: 1000)'),
    trustedProxy: option(
      z.array(network).readonly(),
      'address',
      'address or network of a proxy whose X-Forwarded headers are trusted',
    ),
    drain: option(
      duration('must be a duration up to 1h, such as 15s', 0, HOUR_MS),
      'duration',
      'how long it reports not ready, but still serves, before it stops',
    ),
    logLevel: option(
      z.enum(['silent', 'error', 'warn', 'info', 'debug']),
      'level',
      'what is logged to stderr (default: info; warn on a terminal)',
    ),
    checkLinks: option(
      z.union([z.literal('off'), duration(CHECK_RULE, MINUTE_MS, 365 * DAY_MS)], CHECK_RULE),
      'every',
      'how often links are checked: off, or a duration (default: 1d)',
    ),
    checkPrivateLinks: flag('allow link checks to connect to private addresses'),
    pages: flag('serve the published articles as pages'),
  }),
}

export type KbOptions = z.input<typeof OPTIONS.createKb>
export type RunOptions = z.input<typeof OPTIONS.loadSettings>
export type CheckOptions = z.input<typeof OPTIONS.check>
export type PlanOptions = z.input<typeof OPTIONS.plan>
export type SyncOptions = z.input<typeof OPTIONS.sync>
export type SavedPlanOptions = z.input<typeof OPTIONS.savedPlan>
export type PullOptions = z.input<typeof OPTIONS.pull>
export type WatchOptions = z.input<typeof OPTIONS.watch>
export type NewArticleOptions = z.input<typeof OPTIONS.newArticle>
export type MoveOptions = z.input<typeof OPTIONS.move>
export type AssetsOptions = z.input<typeof OPTIONS.assets>
export type ReportOptions = z.input<typeof OPTIONS.report>
export type OpenSiteOptions = z.input<typeof OPTIONS.openSite>
export type DoctorOptions = z.input<typeof OPTIONS.doctor>
export type InitOptions = z.output<typeof OPTIONS.init>
export type ServeOptions = z.output<typeof OPTIONS.serve>
