import { basename, relative } from 'node:path'
import { KbError } from '../errors/kb-error.ts'
import { nearest, didYouMean } from '../nearest.ts'
import {
  fileStorageOf,
  remoteTarget,
  type RemoteTargetSettings,
  type Settings,
  type TargetSettings,
  UNNAMED_PROJECT,
} from './settings.ts'
import type { TaxonomyMode } from './schema.ts'
import { SHORTEST_PASSWORD } from './defaults.ts'
import { parseUrl } from '../parse-url.ts'
import { isLoopbackHost } from '../loopback.ts'

const KNOWN_VARIABLES = ['KB_URL', 'KB_API_KEY', 'KB_ALLOW_HTTP', 'KB_SYNC', 'KB_DB', 'KB_PAGES_PASSWORD']

/** The environment variables that kb-sync reads. */
export type KbEnvironment = ReturnType<typeof readEnvironment>

/**
 * Reads the variables; an empty value counts as not set.
 *
 * @throws KbError ENVIRONMENT_INVALID for an invalid value or an unknown KB_ variable, which may be a typo
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>) {
  const unknown = Object.keys(env).find((name) => name.startsWith('KB_') && !KNOWN_VARIABLES.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, KNOWN_VARIABLES)
    throw new KbError('ENVIRONMENT_INVALID', `The environment variable ${unknown} is unknown.`, {
      hint:
        meant === undefined
          ? `kb-sync reads ${KNOWN_VARIABLES.join(', ')}; unset other KB_ variables for this command.`
          : `Did you mean ${meant}?`,
    })
  }
  const [url, apiKey, allowHttp, sync, , pagesPassword] = KNOWN_VARIABLES.map(
    (name) => env[name] || undefined,
  )
  if (url !== undefined && !/^https?:$/.test(parseUrl(url)?.protocol ?? '')) {
    throw new KbError('ENVIRONMENT_INVALID', `KB_URL is not an http:// or https:// URL: ${url}`, {
      hint: 'Set it to the URL of the service, such as https://help.example.com.',
    })
  }
  if (pagesPassword !== undefined && pagesPassword.trim().length < SHORTEST_PASSWORD) {
    throw new KbError('ENVIRONMENT_INVALID', 'The password in KB_PAGES_PASSWORD is too short.', {
      hint: `Use at least ${SHORTEST_PASSWORD} characters.`,
    })
  }
  return {
    url,
    apiKey,
    allowHttp,
    /** True if a build may send articles; undefined if KB_SYNC is not set. */
    sync: sync === undefined ? undefined : readSwitch(sync),
    /** Password for the pages of `kb serve`. */
    pagesPassword: pagesPassword?.trim(),
  }
}

/** Parses the value of KB_SYNC. @throws KbError ENVIRONMENT_INVALID */
export function readSwitch(value: string): boolean {
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new KbError('ENVIRONMENT_INVALID', `KB_SYNC must be 1 or 0, not "${value}".`, {
    hint: 'It determines whether a build plugin may send articles. If it is not set, only builds in CI may.',
  })
}

/**
 * Returns the target of a run that changes articles or files of the project. The project needs a name: otherwise,
 * another project without a name would treat our articles as its own.
 *
 * @throws KbError PROJECT_UNNAMED and what `resolveTarget` throws
 */
export function resolveRunTarget(
  settings: Settings,
  name: string | undefined,
  env: KbEnvironment,
): TargetSettings {
  const target = resolveTarget(settings, name, env)
  assertNamed(settings, target)
  return target
}

/** @throws KbError PROJECT_UNNAMED */
export function assertNamed(settings: Settings, target: TargetSettings): void {
  const unnamed = explainUnnamed(settings, target)
  if (unnamed !== undefined) throw unnamed
}

/** Returns an error if a project without a name has a remote target, else undefined. */
export function explainUnnamed(
  { project, root, configFile }: Pick<Settings, 'project' | 'root' | 'configFile'>,
  target: TargetSettings,
): KbError | undefined {
  if (target.kind === 'builtin' || project !== UNNAMED_PROJECT) return undefined
  const folder = basename(root)
  const isName = /^[a-z][a-z0-9-]*$/.test(folder) && folder !== UNNAMED_PROJECT
  const line = `project: '${isName ? folder : 'my-docs'}'`
  const unique = 'with a name that is unique on that target'
  return new KbError(
    'PROJECT_UNNAMED',
    `This project has no name, which identifies its articles on ${target.url}. Nothing was sent.`,
    {
      hint:
        configFile === undefined
          ? `Write this into a new file kb.config.ts, ${unique}: export default { ${line} }`
          : `Add this line to ${relative(root, configFile)}, ${unique}: ${line},`,
    },
  )
}

