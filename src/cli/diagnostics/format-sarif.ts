import type { Diagnostic, TextChange } from '../../core/model/diagnostic.ts'
import { type DiagnosticCode, DIAGNOSTICS } from '../../core/model/diagnostic-codes.ts'
import {
  artifactOf,
  createFingerprints,
  formatSarifLog,
  locationOf,
  MOST_SARIF_RESULTS,
  regionOf,
  toolOf,
} from '../sarif/sarif-parts.ts'

interface SarifContext {
  /** Path from the root of the repository to the project, '' or with a trailing slash. */
  readonly prefix: string
  readonly version: string
  /** Returns the guide's section on a code, as Markdown. */
  readonly sectionOf: (code: DiagnosticCode) => string
  /** Returns the web page about a code; undefined if there is none. */
  readonly helpUriOf: (code: DiagnosticCode) => string | undefined
}

/** Formats a SARIF 2.1.0 log with one run, for GitHub's code scanning. */
export function formatSarif(diagnostics: readonly Diagnostic[], context: SarifContext): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted()
  const run = {
    tool: toolOf(
      context.version,
      codes.map((code) => ruleOf(code, diagnostics, context)),
    ),
    columnKind: 'utf16CodeUnits' as const,
    results: resultsOf(mostImportant(diagnostics), codes, context),
  }
  return formatSarifLog(run)
}

function mostImportant(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= MOST_SARIF_RESULTS) return diagnostics
  const errorsFirst = diagnostics.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  )
  return errorsFirst.slice(0, MOST_SARIF_RESULTS)
}

function ruleOf(code: DiagnosticCode, diagnostics: readonly Diagnostic[], context: SarifContext) {
  const { summary } = DIAGNOSTICS[code]
  const level = diagnostics.find((diagnostic) => diagnostic.code === code)?.severity ?? 'warning'
  const helpUri = context.helpUriOf(code)
  const markdown = context.sectionOf(code)
  return {
    id: code,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    ...(helpUri !== undefined && { helpUri }),
    help: { text: markdown, markdown },
    defaultConfiguration: { level },
  }
}

function resultsOf(
  diagnostics: readonly Diagnostic[],
  codes: readonly DiagnosticCode[],
  { prefix }: SarifContext,
) {
  const indexes = new Map(codes.map((code, index) => [code, index]))
  const fingerprintOf = createFingerprints()
  return diagnostics.map((diagnostic) => {
    const { code, severity, message, hint, fix, file } = diagnostic
    const artifactLocation = artifactOf(prefix + file)
    return {
      ruleId: code,
      ruleIndex: indexes.get(code) ?? 0,
      level: severity,
      message: { text: hint === undefined ? message : `${message} ${hint}` },
      locations: [locationOf(prefix + file, diagnostic)],
      // Stays the same when lines above the problem are added or removed.
      partialFingerprints: { 'kbProblem/v1': fingerprintOf([code, file, message]) },
      ...(fix !== undefined && {
        fixes: [{ artifactChanges: [{ artifactLocation, replacements: fix.map(replacementOf) }] }],
      }),
    }
  })
}

function replacementOf({ start, end, text }: TextChange) {
  return { deletedRegion: regionOf({ ...start, end }), insertedContent: { text } }
}
