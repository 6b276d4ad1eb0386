import { describe, expect, test } from 'vitest'
import { allowedDeletes, parseMaxDeletes } from '../../../src/core/config/max-deletes.ts'
import { type ConfigContext, normaliseConfig } from '../../../src/core/config/settings.ts'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { readEnvironment, resolveRunTarget, resolveTarget } from '../../../src/core/config/resolve-target.ts'

const CONTEXT = { root: '/p', configFile: undefined, packageName: undefined, programVersion: '1' }

function resolve(config: KbConfig, env: Record<string, string> = {}, name?: string) {
  return resolveTarget(normaliseConfig(config, CONTEXT), name, readEnvironment(env))
}

const KEY = { KB_API_KEY: 'key' }
const remote = (name: string, url: string, allowHttp?: string) => ({
  kind: 'remote',
  name,
  url,
  apiKey: 'key',
  allowHttp,
})
const staging = { targets: { staging: { url: 'https://s.example', apiKey: 'written' } } }

describe('the target is', () => {
  test.each<[string, KbConfig, Record<string, string>, string | undefined, object]>([
    ['the builtin one by default', {}, {}, undefined, { kind: 'builtin', name: 'builtin' }],
    [
      'the one of the configuration',
      { target: { url: 'https://h.example/' } },
      KEY,
      undefined,
      remote('default', 'https://h.example'),
    ],
    ['the one named', staging, KEY, 'staging', remote('staging', 'https://s.example')],
    [
      'the one named, with its own key',
      staging,
      {},
      'staging',
      { ...remote('staging', 'https://s.example'), apiKey: 'written' },
    ],
    [
      'builtin by name',
      { target: { url: 'https://h.example' } },
      {},
      'builtin',
      { kind: 'builtin', name: 'builtin' },
    ],
    [
      'the one remote target by name',
      { target: { url: 'https://h.example' } },
      KEY,
      'default',
      remote('default', 'https://h.example'),
    ],
    [
      'KB_URL before the configuration',
      staging,
      { KB_URL: 'https://u.example', ...KEY },
      undefined,
      remote('https://u.example', 'https://u.example'),
    ],
    [
      'KB_URL, by the name that the configuration has for its address; never with the key written there',
      staging,
      { KB_URL: 'https://s.example/api/v2', ...KEY },
      undefined,
      remote('staging', 'https://s.example'),
    ],
    [
      'KB_URL, by its address where two targets have it',
      { targets: { one: { url: 'https://s.example' }, two: { url: 'https://s.example' } } },
      { KB_URL: 'https://s.example', ...KEY },
      undefined,
      remote('https://s.example', 'https://s.example'),
    ],
    [
      'not KB_URL where it is empty',
      {},
      { KB_URL: '', KB_API_KEY: '' },
      undefined,
      { kind: 'builtin', name: 'builtin' },
    ],
  ])('%s', (_, config, env, name, expected) => {
    expect(resolve(config, env, name)).toEqual(expected)
  })

  test.each([
    ['https://h.example/api/v2', 'https://h.example'],
    ['https://h.example/api/v2/', 'https://h.example'],
    ['https://h.example/kb/api/v2', 'https://h.example/kb'],
    ['https://h.example/kb/', 'https://h.example/kb'],
    ['https://H.Example:443/?x#y', 'https://h.example'],
    ['https://h.example/api/v2x', 'https://h.example/api/v2x'],
    ['http://127.0.0.1:4400', 'http://127.0.0.1:4400'],
    ['http://localhost', 'http://localhost'],
    ['https://user:secret@h.example', 'https://h.example'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('%s, known as %s', (url, expected) => {
    expect(resolve({}, { KB_URL: url, ...KEY })).toEqual(remote(expected, expected))
  })

  test.each<[string, KbConfig, Record<string, string>, string | undefined, string | undefined]>([
    [
      'in the configuration',
      { target: { url: 'http://kb.internal', allowHttp: 'kb.internal' } },
      KEY,
      undefined,
      'kb.internal',
    ],
    [
      'by KB_ALLOW_HTTP, for KB_URL',
      {},
      { KB_URL: 'http://kb.internal', KB_ALLOW_HTTP: 'kb.internal', ...KEY },
      undefined,
      'kb.internal',
    ],
    [
      'by KB_ALLOW_HTTP, for the configuration',
      { target: { url: 'http://kb.internal' } },
      { KB_ALLOW_HTTP: 'KB.internal', ...KEY },
      undefined,
      'KB.internal',
    ],
  ])('plain http where it is allowed %s', (_, config, env, name, allowHttp) => {
    expect(resolve(config, env, name)).toMatchObject({ url: 'http://kb.internal', allowHttp })
  })
})

describe('it is an error', () => {
  const http = (host: string) =>
    `Use https://, or allow this host: allowHttp: '${host}' in the target, or KB_ALLOW_HTTP.`
  test.each<[string, KbConfig, Record<string, string>, string | undefined, object]>([
    [
      'to give both',
      staging,
      { KB_URL: 'https://u.example', ...KEY },
      'staging',
      { code: 'USAGE', message: '--target and KB_URL both name a target.', hint: 'Leave out one of them.' },
    ],
    [
      'to name no target',
      staging,
      KEY,
      'stagin',
      { code: 'TARGET_UNKNOWN', message: 'There is no target "stagin".', hint: 'Did you mean "staging"?' },
    ],
    [
      'to name quite another',
      staging,
      KEY,
      'constructor',
      { code: 'TARGET_UNKNOWN', hint: 'The configuration has: builtin, staging.' },
    ],
    [
      'to give no key',
      { target: { url: 'https://h.example' } },
      {},
      undefined,
      {
        code: 'ENVIRONMENT_INVALID',
        message: 'There is no API key for https://h.example.',
        hint: 'Set KB_API_KEY to the key of the knowledge base.',
      },
    ],
    [
      'to give no key for KB_URL',
      staging,
      { KB_URL: 'https://u.example' },
      undefined,
      { code: 'ENVIRONMENT_INVALID', message: 'There is no API key for https://u.example.' },
    ],
    [
      'to misspell a variable',
      {},
      { KB_APIKEY: 'x' },
      undefined,
      {
        code: 'ENVIRONMENT_INVALID',
        message: 'The environment variable KB_APIKEY is unknown.',
        hint: 'Did you mean KB_API_KEY?',
      },
    ],
    [
      'to set an unknown variable',
      {},
      { KB_COLOUR: 'red' },
      undefined,
      {
        code: 'ENVIRONMENT_INVALID',
        hint: 'kb-sync reads KB_URL, KB_API_KEY, KB_ALLOW_HTTP, KB_SYNC, KB_DB, KB_PAGES_PASSWORD; unset other KB_ variables for this command.',
      },
    ],
    [
      'to give no address',
      {},
      { KB_URL: 'h.example', ...KEY },
      undefined,
      { code: 'ENVIRONMENT_INVALID', message: 'KB_URL is not an http:// or https:// URL: h.example' },
    ],
    [
      'to give a short password',
      {},
      { KB_PAGES_PASSWORD: 'short' },
      undefined,
      {
        code: 'ENVIRONMENT_INVALID',
        message: 'The password in KB_PAGES_PASSWORD is too short.',
        hint: 'Use at least 8 characters.',
      },
    ],
    ['to give a file', {}, { KB_URL: 'file:///etc', ...KEY }, undefined, { code: 'ENVIRONMENT_INVALID' }],
    [
      'to send the key unencrypted',
      {},
      { KB_URL: 'http://h.example', ...KEY },
      undefined,
      {
        code: 'CONFIG_INVALID',
        message: 'The API key would be sent unencrypted to http://h.example.',
        hint: http('h.example'),
      },
    ],
    [
      'also to what looks like loopback',
      {},
      { KB_URL: 'http://127.0.0.1.example', ...KEY },
      undefined,
      { code: 'CONFIG_INVALID', hint: http('127.0.0.1.example') },
    ],
    [
      'also where another host is allowed',
      {},
      { KB_URL: 'http://h.example', KB_ALLOW_HTTP: 'i.example', ...KEY },
      undefined,
      { code: 'CONFIG_INVALID' },
    ],
  ])('%s', (_, config, env, name, expected) => {
    expect(() => resolve(config, env, name)).toThrow(
      expect.objectContaining({ exitCode: 2, ...expected }) as Error,
    )
  })

  test.each(['line\nbreak', 'sp ace', 'ümlaut', 'key\r'])(
    'to have a key that no header can carry, and it is not shown: %j',
    (key) => {
      const expected = expect.objectContaining({
        code: 'ENVIRONMENT_INVALID',
        message: 'The API key contains characters that are not allowed in an HTTP header.',
        hint: 'Copy it again, without line breaks or quotes.',
      }) as Error
      expect(() => resolve({}, { KB_URL: 'https://h.example', KB_API_KEY: key })).toThrow(expected)
    },
  )
})

test.each([
  [12, { kind: 'count', count: 12 }],
  ['0', { kind: 'count', count: 0 }],
  ['10%', { kind: 'share', share: 0.1 }],
  ['2.5%', { kind: 'share', share: 0.025 }],
  ['2.5', undefined],
  ['-1', undefined],
  ['ten', undefined],
])('maxDeletes %j means %j', (value, expected) => {
  expect(parseMaxDeletes(value)).toEqual(expected)
})

test.each([
  ['0', 50, 0],
  ['10%', 5, 1],
  ['10%', 0, 1],
  ['0%', 100, 1],
  ['10%', 199, 19],
  ['100%', 7, 7],
])('maxDeletes %s of %d articles is %d', (limit, ours, expected) => {
  const parsed = parseMaxDeletes(limit)
  expect(parsed && allowedDeletes(parsed, ours)).toBe(expected)
})

describe('a run on a remote target', () => {
  const REMOTE: KbConfig = { target: { url: 'https://h.example', apiKey: 'k' } }
  const run = (config: KbConfig, context: Partial<ConfigContext> = {}) =>
    resolveRunTarget(normaliseConfig(config, { ...CONTEXT, ...context }), undefined, readEnvironment({}))

  test.each<[string, KbConfig, object, string]>([
    [
      'without a configuration file',
      REMOTE,
      { root: '/work/acme-help' },
      "Write this into a new file kb.config.ts, with a name that is unique on that target: export default { project: 'acme-help' }",
    ],
    [
      'without a name in its file',
      REMOTE,
      { root: '/work/Acme Help', configFile: '/work/Acme Help/kb.config.mjs' },
      "Add this line to kb.config.mjs, with a name that is unique on that target: project: 'my-docs',",
    ],
    [
      'with the name that all have who give none',
      { ...REMOTE, project: 'default' },
      { root: '/work/default', configFile: '/work/default/kb.config.ts' },
      "Add this line to kb.config.ts, with a name that is unique on that target: project: 'my-docs',",
    ],
  ])('is refused %s', (_, config, context, hint) => {
    expect(() => run(config, context)).toThrow(
      expect.objectContaining({
        code: 'PROJECT_UNNAMED',
        exitCode: 2,
        message:
          'This project has no name, which identifies its articles on https://h.example. Nothing was sent.',
        hint,
      }),
    )
  })

  test('continues with a name, and on the built-in server without one', () => {
    expect(run({ ...REMOTE, project: 'acme-help' }).name).toBe('default')
    expect(run(REMOTE, { packageName: 'acme-help' }).name).toBe('default')
    expect(run({}).name).toBe('builtin')
  })
})
