import { createSupportsHyperlinks } from 'supports-hyperlinks'
import type { DiagnosticCode } from '../../model/diagnostic-codes.ts'
import type { Terminal } from '../terminal.ts'
import type { ReadLine } from '../../frame/frame.ts'
import { guideUrl } from './guide-url.ts'
import { createLineReader } from '../../frame/line-reader.ts'

/** How and where diagnostics are shown. */
export interface DiagnosticView extends Pick<Terminal, 'colors' | 'columns'> {
  readonly readLine: ReadLine
  /** Where a code is explained; undefined where the terminal shows no links. */
  readonly linkOf: (code: DiagnosticCode) => string | undefined
}

/** Shows diagnostics of the project in `root` on stdout. */
export function viewOn(
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
  root: string,
): DiagnosticView {
  const showsLinks = colors.isColorSupported && createSupportsHyperlinks(process.stdout)
  return {
    colors,
    columns,
    readLine: createLineReader(root),
    linkOf: (code) => (showsLinks ? guideUrl(code) : undefined),
  }
}
