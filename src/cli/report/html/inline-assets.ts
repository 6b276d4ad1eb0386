// Style and script of the report's one file: those of the pages, so that report and /status look the same, and its own.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { codeFile } from '../../../core/package-files.ts'

export interface InlineAssets {
  readonly style: string
  readonly script: string
  /** An SVG document. */
  readonly icon: string
}

const PAGES = 'web/pages/assets/'
const OWN = 'cli/report/html/assets/'

/** Reads the files that the report carries in itself. */
export function readInlineAssets(): InlineAssets {
  return {
    style: [PAGES + 'pages.css', PAGES + 'status.css', OWN + 'report.css'].map(readAsset).join('\n'),
    script: readAsset(OWN + 'report.js'),
    icon: readAsset(PAGES + 'icon.svg'),
  }
}

// A browser reads CRLF as LF before it takes the digest.
function readAsset(name: string): string {
  return readFileSync(codeFile(name), 'utf8').replaceAll('\r\n', '\n')
}

/** The content security policy of a file that may run and show nothing but what it carries. */
export function contentSecurityPolicy({ style, script }: InlineAssets): string {
  return [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
