import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import { diagnosticMaker } from '../../content/pipeline/make-diagnostics.ts'
import type { FoundLink, LoadedContent } from '../../content/pipeline/load-content.ts'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import { isReported } from '../../core/model/diagnostic-codes.ts'
import { contentOptions, contentPrefix, type Progress } from '../../sync/content-project.ts'
import {
  checkExternalLinks,
  type ExternalOptions,
  type ExternalSummary,
} from './external/check-external-links.ts'
import type { BaselineResult } from './baseline/accept-findings.ts'
import { applyLateRules } from './late-rules.ts'
import { readContent } from './read-content.ts'

export interface RunCheckOptions {
  readonly settings: Settings
  /** Default: that of the configuration. */
  readonly target?: TargetSettings | undefined
  /** Sources (or folders of them) whose problems are of interest; everything is read all the same. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
  /** For what is overdue; default: the clock of this machine. */
  readonly now?: (() => Date) | undefined
  /** Variables of a CI system tell what a change is measured against; default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Checks links to other sites, too; nothing is asked where the rule for them is off. */
  readonly external?: ExternalOptions | undefined
}

export interface CheckResult {
  /** Articles that a sync sends, or would except for their errors: pages of a site of another tool are none. */
  readonly articles: number
  /** Where links to other sites were checked. */
  readonly external?: ExternalSummary
  readonly diagnostics: readonly Diagnostic[]
  /** If there is a baseline. */
  readonly baseline?: BaselineResult
}

/** Reads, checks and renders everything; sends nothing. */
export async function runCheck(options: RunCheckOptions): Promise<CheckResult> {
  return (await runCheckWithContent(options)).result
}

export async function runCheckWithContent({
  settings,
  target,
  isSelected,
  onProgress,
  signal,
  now = () => new Date(),
  env = process.env,
  external,
}: RunCheckOptions): Promise<{ readonly result: CheckResult; readonly content: LoadedContent }> {
  const { found, leavesNoTrace, content, cache } = await readContent(settings, { target, onProgress, signal })
  const asksOthers = external !== undefined && isReported('link-external-broken', settings)
  const links = asksOthers ? content.readExternalLinks() : []
  cache.close()
  const late = await applyLateRules({ settings, articles: content.articles, now, env, signal })
  const isOfInterest = ({ source, link }: FoundLink) => isSelected?.(link.source ?? source) ?? true
  const others = asksOthers
    ? await checkExternalLinks({
        ...external,
        settings,
        links: links.filter(isOfInterest),
        leavesNoTrace,
        now,
        onProgress,
        signal,
      })
    : undefined
  const later = [...late, ...(others?.problems ?? [])]
  const diagnostics = [
    ...content.diagnostics,
    ...later.flatMap(diagnosticMaker(contentOptions(settings), content.ignores)),
  ]
  const prefix = contentPrefix(settings)
  const sources = found.articles.filter(
    ({ source }) => !content.pages.has(source) && (isSelected?.(source) ?? true),
  )
  // Problems of a snippet are those of every article that includes it.
  const included = new Set(sources.flatMap(({ source }) => [...(content.includes.get(source)?.keys() ?? [])]))
  const isShown = ({ file }: Diagnostic) => {
    const source = file.slice(prefix.length)
    return included.has(source) || (isSelected?.(source) ?? true)
  }
  const result = {
    articles: sources.length,
    diagnostics: diagnostics.filter(isShown).toSorted(compareDiagnostics),
    ...(others && { external: others.summary }),
  }
  return { result, content }
}
