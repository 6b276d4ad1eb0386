import { basename } from 'node:path'
import type { Settings } from '../../core/config/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A key in the configuration is a key in git: said on every run, since the run itself works. */
export function warnOfWrittenKeys({ configFile, target, targets }: Settings, terminal: Terminal): void {
  const written = [target, ...Object.values(targets)].filter(
    (each) => each.kind === 'remote' && each.apiKey !== undefined,
  )
  if (written.length === 0) return
  const file = basename(configFile ?? 'kb.config.ts')
  const names = written.map(({ name }) => `"${name}"`).join(', ')
  terminal.err(
    `${terminal.errColors.yellow('warning')}: ${file} holds the API key of target ${names}; give it as KB_API_KEY instead.\n`,
  )
}
