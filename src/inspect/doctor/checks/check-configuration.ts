import { relative } from 'node:path'
import { loadConfig } from '../../../core/config/load-config.ts'
import {
  explainUnnamed,
  type KbEnvironment,
  readEnvironment,
  resolveTarget,
} from '../../../core/config/resolve-target.ts'
import { type Settings, type TargetSettings, UNNAMED_PROJECT } from '../../../core/config/settings.ts'
import type { RunDoctorOptions } from '../doctor-options.ts'
import { failureOf, type Finding, ok, skipped, warning } from '../finding.ts'

type Options = Pick<RunDoctorOptions, 'cwd' | 'configFile' | 'targetName' | 'env'>

export async function checkConfiguration(options: Options) {
  const findings: Finding[] = []
  const settings = await loadSettings(options, findings)
  const environment = checkEnvironment(options.env, findings)
  if (settings === undefined) return { findings, settings, target: undefined }
  const chosen: Finding[] = []
  const target = checkTarget(settings, options.targetName, environment, chosen)
  findings.push(checkProject(settings, target), ...checkPreset(settings), ...chosen)
  findings.push(checkKey(settings, target, environment), ...checkPassword(settings))
  return { findings, settings, target }
}

async function loadSettings({ cwd, configFile }: Options, findings: Finding[]) {
  try {
    const settings = await loadConfig({ cwd, configFile, leavesNoTrace: true })
    const file = settings.configFile
    findings.push(
      ok(
        'configuration.file',
        file === undefined
          ? 'there is no configuration file; the defaults apply'
          : `${relative(settings.root, file)} is valid`,
      ),
    )
    return settings
  } catch (error) {
    findings.push(failureOf('configuration.file', error))
    return undefined
  }
}

function checkEnvironment(env: Options['env'], findings: Finding[]): KbEnvironment | undefined {
  try {
    const environment = readEnvironment(env)
    const names = ['KB_URL', 'KB_API_KEY', 'KB_ALLOW_HTTP', 'KB_DB'].filter((name) => env[name])
    const set = names.length === 0 ? 'no KB_ variable is set' : `set: ${names.join(', ')}`
    findings.push(ok('configuration.environment', set))
    return environment
  } catch (error) {
    findings.push(failureOf('configuration.environment', error))
    return undefined
  }
}

function checkProject(settings: Settings, target: TargetSettings | undefined): Finding {
  const { project } = settings
  if (project !== UNNAMED_PROJECT) return ok('configuration.project', `the project is "${project}"`)
  const unnamed = target === undefined ? undefined : explainUnnamed(settings, target)
  if (unnamed !== undefined) return failureOf('configuration.project', unnamed)
  return warning(
    'configuration.project',
    'The project has no name. The name identifies its articles, so a remote target requires one.',
    "Set project in kb.config.ts, such as project: 'acme-help', before the first sync to a remote target.",
  )
}

/** Returns nothing without a preset. */
function checkPreset({ render: { frontmatter: mapping } }: Settings): Finding[] {
  if (mapping === undefined) return []
  const { preset, read } = mapping
  if (preset === undefined) {
    return [
      ok(
        'configuration.preset',
        'your own mapping: the function frontmatter in kb.config.ts reads the files',
      ),
    ]
  }
  const own = read === undefined ? '' : ', and then the function frontmatter in kb.config.ts'
  return [ok('configuration.preset', `the preset '${preset}' reads the files${own}`)]
}

function checkTarget(
  settings: Settings,
  name: string | undefined,
  environment: KbEnvironment | undefined,
  findings: Finding[],
): TargetSettings | undefined {
  if (environment === undefined) {
    findings.push(skipped('configuration.target', 'the environment variables are wrong'))
    return undefined
  }
  try {
    const target = resolveTarget(settings, name, environment)
    findings.push(describeTarget(target, environment))
    return target
  } catch (error) {
    findings.push(failureOf('configuration.target', error))
    return undefined
  }
}

function describeTarget(target: TargetSettings, { url }: KbEnvironment): Finding {
  if (target.kind === 'builtin') return ok('configuration.target', 'the target is the built-in server')
  const origin = url === undefined ? `target "${target.name}"` : 'the target, from KB_URL,'
  const message = `${origin} is ${target.url}`
  if (target.url.startsWith('https:') || target.allowHttp === undefined)
    return ok('configuration.target', message)
  return warning(
    'configuration.target',
    `${message}: the API key is sent unencrypted, as allowHttp permits.`,
    'Use https:// as soon as the target supports it.',
  )
}

function checkKey(
  { target: configured, targets }: Settings,
  target: TargetSettings | undefined,
  environment: KbEnvironment | undefined,
): Finding {
  const written = [configured, ...Object.values(targets)].flatMap((each) =>
    each.kind === 'remote' && each.apiKey !== undefined ? [`"${each.name}"`] : [],
  )
  if (written.length > 0) {
    return warning(
      'configuration.key',
      `The configuration contains the API key of target ${written.join(', ')}, which may end up in git.`,
      'Remove it, set KB_API_KEY instead, and replace the key on the target.',
    )
  }
  if (target?.kind === 'builtin') return ok('configuration.key', 'the built-in server needs no key')
  if (environment?.apiKey !== undefined) return ok('configuration.key', 'the API key comes from KB_API_KEY')
  return skipped('configuration.key', 'there is no API key')
}

function checkPassword({ pages }: Settings): Finding[] {
  if (pages.password === undefined) return []
  return [
    warning(
      'configuration.password',
      'The configuration contains the password of the pages, which may end up in git.',
      'Remove it, and set another password in KB_PAGES_PASSWORD.',
    ),
  ]
}
