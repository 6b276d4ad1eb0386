import { resolve } from 'node:path'
import { formatDiagnostics, createLineReader } from '../../core/code-frame/format-diagnostics.ts'
import { formatFrame } from '../../core/code-frame/frame.ts'
import type { Diagnostic } from '../../index.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControl } from '../../core/escape-control.ts'

/** Errors in the content, for a tool to fail with. */
export interface ContentFailure {
  /** One line: how many problems there are. */
  readonly title: string
  /** Every problem with place, frame and hint, for people; no colours. */
  readonly report: string
  /** The first problem, which gives the failure its place. */
  readonly first: PlacedFailure
  readonly diagnostics: readonly Diagnostic[]
}

/** Texts are fit for a terminal. */
interface PlacedFailure {
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The offending lines, what is meant underlined; '' where the file as a whole is meant. */
  readonly frame: string
}

const COLUMNS = 100
const asIs = (text: string): string => text
const PLAIN = { red: asIs, yellow: asIs, dim: asIs, bold: asIs }

/** Undefined where no diagnostic is an error. @param root absolute path of the project */
export function contentFailure(diagnostics: readonly Diagnostic[], root: string): ContentFailure | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return undefined
  return {
    title: `${pluralize(errors.length, 'problem')} in the content`,
    report: formatPlainly(errors, root),
    first: placed(first, root),
    diagnostics: errors,
  }
}

/** Diagnostics as `kb check` prints them, without colours. */
export function formatPlainly(diagnostics: readonly Diagnostic[], root: string): string {
  const readLine = createLineReader(root)
  const view = { colors: PLAIN, columns: COLUMNS, readLine, linkOf: () => undefined }
  return formatDiagnostics(diagnostics, view).trimEnd()
}

function placed(diagnostic: Diagnostic, root: string): PlacedFailure {
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
    frame: frame.join('\n'),
  }
}
