// A file of its own: it may be added to or removed from a project alone.
import { commandsOf } from '../package-manager.ts'
import { type CiFacts, indented, NODE_MAJOR, REPORT_SCHEDULE, yamlText } from './ci-facts.ts'
import { gitlabSetUp } from './gitlab-set-up.ts'

/** A job for scheduled pipelines that leaves the report as a page. */
export function gitlabReport(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const { prefix } = facts.repository
  return `# Reports which articles are due for review and which links are dead. Made by kb init; change it as you like.
# It runs in scheduled pipelines: make a schedule (Build > Pipeline schedules) such as ${REPORT_SCHEDULE}
# It needs a masked variable (Settings > CI/CD > Variables):
#   READONLY_KB_API_KEY  a read-only key of the knowledge base

kb-report:
  image: node:${NODE_MAJOR}
  stage: test
  interruptible: true
  timeout: 30 minutes
  variables:
    # Ages of articles come from the history.
    GIT_DEPTH: '0'
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  # Numbers of earlier reports, to show what has changed since. They hold no names.
  cache:
    key: kb-history
    when: always
    paths:
      - ${yamlText(`${prefix}.kb/history/`)}
  before_script:
${indented(gitlabSetUp(facts), 4)}
  script:
    # With --fail-on overdue,broken the job fails while there is anything to do, and GitLab sends a mail.
    - KB_API_KEY="$READONLY_KB_API_KEY" ${exec} kb report --format html --out kb-report.html
  artifacts:
    when: always
    paths:
      - ${yamlText(`${prefix}kb-report.html`)}
`
}
