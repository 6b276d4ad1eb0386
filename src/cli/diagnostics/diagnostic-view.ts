import { createSupportsHyperlinks } from 'supports-hyperlinks'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { type DiagnosticView, createLineReader } from '../../core/code-frame/format-diagnostics.ts'
import { guideUrl } from './guide-sections.ts'

/** Returns the view for diagnostics of the project in `root` on stdout. */
export function viewOn({ colors, columns }: TerminalStyle, root: string): DiagnosticView {
  const showsLinks = colors.isColorSupported && createSupportsHyperlinks(process.stdout)
  return {
    colors,
    columns,
    readLine: createLineReader(root),
    linkOf: (code) => (showsLinks ? guideUrl(code) : undefined),
    allHint: '--verbose shows all',
  }
}
