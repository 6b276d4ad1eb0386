import { resolve } from 'node:path'
import { formatDiagnostics, createLineReader } from '../../core/code-frame/format-diagnostics.ts'
import { formatFrame } from '../../core/code-frame/frame.ts'
import type { Diagnostic } from '../../index.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { isError } from '../../core/model/diagnostic.ts'

/** Errors in the content, on which a tool fails. */
export interface ContentFailure {
  /** Number of problems, on one line. */
  readonly title: string
  /** Every problem with location, frame and hint, as text without colours. */
  readonly report: string
  /** The first problem, whose location is that of the failure. */
  readonly first: PlacedFailure
  readonly diagnostics: readonly Diagnostic[]
}

/** Its texts are safe for a terminal. */
type PlacedFailure = ReturnType<typeof placed>

const COLUMNS = 100
const asIs = (text: string): string => text
const PLAIN = { red: asIs, yellow: asIs, dim: asIs, bold: asIs }

/** Returns undefined without errors. @param root absolute path of the project */
export function contentFailure(diagnostics: readonly Diagnostic[], root: string): ContentFailure | undefined {
  const errors = diagnostics.filter(isError)
  const [first] = errors
  if (first === undefined) return undefined
  return {
    title: `${pluralize(errors.length, 'problem')} in the content`,
    report: formatPlainly(errors, root),
    first: placed(first, root),
    diagnostics: errors,
  }
}

/** Formats diagnostics like `kb check`, without colours. */
export function formatPlainly(diagnostics: readonly Diagnostic[], root: string): string {
  const readLine = createLineReader(root)
  const view = { colors: PLAIN, columns: COLUMNS, readLine, linkOf: () => undefined }
  return formatDiagnostics(diagnostics, view).trimEnd()
}

function placed(diagnostic: Diagnostic, root: string) {
  const { code, message, hint, file, line, column } = diagnostic
  const isWhole = line === 1 && column === 1 && diagnostic.end === undefined
  const frame = isWhole
    ? []
    : formatFrame(diagnostic, createLineReader(root), COLUMNS, { gutter: asIs, mark: asIs })
  return {
    code,
    message: escapeControl(message),
    hint: hint === undefined ? undefined : escapeControl(hint),
    file: resolve(root, file),
    line,
    column,
    /** The source lines with the range underlined; '' for a problem of the whole file. */
    frame: frame.join('\n'),
  }
}
