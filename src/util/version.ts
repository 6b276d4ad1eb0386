import { readFileSync } from 'node:fs'

/** The version of the running kb-sync. */
export function readProgramVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
