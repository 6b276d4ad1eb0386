import type { Logger } from 'vite'
import type { AdapterHost } from '../adapter/adapter.ts'

/** The host functions of Vite. @param cwd absolute path of the project */
export function viteHost(
  mode: AdapterHost['mode'],
  cwd: string,
  logger: Pick<Logger, 'info' | 'warn'>,
): AdapterHost {
  const options = { timestamp: mode === 'dev' }
  return {
    cwd,
    mode,
    env: process.env,
    info: (text) => logger.info(`[kb-sync] ${text}`, options),
    warn: (text) => logger.warn(`[kb-sync] ${text}`, options),
  }
}
