import { readFileSync } from 'node:fs'
import { packageFile } from '../../core/package-files.ts'
import { GUIDE, pageOf } from './guide-sections.ts'

/**
 * Where the guide explains a code: on the web where the program's package names a home page (the guide's own), else in
 * the guide that is installed with the program.
 */
export function guideUrl(code: string, homepage: string | undefined = readHomepage()): string {
  const { path, slug } = pageOf(code)
  const anchor = code.toLowerCase()
  if (homepage === undefined) return `${new URL(path, GUIDE).href}#${anchor}`
  return `${homepage.replace(/\/+$/, '')}/articles/${slug}#${anchor}`
}

function readHomepage(): string | undefined {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    readonly homepage?: string
  }
  return manifest.homepage
}
