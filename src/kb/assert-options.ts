// Types do not reach a program in JavaScript, and a mistyped option there must not pass for one that was left out.
import { KbError } from '../core/errors/kb-error.ts'
import { nearest } from '../core/nearest.ts'
import { THRESHOLDS } from '../core/model/threshold.ts'
import { OWNER_SOURCES, OWNERS_SHOWN } from '../inspect/report/report.ts'
import { explainWrongLinks } from './site/explain-wrong-links.ts'
import type { Kb } from './kb.ts'
import type {
  AssetsOptions,
  CheckOptions,
  DoctorOptions,
  ExternalCheckOptions,
  KbOptions,
  MoveOptions,
  NewArticleOptions,
  OpenSiteOptions,
  PlanOptions,
  PullOptions,
  ReportOptions,
  RunOptions,
  WatchOptions,
} from './run-options.ts'

interface Kind {
  /** Goes behind "must be". */
  readonly noun: string
  readonly fits: (value: unknown) => boolean
  readonly isRequired?: true
}

type Shape<Options> = { readonly [Key in keyof Required<Options>]: Kind }

const ofType = (type: string, noun: string): Kind => ({ noun, fits: (value) => typeof value === type })
const TEXT = ofType('string', 'a string')
const NEEDED: Kind = { ...TEXT, isRequired: true }
const FLAG = ofType('boolean', 'true or false')
const CALLBACK = ofType('function', 'a function')
const RECORD: Kind = { noun: 'an object', fits: (value) => typeof value === 'object' && value !== null }
const TEXTS: Kind = {
  noun: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
}
const COUNT: Kind = {
  noun: 'a whole number of 1 or more',
  fits: (value) => Number.isInteger(value) && (value as number) >= 1,
}
const AMOUNT: Kind = {
  noun: 'a whole number of 0 or more',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
}
const PORT: Kind = {
  noun: 'a port from 0 to 65535',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
}
const CONFLICT: Kind = {
  noun: 'fail, skip or overwrite',
  fits: (value) => value === 'fail' || value === 'skip' || value === 'overwrite',
}
const LIMIT: Kind = {
  noun: 'a number or a percentage',
  fits: (value) => typeof value === 'number' || typeof value === 'string',
}
// Not only that of this realm.
const SIGNAL: Kind = {
  noun: 'an AbortSignal',
  fits: (value) => typeof value === 'object' && value !== null && 'aborted' in value,
}

const oneOf = (names: readonly string[]): Kind => ({
  noun: `one of ${names.join(', ')}`,
  fits: (value) => names.includes(value as string),
})
const someOf = (names: readonly string[]): Kind => ({
  noun: `a list of some of ${names.join(', ')}`,
  fits: (value) => Array.isArray(value) && value.every((each) => names.includes(each as string)),
})

const run: Shape<RunOptions> = { signal: SIGNAL }
const content = { ...run, sources: TEXTS, onProgress: CALLBACK }
const target = { ...content, target: TEXT, concurrency: COUNT, onDelay: CALLBACK }
const plan: Shape<PlanOptions> = {
  ...target,
  prune: FLAG,
  onConflict: CONFLICT,
  adopt: TEXTS,
  maxDeletes: LIMIT,
  yes: FLAG,
  verify: FLAG,
  plan: TEXT,
  diff: FLAG,
  out: TEXT,
}
const { diff: _diff, out: _out, ...sync } = plan
const external: Shape<ExternalCheckOptions> = { allowPrivateAddresses: FLAG }
const pull: Shape<PullOptions> = {
  ...target,
  dryRun: FLAG,
  onConflict: CONFLICT,
  editsOnly: FLAG,
}
const watch: Shape<WatchOptions> = {
  ...run,
  target: TEXT,
  prune: FLAG,
  concurrency: COUNT,
  onDelay: CALLBACK,
  pages: FLAG,
  host: TEXT,
  port: PORT,
  onEvent: CALLBACK,
}
const newArticle: Shape<NewArticleOptions> = {
  ...run,
  title: NEEDED,
  categories: TEXTS,
  tags: TEXTS,
  language: TEXT,
  translationOf: TEXT,
  slug: TEXT,
  folder: TEXT,
  dryRun: FLAG,
}
const move: Shape<MoveOptions> = { ...run, from: NEEDED, to: NEEDED, newSlug: FLAG, dryRun: FLAG }
const assets: Shape<AssetsOptions> = { ...run, folder: NEEDED, dryRun: FLAG, onProgress: CALLBACK }
const report: Shape<ReportOptions> = {
  ...target,
  dueWithinDays: AMOUNT,
  failOn: someOf(THRESHOLDS),
  maxOverdue: AMOUNT,
  ignoreLinks: TEXTS,
  baseline: TEXT,
  writeBaseline: FLAG,
  owners: oneOf(OWNERS_SHOWN),
  ownersFrom: oneOf(OWNER_SOURCES),
  external: RECORD,
  history: FLAG,
}
const openSite: Shape<OpenSiteOptions> = { ...run, links: RECORD, drafts: FLAG }
const doctor: Shape<DoctorOptions> = { ...run, target: TEXT, probe: FLAG, onPhase: CALLBACK }
const check: Shape<CheckOptions> = { ...content, external: RECORD }
const createKb: Shape<KbOptions> = { cwd: TEXT, config: TEXT, env: RECORD }

const SHAPES = {
  check,
  plan,
  sync,
  pull,
  watch,
  newArticle,
  move,
  assets,
  report,
  openSite,
  doctor,
  loadSettings: run,
  createKb,
}

/** @throws KbError USAGE for an option that `name` does not take, of another type than it takes, or that is missing */
export function assertOptions(name: keyof Kb | 'createKb', options: unknown): void {
  assertShape(`${name}()`, options, SHAPES[name])
  const inner = (options as CheckOptions).external
  if ((name === 'check' || name === 'report') && inner !== undefined)
    assertShape(`${name}({ external })`, inner, external)
  const { links } = options as OpenSiteOptions
  const wrongLinks = name !== 'openSite' || links === undefined ? undefined : explainWrongLinks(links)
  if (wrongLinks !== undefined) throw new KbError('USAGE', `openSite(): ${wrongLinks}`)
}

function assertShape(call: string, options: unknown, shape: Readonly<Record<string, Kind>>): void {
  if (!RECORD.fits(options)) throw wrong(`${call} takes an object with options.`, shape)
  const given = options as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(shape, key))
  if (unknown !== undefined) throw wrong(`${call} has no option "${unknown}".`, shape, unknown)
  for (const [key, { noun, fits, isRequired = false }] of Object.entries(shape)) {
    const value = given[key]
    if (value === undefined ? isRequired : !fits(value))
      throw wrong(`${call}: ${key} must be ${noun}.`, shape)
  }
}

function wrong(message: string, shape: Readonly<Record<string, Kind>>, key?: string): KbError {
  const keys = Object.keys(shape)
  const meant = key === undefined ? undefined : nearest(key, keys)
  const hint = meant === undefined ? `The options are: ${keys.join(', ')}.` : `Did you mean "${meant}"?`
  return new KbError('USAGE', message, { hint })
}
