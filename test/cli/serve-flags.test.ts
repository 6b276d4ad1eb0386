import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program/program.ts'
import { readFlags } from '../../src/cli/program/read-flags.ts'
import { createTerminal } from '../../src/cli/terminal/terminal.ts'

/** Returns the options that `kb serve` gets; the command itself does nothing. */
async function parseServe(...args: readonly string[]): Promise<unknown> {
  const program = createProgram(createTerminal(process), () => undefined)
  const serve = program.commands.find((command) => command.name() === 'serve')
  serve?.action(() => undefined)
  program.parse(['serve', ...args], { from: 'user' })
  return readFlags(['serve'], serve?.opts() ?? {})
}

test('how often links are checked', async () => {
  expect(await parseServe()).toEqual({})
  expect(await parseServe('--check-links', 'off')).toEqual({ checkLinks: 'off' })
  expect(await parseServe('--check-links=12h', '--check-private-links')).toEqual({
    checkLinks: 43_200_000,
    checkPrivateLinks: true,
  })
  expect(await parseServe('--check-links', '1m')).toEqual({ checkLinks: 60_000 })
})

test.for(['', 'on', '0', '1', '59s', '0d', '-1d', '366d', '1w', 'Infinity'])(
  'links cannot be checked every "%s"',
  async (value) => {
    await expect(parseServe(`--check-links=${value}`)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/It must be off, or a duration from 1m to 365d/) as string,
    })
  },
)

test('proxies, connections and draining', async () => {
  expect(
    await parseServe(
      '--trusted-proxy=127.0.0.1',
      '--trusted-proxy=10.0.0.0/8',
      '--trusted-proxy=2001:db8::/32',
      '--max-connections=50',
      '--drain=15s',
    ),
  ).toEqual({ trustedProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'], maxConnections: 50, drain: 15_000 })
  expect(await parseServe('--drain', '0')).toEqual({ drain: 0 })
})

test.for([
  ['--trusted-proxy', 'proxy.example.com'],
  ['--trusted-proxy', '10.0.0.0/33'],
  ['--trusted-proxy', '10.0.0.0/8/8'],
  ['--trusted-proxy', ''],
  ['--max-connections', '0'],
  ['--drain', '2h'],
  ['--drain', '15'],
])('%s %s is refused', async ([flag = '', value = '']) => {
  await expect(parseServe(`${flag}=${value}`)).rejects.toMatchObject({ code: 'USAGE' })
})
