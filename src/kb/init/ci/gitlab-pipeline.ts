// The pipeline as text: its comments are for the people who will change it.
import { CI_FILES } from '../init-facts.ts'
import { commandsOf } from '../package-manager.ts'
import { type CiFacts, indented, NODE_MAJOR, yamlText } from './ci-facts.ts'
import { gitlabSetUp } from './gitlab-set-up.ts'

/** A pipeline that checks articles on merge requests and, for a remote target, shows the plan and syncs the main branch. */
export function gitlabPipeline(facts: CiFacts): string {
  const jobs = facts.isBuiltin ? [checkJob(facts)] : [checkJob(facts), planJob(facts), syncJob(facts)]
  const include = facts.isReported ? `include: /${CI_FILES.gitlabReport}\n\n` : ''
  return `${facts.isBuiltin ? CHECK_HEAD : HEAD}
${include}.kb:
  image: node:${NODE_MAJOR}
  variables:
    # Some rules look into the history.
    GIT_DEPTH: '0'
  before_script:
${indented(gitlabSetUp(facts), 4)}

${jobs.join('\n')}`
}

const CHECK_HEAD = `# Checks the articles of every merge request. Made by kb init; change it as you like.
#
# It does not sync: the articles go to the built-in server, whose data stays on the machine it runs on. With a remote
# target in kb.config.ts it could; the guide has that pipeline under "Continuous integration".
`

const HEAD = `# Checks the articles of every merge request, shows what would change, and syncs when they are merged.
# Made by kb init; change it as you like. It needs two variables (Settings > CI/CD > Variables), both masked:
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
    # A report for the merge request, and in the log the same for people.
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
  # One at a time, and none is stopped half-way.
  resource_group: kb-sync
  interruptible: false
  timeout: 1 hour
  # With an environment, GitLab does not start the job of an older pipeline after that of a newer one.
  environment: knowledge-base
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"
  # Saved also after a run that failed: the journal tells the next one what had been begun.
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