/**
 * Returns the target from the options: `--target NAME`, else KB_URL, else the one in the configuration.
 *
 * @throws KbError USAGE, TARGET_UNKNOWN, ENVIRONMENT_INVALID, CONFIG_INVALID
 */
export function resolveTarget(
  settings: Settings,
  name: string | undefined,
  env: KbEnvironment,
): TargetSettings {
  if (name !== undefined && env.url !== undefined)
    throw new KbError('USAGE', '--target and KB_URL both name a target.', { hint: 'Leave out one of them.' })
  if (env.url !== undefined) return withKey(targetAt(env.url, settings), env)
  const target = name === undefined ? settings.target : namedTarget(settings, name)
  return target.kind === 'builtin' ? target : withKey(target, env)
}

/** Named as in the configuration if one target has this URL (ids in taxonomy files use that name), else by the URL. */
function targetAt(url: string, { targets }: Settings): RemoteTargetSettings {
  const target = remoteTarget('', { url })
  const [known, ...others] = Object.values(targets).filter((each) => each.url === target.url)
  return { ...target, name: known !== undefined && others.length === 0 ? known.name : target.url }
}

function namedTarget(settings: Settings, name: string): TargetSettings {
  if (name === 'builtin') return { kind: 'builtin', name: 'builtin' }
  const target = Object.hasOwn(settings.targets, name) ? settings.targets[name] : undefined
  if (target !== undefined) return target
  if (name === settings.target.name) return settings.target
  const known = [...new Set(['builtin', settings.target.name, ...Object.keys(settings.targets)])]
  throw new KbError('TARGET_UNKNOWN', `There is no target "${name}".`, {
    hint: didYouMean(name, known) ?? `The configuration has: ${known.join(', ')}.`,
  })
}

function withKey(target: RemoteTargetSettings, env: KbEnvironment): RemoteTargetSettings {
  const apiKey = env.apiKey ?? target.apiKey
  const allowHttp = env.allowHttp ?? target.allowHttp
  if (apiKey === undefined) {
    throw new KbError('ENVIRONMENT_INVALID', `There is no API key for ${target.url}.`, {
      hint: 'Set KB_API_KEY to the key of the knowledge base.',
    })
  }
  // RFC 6750: a bearer token is visible ASCII. The HTTP client would fail with an obscure error.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new KbError(
      'ENVIRONMENT_INVALID',
      'The API key contains characters that are not allowed in an HTTP header.',
      { hint: 'Copy it again, without line breaks or quotes.' },
    )
  }
  assertSafeTransport(target.url, allowHttp)
  return { ...target, apiKey, allowHttp }
}

function assertSafeTransport(url: string, allowHttp: string | undefined): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isLoopbackHost(hostname) || hostname === allowHttp?.toLowerCase()) return
  throw new KbError('CONFIG_INVALID', `The API key would be sent unencrypted to ${url}.`, {
    hint: `Use https://, or allow this host: allowHttp: '${hostname}' in the target, or KB_ALLOW_HTTP.`,
  })
}

/** The configuration for one target: how its categories and tags are compared, and whether it stores files. */
export function forTarget(settings: Settings, target: TargetSettings): Settings {
  return withStorage(
    { ...settings, sync: { ...settings.sync, taxonomy: taxonomyMode(settings, target) } },
    fileStorageOf(target),
  )
}

export function withStorage(settings: Settings, storage: Settings['assets']['storage']): Settings {
  return { ...settings, assets: { ...settings.assets, storage } }
}

/** The mode for categories and tags that differ. By default, only the built-in target is updated. */
export function taxonomyMode({ sync }: Settings, { kind }: TargetSettings): TaxonomyMode {
  return sync.taxonomy ?? (kind === 'builtin' ? 'update' : 'check')
}
