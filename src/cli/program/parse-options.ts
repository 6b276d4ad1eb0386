// What stands behind a flag, as a value; what cannot be one is told as commander tells it.
import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { parseMaxDeletes } from '../../core/config/max-deletes.ts'
import {
  type Parsed,
  parseContentFolder,
  parseLanguage,
  parseTargetAddress,
} from '../../kb/init/parse-answers.ts'
import { parseDurationMs } from '../../core/quantities.ts'
import type { CiChoice } from '../commands/init.ts'

const SHORTEST_CHECK_MS = 60_000
const LONGEST_CHECK_MS = 365 * 86_400_000
const LONGEST_DRAIN_MS = 3_600_000

export const parseContentDir = (value: string): string => parseAnswer(parseContentFolder(value))
export const parseTargetUrl = (value: string): string => parseAnswer(parseTargetAddress(value))
export const parseLanguageCode = (value: string): string => parseAnswer(parseLanguage(value))

function parseAnswer(parsed: Parsed<string>): string {
  if (parsed.kind === 'value') return parsed.value
  throw new InvalidArgumentError(parsed.reason)
}

export function collectCi(value: string, previous: readonly CiChoice[] = []): CiChoice[] {
  if (value === 'github' || value === 'gitlab' || value === 'none') return [...previous, value]
  throw new InvalidArgumentError('It must be github, gitlab or none.')
}

export function collectValue(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

export function collectNetworks(value: string, previous: readonly string[] = []): string[] {
  if (isNetwork(value)) return [...previous, value]
  throw new InvalidArgumentError('It must be an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8.')
}

/** Whether `text` is an IP address or a network in the notation of CIDR. */
function isNetwork(text: string): boolean {
  const [address = '', bits, rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function parseDrain(value: string): number {
  const ms = value === '0' ? 0 : parseDurationMs(value)
  if (ms !== undefined && ms <= LONGEST_DRAIN_MS) return ms
  throw new InvalidArgumentError('It must be a duration up to 1h, such as 15s.')
}

export function parseConcurrency(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1 && number <= 64) return number
  throw new InvalidArgumentError('It must be a whole number from 1 to 64.')
}

export function parseCheckInterval(value: string): number | 'off' {
  if (value === 'off') return value
  const ms = parseDurationMs(value)
  if (ms !== undefined && ms >= SHORTEST_CHECK_MS && ms <= LONGEST_CHECK_MS) return ms
  throw new InvalidArgumentError('It must be off, or a duration from 1m to 365d, such as 12h.')
}

export function parsePort(value: string): number {
  const port = Number(value)
  if (value !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

/** `[host:]port`; the host is this machine's own where it is left out. */
export function parseAddress(value: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)?(\d+)$/.exec(value) ?? []
  if (port === undefined) throw new InvalidArgumentError('It must be a port or host:port, such as 9100.')
  return { host: host ?? '127.0.0.1', port: parsePort(port) }
}

export function parseRateLimit(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1) return number
  throw new InvalidArgumentError('It must be a whole number from 1 on.')
}

export function parseDeletes(value: string): string {
  if (parseMaxDeletes(value) !== undefined) return value
  throw new InvalidArgumentError('It must be a number or a percentage, such as 5 or 10%.')
}
