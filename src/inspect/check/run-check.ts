import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import { toDiagnostics } from '../../content/pipeline/make-diagnostics.ts'
import type { FoundLink, LoadedContent } from '../../content/pipeline/load-content.ts'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import { isReported } from '../../core/model/diagnostic-codes.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { ALL_CAPABILITIES, readCapabilities } from '../../sync/plan/target-capabilities.ts'
import { stateFiles, workspaceOf } from '../../sync/state/workspace.ts'
import { contentOptions } from '../../content/pipeline/content-options.ts'
import { contentPrefix } from '../../core/paths.ts'
import type { Progress } from '../../sync/target-session.ts'
import { readContent } from '../../sync/open-content.ts'
import {
  checkExternalLinks,
  type ExternalOptions,
  type ExternalSummary,
} from './external/check-external-links.ts'
import type { BaselineResult } from './baseline/accept-findings.ts'
import { applyLateRules } from './late-rules.ts'

export interface RunCheckOptions {
  readonly settings: Settings
  /** Default: the configured target. */
  readonly target?: TargetSettings | undefined
  /** True for sources, or folders of them, whose problems are reported. Everything is read in any case. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
  /** For overdue reviews; default: the clock of this machine. */
  readonly now?: (() => Date) | undefined
  /** Variables of a CI system name the base of a change; default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Checks external links, too, unless their rule is off. */
  readonly external?: ExternalOptions | undefined
}

export interface CheckResult {
  /** Number of articles that a sync sends, or would send without errors. Excludes pages of another tool's site. */
  readonly articles: number
  /** Set if external links were checked. */
  readonly external?: ExternalSummary
  /** The URLs of external links without a result, see `ExternalSummary.unknown`. */
  readonly unjudged?: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Set if there is a baseline. */
  readonly baseline?: BaselineResult
}

/** Reads, checks and renders everything. Sends nothing. */
export async function runCheck(options: RunCheckOptions): Promise<CheckResult> {
  return (await runCheckWithContent(options)).result
}

export async function runCheckWithContent(
  options: RunCheckOptions,
): Promise<{ readonly result: CheckResult; readonly content: LoadedContent }> {
  const { settings, target, isSelected, onProgress, signal, external } = options
  const { now = () => new Date(), env = process.env } = options
  const { found, leavesNoTrace, content, cache } = await readContent(settings, { target, onProgress, signal })
  const checksExternal = external !== undefined && isReported('link-external-broken', settings)
  const links = checksExternal ? content.readExternalLinks() : []
  cache.close()
  const late = await applyLateRules({ settings, articles: content.articles, now, env, signal })
  const isOfInterest = ({ source, link }: FoundLink) => isSelected?.(link.source ?? source) ?? true
  const externalResult = checksExternal
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
  const later = [...late, ...(externalResult?.problems ?? [])]
  const diagnostics = [
    ...content.diagnostics,
    ...(await explainOtherLanguages(content.articles, settings, target)),
    ...later.flatMap(toDiagnostics(contentOptions(settings), content.ignores)),
  ]
  const prefix = contentPrefix(settings)
  const sources = found.articles.filter(
    ({ source }) => !content.pages.has(source) && (isSelected?.(source) ?? true),
  )
  // Problems of a snippet belong to every article that includes it.
  const included = new Set(sources.flatMap(({ source }) => [...(content.includes.get(source)?.keys() ?? [])]))
  const isShown = ({ file }: Diagnostic) => {
    const source = file.slice(prefix.length)
    return included.has(source) || (isSelected?.(source) ?? true)
  }
  const result = {
    articles: sources.length,
    diagnostics: diagnostics.filter(isShown).toSorted(compareDiagnostics),
    ...(externalResult && { external: externalResult.summary, unjudged: externalResult.unjudged }),
  }
  return { result, content }
}

/**
 * Explains which new articles a sync would skip for their language. Silent if neither an earlier sync nor the settings
 * tell the languages of the target: the sync may have another one, from the environment.
 */
async function explainOtherLanguages(
  articles: readonly LocalArticle[],
  settings: Settings,
  target: TargetSettings = settings.target,
): Promise<Diagnostic[]> {
  const translated = articles.filter(({ language }) => language !== null)
  if (translated.length === 0) return []
  const [{ loadState }, { explainWithheld, splitLanguages }] = await Promise.all([
    import('../../sync/state/state-file.ts'),
    import('../../sync/plan/split-languages.ts'),
  ])
  const files = stateFiles(target, settings, workspaceOf(settings.root))
  const state = loadState(files.state, settings.project)
  const knownKeys = new Set([...state.articles, ...state.awaited].map(({ key }) => key))
  const fresh = translated.filter(({ key }) => !knownKeys.has(key))
  const isBuiltin = target.kind === 'builtin'
  const offers =
    isBuiltin || state.extensions === undefined ? ALL_CAPABILITIES : readCapabilities(state.extensions)
  const { languages } = settings.server
  const configured = isBuiltin && languages.length > 1 ? languages : []
  if (state.languages === undefined && configured.length === 0) return []
  const enabled = [...new Set([...configured, ...(state.languages ?? [])])]
  const { withheld } = splitLanguages(fresh, { offers, enabled, knownKeys })
  const wording = { enabled, contentPrefix: contentPrefix(settings), isBuiltin }
  return withheld.map((each) => explainWithheld(each, wording))
}
