import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { type CheckResult, createKb, type Diagnostic, KbError, type SyncResult } from '../index.ts'
import { nearest } from '../util/nearest.ts'
import { printable } from '../util/printable.ts'

export interface KbPluginOptions {
  /** Configuration file, relative to Vite's root; default: kb.config.ts there, if any. */
  readonly config?: string | undefined
  /** `build`: sync once the bundle is closed and all went well. Default `never`: a build sends nothing unasked. */
  readonly sync?: 'build' | 'never' | undefined
  /** Whether a problem in the content fails the build. Default `error`. */
  readonly check?: 'error' | 'warn' | undefined
}

/**
 * Vite plugin: checks the content when a build starts, and on request syncs it when the build is through. In the dev
 * server it does nothing.
 */
export function kb(options: KbPluginOptions = {}): Plugin {
  assertKnownOptions(options)
  let config: ResolvedConfig | undefined
  // A build of several environments starts and closes several times; the content is one.
  let checked: Promise<CheckResult> | undefined
  let synced: Promise<SyncResult> | undefined
  let hasFailed = false
  const project = () => createKb({ cwd: config?.root, config: options.config })

  return {
    name: 'kb-sync',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    async buildStart() {
      checked ??= project().check()
      const { diagnostics } = await checked
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const mayFail = options.check !== 'warn'
      for (const diagnostic of diagnostics) {
        if (diagnostic.severity === 'warning' || !mayFail) this.warn(describe(diagnostic))
      }
      const [first] = errors
      if (first !== undefined && mayFail) this.error(toBuildError(first, errors, config?.root ?? ''))
    },
    // In `vite build --watch` every rebuild is a build of its own.
    watchChange() {
      checked = undefined
      synced = undefined
      hasFailed = false
    },
    buildEnd(error) {
      hasFailed ||= error !== undefined
    },
    renderError() {
      hasFailed = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (options.sync !== 'build' || hasFailed || synced !== undefined) return
        if (hasErrors(await checked)) {
          // Only with check: 'warn' does a build get here.
          return this.warn('kb-sync: the content has problems, so nothing was synced')
        }
        synced = project().sync()
        const result = await synced
        const problem = explainProblem(result)
        if (problem !== undefined) this.error(`kb-sync: ${problem}`)
        this.info(`kb-sync: ${summary(result)}`)
      },
    },
  }
}

const OPTIONS = ['config', 'sync', 'check']

function assertKnownOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, OPTIONS)
  throw new KbError('CONFIG_INVALID', `The Vite plugin of kb-sync has no option "${unknown}".`, {
    hint: meant === undefined ? `The options are: ${OPTIONS.join(', ')}.` : `Did you mean "${meant}"?`,
  })
}

function describe({ file, line, column, message, hint, code }: Diagnostic): string {
  return printable(
    `${file}:${line}:${column} ${message} [${code}]${hint === undefined ? '' : `\n  hint: ${hint}`}`,
  )
}

function hasErrors(result: CheckResult | undefined): boolean {
  return result?.diagnostics.some(({ severity }) => severity === 'error') ?? false
}

/** The first problem gives the build error its place; the message lists them all. */
function toBuildError(first: Diagnostic, errors: readonly Diagnostic[], root: string) {
  const count = `${errors.length} ${errors.length === 1 ? 'problem' : 'problems'} in the content`
  return {
    message: `kb-sync: ${count}\n${errors.map(describe).join('\n')}`,
    id: resolve(root, first.file),
    loc: { file: resolve(root, first.file), line: first.line, column: first.column },
  }
}

function explainProblem({
  failure,
  guard,
  summary: counts,
  operations,
  diagnostics,
}: SyncResult): string | undefined {
  if (failure !== undefined) return failure.message
  if (guard !== undefined) return guard
  const error = diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined) return describe(error)
  if (counts.failed + counts.conflicts === 0) return undefined
  const open = operations.filter(({ action, outcome }) => outcome === 'failed' || action === 'conflict')
  return printable(
    open.map(({ source, slug, reason }) => `${source === '' ? slug : source}: ${reason ?? ''}`).join('\n'),
  )
}

function summary({
  target,
  summary: { created, updated, replaced, deleted, unchanged },
}: SyncResult): string {
  return `synced to ${target}: ${created} created, ${replaced + updated} changed, ${deleted} deleted, ${unchanged} unchanged`
}
