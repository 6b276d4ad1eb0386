import { posix } from 'node:path'
import { type CiFacts, REPORT_SCHEDULE } from './ci/ci-facts.ts'
import { githubReport, githubWorkflow } from './ci/github.ts'
import { gitlabPipeline, gitlabReport } from './ci/gitlab.ts'
import type { InitAnswers } from './init-answers.ts'
import { findPackedFile } from './merge-files.ts'
import { commandsOf } from './packages.ts'
import { CI_FILES, type InitFacts, type InitPlan, type InitTodo, type PlannedFile } from './init-model.ts'

/** Plans the pipelines at the root of the repository. Existing files stay. Pure. */
export function planPipelines(
  { ci, target, report }: Pick<InitAnswers, 'ci' | 'target' | 'report'>,
  facts: InitFacts,
): InitPlan {
  const isBuiltin = target === 'builtin'
  const ciFacts = { ...facts, isBuiltin, isReported: report && !isBuiltin }
  const plans = ci.map((system) =>
    system === 'github' ? planGitHub(ciFacts, facts) : planGitLab(ciFacts, facts),
  )
  const unreported: InitTodo[] = report && isBuiltin && ci.length > 0 ? [{ kind: 'no-report' }] : []
  return {
    files: plans.flatMap(({ files }) => files),
    todos: [
      ...(plans.some(({ files }) => files.some(isNew)) ? packedFileIn(facts) : []),
      ...plans.flatMap(({ todos }) => todos),
      ...unreported,
    ],
  }
}

function packedFileIn({ packageJson, manager }: InitFacts): InitTodo[] {
  const file = packageJson === undefined ? undefined : findPackedFile(packageJson)
  if (file === undefined) return []
  return [{ kind: 'packed-file', file, command: `${commandsOf(manager).add} ./${posix.basename(file)}` }]
}

function planGitHub(ciFacts: CiFacts, facts: InitFacts): InitPlan {
  const workflow = fileAt(CI_FILES.github, facts.hasGitHubWorkflow, githubWorkflow(ciFacts), facts)
  const report = fileAt(CI_FILES.githubReport, facts.hasGitHubReport, githubReport(ciFacts), facts)
  const files = ciFacts.isReported ? [workflow, report] : [workflow]
  return { files, todos: keysFor('github', ciFacts, workflow, files) }
}

function planGitLab(ciFacts: CiFacts, facts: InitFacts): InitPlan {
  const { gitlabPipeline: present, hasGitLabInclude, hasGitLabReport } = facts
  const text = gitlabPipeline(present === 'none' ? ciFacts : { ...ciFacts, isReported: false })
  const pipeline =
    present === 'other'
      ? fileAt(CI_FILES.gitlabInclude, hasGitLabInclude, text, facts)
      : fileAt(CI_FILES.gitlab, present === 'ours', text, facts)
  const report = fileAt(CI_FILES.gitlabReport, hasGitLabReport, gitlabReport(ciFacts), facts)
  const files = ciFacts.isReported ? [pipeline, report] : [pipeline]
  const todos = [
    ...includeFor(files, facts),
    ...keysFor('gitlab', ciFacts, pipeline, files),
    ...(files.slice(1).some(isNew) ? [{ kind: 'schedule', cron: REPORT_SCHEDULE } as const] : []),
  ]
  return { files, todos }
}

function includeFor(files: readonly PlannedFile[], facts: InitFacts): InitTodo[] {
  if (facts.gitlabPipeline === 'none' || !files.some(isNew)) return []
  const up = upFrom(facts)
  const included = files.map(({ file }) => file.slice(up.length)).filter((name) => name !== CI_FILES.gitlab)
  const names = included.map((name) => `/${name}`).join(', ')
  const list = included.length === 1 ? names : `[${names}]`
  return [{ kind: 'include', file: up + CI_FILES.gitlab, line: `include: ${list}` }]
}

/** A report uses the read-only key of the pipeline beside it, if that is ours. */
function keysFor(
  system: 'github' | 'gitlab',
  { isBuiltin }: CiFacts,
  pipeline: PlannedFile,
  files: readonly PlannedFile[],
): InitTodo[] {
  if (isBuiltin || !files.some(isNew)) return []
  return [{ kind: isNew(pipeline) ? 'keys' : 'report-key', system }]
}

/** @param file relative to the repository's root */
function fileAt(file: string, isThere: boolean, text: string, facts: InitFacts): PlannedFile {
  const path = upFrom(facts) + file
  return isThere ? { kind: 'keep', file: path } : { kind: 'create', file: path, text }
}

function upFrom({ repository: { prefix } }: InitFacts): string {
  return '../'.repeat(prefix.split('/').length - 1)
}

function isNew({ kind }: PlannedFile): boolean {
  return kind === 'create'
}
