import { readFileSync } from 'node:fs'
import { packageFile } from './package-files.ts'

export function readProgramVersion(): string {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return manifest.version
}
