import type { RequestCounts } from '../../api/client/request-counter.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { isGitMissing } from '../../core/git/read-file-history.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { workspaceOf, stateFiles } from '../../sync/state/workspace.ts'
import type { CheckName } from './checks.ts'
import { checkBuiltin } from './checks/check-builtin.ts'
import { checkConfiguration } from './checks/check-configuration.ts'
import { type CheckedFiles, checkFiles, checkWorkspace } from './checks/check-files.ts'
import { checkRemote } from './checks/check-remote.ts'
import { checkState } from './checks/check-state.ts'
import type { RunDoctorOptions } from './doctor-options.ts'
import type { DoctorReport } from './doctor-report.ts'
import { failure, failureOf, type Finding, ok, skipped, warning } from './finding.ts'
import { runProbe } from './probe/run-probe.ts'
import { resolveParser } from '../../content/parser/resolve-parser.ts'
import { readProgramVersion } from '../../core/version.ts'

/**
 * Checks everything that a sync depends on, from the program to the target. A failed check skips only those that depend
 * on it. Writes nothing to the project, and without `probe` nothing to the target.
 */
export async function runDoctor(options: RunDoctorOptions): Promise<DoctorReport> {
  const findings: Finding[] = [checkVersion(process)]
  const { settings, target, findings: configured } = await checkConfiguration(options)
  if (settings !== undefined) findings.push(await checkParser(settings))
  findings.push(...(await checkGit(options)))
  findings.push(...configured)
  options.onPhase?.('files')
  const files = settings === undefined ? undefined : await checkFiles(settings, options.signal)
  try {
    findings.push(
      ...(files?.findings ?? [skipped('files.content', BROKEN), skipped('files.problems', BROKEN)]),
    )
    findings.push(...(await checkWorkspace(settings?.root ?? options.cwd, process.platform)))
    if (settings === undefined || target === undefined) {
      findings.push(...withoutTarget(settings === undefined ? BROKEN : NO_TARGET))
      return { target: undefined, findings, requests: {} }
    }
    const checked = await checkTarget({ options, settings, target }, files)
    return { target: target.name, findings: [...findings, ...checked.findings], requests: checked.requests }
  } finally {
    files?.close()
  }
}

const BROKEN = 'the configuration is not valid'
const NO_TARGET = 'no target could be chosen'

function withoutTarget(reason: string): Finding[] {
  return [skipped('state.file', reason), skipped('connection.answer', reason)]
}

interface ChosenTarget {
  readonly options: RunDoctorOptions
  readonly settings: Settings
  readonly target: TargetSettings
}

async function checkTarget(chosen: ChosenTarget, files: CheckedFiles | undefined) {
  const { options, settings, target } = chosen
  const paths = stateFiles(target, settings, workspaceOf(settings.root))
  const kept = checkState(paths, settings.project, options.now())
  options.onPhase?.('target')
  const looked =
    target.kind === 'builtin'
      ? await checkBuiltin(settings, files?.content, options.inspectDatabase)
      : await checkRemote({ ...chosen, target, state: kept.state, content: files?.content })
  const seen = [...kept.findings, ...looked.findings]
  if (!options.probe) return { findings: seen, requests: looked.requests }
  if (looked.obstacle !== undefined)
    return { findings: [...seen, skipped('probe.run', looked.obstacle)], requests: looked.requests }
  options.onPhase?.('probe')
  const probed = await probeTarget(chosen, kept.state)
  return {
    findings: settleUnknown(seen, probed.findings),
    requests: addCounts(looked.requests, probed.requests),
  }
}

function addCounts(one: RequestCounts, other: RequestCounts): RequestCounts {
  const methods = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...methods].map((method) => [method, (one[method] ?? 0) + (other[method] ?? 0)]))
}

/** The checks of a probe that replace findings that were unknown. */
const SETTLED_BY: Partial<Record<CheckName, CheckName>> = {
  'connection.write': 'probe.create',
  'target.comments': 'probe.comments',
  'target.slugs': 'probe.slugs',
}

/** Returns all findings. Those of the probe replace unknown ones. */
function settleUnknown(seen: readonly Finding[], probed: readonly Finding[]): readonly Finding[] {
  const isSettled = ({ check, status }: Finding) =>
    status === 'unknown' && probed.some((finding) => finding.check === SETTLED_BY[check])
  return [...seen.filter((finding) => !isSettled(finding)), ...probed]
}

/** Runs the probe over its own connection, which no signal closes, because created articles must be removed. */
async function probeTarget({ options, settings, target }: ChosenTarget, state: TargetState) {
  try {
    const connect = options.connect(target, settings)
    const session = await connect({ readOnly: false })
    try {
      const findings = await runProbe({
        ...options,
        client: session.client,
        defaultLanguage: settings.defaultLanguage,
        settleMs: settings.sync.settleMs,
        knownIds: new Set(state.articles.map(({ id }) => id)),
      })
      return { findings, requests: session.client.countRequests() }
    } finally {
      await session.close()
    }
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    return { findings: [failureOf('probe.run', error)], requests: {} }
  }
}

async function checkGit({ cwd, env, signal }: RunDoctorOptions): Promise<Finding[]> {
  if (!(await isGitMissing({ folder: cwd, env, signal }))) return []
  const hint =
    'Install git, or add its folder to PATH. Without it, kb report and kb check know nothing of the history of the files.'
  return [warning('program.git', 'git was not found, although this folder is in a git repository.', hint)]
}

/** The oldest supported version of Node.js, as in package.json. */
const OLDEST_NODE = [20, 19] as const

interface Runtime {
  readonly version: string
  readonly platform: string
  readonly arch: string
}

export function checkVersion({ version, platform, arch }: Runtime): Finding {
  const message = `kb-sync ${readProgramVersion()} on Node.js ${version.replace(/^v/, '')}, ${platform} ${arch}`
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? failure(
        'program.version',
        `${message} is too old.`,
        `Install Node.js ${OLDEST_NODE.join('.')} or newer.`,
      )
    : ok('program.version', message)
}

export async function checkParser({ render }: Pick<Settings, 'render'>): Promise<Finding> {
  try {
    const { kind, fallback } = await resolveParser(render)
    if (fallback === undefined)
      return ok('program.parser', kind === 'native' ? 'the native Markdown parser runs' : 'remark-parse runs')
    return warning(
      'program.parser',
      `The native Markdown parser cannot run here (${fallback}); remark-parse runs instead. Its output may differ from that of other machines.`,
      "Install @bruits/satteri-wasm32-wasi for the same output, or set markdown.parser to 'remark' everywhere.",
    )
  } catch (error) {
    // The user's plugin may throw any value.
    return failure(
      'program.parser',
      `A plugin of markdown.remarkPlugins fails: ${reasonOf(error)}`,
      'Fix the plugin, or remove it from the configuration.',
    )
  }
}
