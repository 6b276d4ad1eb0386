import { CI_FILES } from '../init-model.ts'
import { commandsOf, type PackageManager } from '../packages.ts'
import { type CiFacts, indented, NODE_MAJOR, yamlText, REPORT_SCHEDULE } from './ci-facts.ts'

/** Returns a pipeline that checks merge requests and, for a remote target, shows the plan and syncs the main branch. */
export function gitlabPipeline(facts: CiFacts): string {
  const jobs = facts.isBuiltin ? [checkJob(facts)] : [checkJob(facts), planJob(facts), syncJob(facts)]
  const include = facts.isReported ? `include: /${CI_FILES.gitlabReport}\n\n` : ''
  return `${facts.isBuiltin ? CHECK_HEAD : HEAD}
${include}.kb:
  image: node:${NODE_MAJOR}
  variables:
    # Some rules read the history.
    GIT_DEPTH: '0'
  before_script:
${indented(gitlabSetUp(facts), 4)}

${jobs.join('\n')}`
}

const CHECK_HEAD = `# Checks the articles of every merge request. Created by kb init; change it as you like.
#
# It does not sync: the articles go to the built-in server, whose data stays on its machine. With a remote
# target in kb.config.ts, it could. The guide shows that pipeline under "Continuous integration".
`

const HEAD = `# Checks the articles of every merge request, shows what would change, and syncs when they are merged.
# Created by kb init; change it as you like. It needs two variables (Settings > CI/CD > Variables), both masked:
#   KB_API_KEY           the key that syncs. Protect it: then only protected branches get it.
#   READONLY_KB_API_KEY  a read-only key of the same knowledge base, for the plan. Do not protect it.
`

function checkJob({ manager, repository: { prefix } }: CiFacts): string {
  const { exec } = commandsOf(manager)
  return `kb-check:
  extends: .kb
  stage: test
  interruptible: true
  timeout: 10 minutes
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    # A report for the merge request, and the same in the log.
    - ${exec} kb check --format junit > kb-check.xml || ${exec} kb check
  artifacts:
    when: always
    reports:
      junit: ${yamlText(`${prefix}kb-check.xml`)}
`
}

function planJob({ manager, repository: { prefix } }: CiFacts): string {
  const { exec } = commandsOf(manager)
  return `# Only for branches of this project: a fork has no read-only key.
kb-plan:
  extends: .kb
  stage: test
  needs: [kb-check]
  interruptible: true
  timeout: 10 minutes
  rules:
    - if: >-
        $CI_PIPELINE_SOURCE == "merge_request_event" &&
        $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
  script:
    - KB_API_KEY="$READONLY_KB_API_KEY" ${exec} kb plan --on-conflict skip --format markdown > kb-plan.md
  artifacts:
    expose_as: What a sync would do
    paths:
      - ${yamlText(`${prefix}kb-plan.md`)}
`
}

function syncJob({ manager, repository: { prefix } }: CiFacts): string {
  const { exec } = commandsOf(manager)
  return `kb-sync:
  extends: .kb
  stage: deploy
  # One at a time, and a running one is never cancelled.
  resource_group: kb-sync
  interruptible: false
  timeout: 1 hour
  # With an environment, GitLab does not start the job of an older pipeline after that of a newer one.
  environment: knowledge-base
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"
  # Also saved after a failed run: the journal tells the next run what was started.
  cache:
    key: kb-state
    when: always
    paths:
      - ${yamlText(`${prefix}.kb/state/`)}
      - ${yamlText(`${prefix}.kb/journal/`)}
  script:
    - ${exec} kb sync
`
}

/** Returns the lines before those of a job, as list items: project folder, package manager, packages. */
function gitlabSetUp({ manager, repository: { prefix } }: CiFacts): string {
  const enter = prefix === '' ? [] : [`- ${yamlText(`cd ${shellText(prefix.replace(/\/$/, ''))}`)}`]
  return [...enter, ...provide(manager), `- ${commandsOf(manager).ci}`].join('\n')
}

/** The image contains npm and Yarn 1. */
function provide({ name, isBerry }: PackageManager): string[] {
  if (name === 'bun') return ['- npm install --global bun']
  return name === 'pnpm' || isBerry ? ['- corepack enable'] : []
}

function shellText(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns a job for scheduled pipelines that publishes the report as a page. */
export function gitlabReport(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const { prefix } = facts.repository
  return `# Reports articles due for review and broken links. Created by kb init; change it as you like.
# It runs in scheduled pipelines: create a schedule (Build > Pipeline schedules) such as ${REPORT_SCHEDULE}
# It needs a masked variable (Settings > CI/CD > Variables):
#   READONLY_KB_API_KEY  a read-only key of the knowledge base

kb-report:
  image: node:${NODE_MAJOR}
  stage: test
  interruptible: true
  timeout: 30 minutes
  variables:
    # The age of articles is read from the history.
    GIT_DEPTH: '0'
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  # Figures of earlier reports, to show what has changed. They contain no names.
  cache:
    key: kb-history
    when: always
    paths:
      - ${yamlText(`${prefix}.kb/history/`)}
  before_script:
${indented(gitlabSetUp(facts), 4)}
  script:
    # With --fail-on overdue,broken, the job fails if there are such findings, and GitLab sends an e-mail.
    - KB_API_KEY="$READONLY_KB_API_KEY" ${exec} kb report --format html --out kb-report.html
  artifacts:
    when: always
    paths:
      - ${yamlText(`${prefix}kb-report.html`)}
`
}
