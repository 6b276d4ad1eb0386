import { expect, test } from 'vitest'
import type { KbConfig } from '../../src/core/config/schema.ts'
import { normaliseConfig } from '../../src/core/config/settings.ts'
import { readEnvironment } from '../../src/core/config/resolve-target.ts'
import { chooseWatched } from '../../src/kb/watch.ts'

function choose(config: KbConfig, name: string | undefined, env: Record<string, string> = {}) {
  const place = { root: '/project', configFile: undefined, packageName: undefined, programVersion: 'test' }
  const { target, passedOver } = chooseWatched(normaliseConfig(config, place), name, readEnvironment(env))
  return { target: target.name, passedOver }
}

const REMOTE: KbConfig = { target: { url: 'https://h.example', apiKey: 'secret' } }

test('nothing is sent to a remote target that was not requested', () => {
  const passedOver = { kind: 'remote', name: 'default', url: 'https://h.example' }
  expect(choose(REMOTE, undefined)).toEqual({ target: 'builtin', passedOver })
  expect(choose(REMOTE, undefined, { KB_API_KEY: 'k' })).toEqual({ target: 'builtin', passedOver })
  expect(choose({}, undefined)).toEqual({ target: 'builtin', passedOver: undefined })
})

test('a target that is named, or set in the environment, is used', () => {
  expect(choose(REMOTE, 'default')).toEqual({ target: 'default', passedOver: undefined })
  expect(choose(REMOTE, 'builtin')).toEqual({ target: 'builtin', passedOver: undefined })
  expect(choose({}, undefined, { KB_URL: 'https://u.example', KB_API_KEY: 'k' })).toEqual({
    target: 'https://u.example',
    passedOver: undefined,
  })
})
