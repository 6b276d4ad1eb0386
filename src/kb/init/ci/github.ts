import { commandsOf } from '../packages.ts'
import { type CiFacts, yamlText, indented, NODE_MAJOR, REPORT_SCHEDULE } from './ci-facts.ts'

/** Returns a workflow that checks pull requests and, for a remote target, shows the plan and syncs the main branch. */
export function githubWorkflow(facts: CiFacts): string {
  return facts.isBuiltin ? checkOnly(facts) : checkPlanAndSync(facts)
}

function checkOnly(facts: CiFacts): string {
  return `# Checks the articles on every pull request. Created by kb init; change it as you like.
#
# It does not sync: the articles go to the built-in server, whose data stays on its machine. With a remote
# target in kb.config.ts, it could. The guide shows that workflow under "Continuous integration".
name: Knowledge base

on:
  pull_request:

permissions: {}

jobs:
${checkJob(facts)}`
}

function checkPlanAndSync(facts: CiFacts): string {
  return `# Checks the articles on every pull request, shows what would change, and syncs when they are merged.
# Created by kb init; change it as you like. It needs two secrets of the repository:
#   KB_API_KEY           the key that syncs
#   READONLY_KB_API_KEY  a read-only key of the same knowledge base, for the plan
name: Knowledge base

on:
  pull_request:
  push:
    branches: [${yamlText(facts.repository.branch)}]
  workflow_dispatch:

permissions: {}

jobs:
${checkJob(facts)}
${planJob(facts)}
${syncJob(facts)}`
}

function checkJob(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const name = facts.isBuiltin ? '' : "    if: github.event_name == 'pull_request'\n"
  return `  check:
${name}    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
${githubJobFolder(facts)}    steps:
${githubSetUp(facts)}
      - run: ${exec} kb check --format github
`
}

function planJob(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  return `  # Only for branches of this repository: forks and Dependabot get no secrets.
  plan:
    if: >-
      github.event_name == 'pull_request' &&
      github.event.pull_request.head.repo.full_name == github.repository &&
      github.actor != 'dependabot[bot]'
    needs: check
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
${githubJobFolder(facts)}    steps:
${githubSetUp(facts)}
      - run: ${exec} kb plan --on-conflict skip --format markdown >> "$GITHUB_STEP_SUMMARY"
        env:
          KB_API_KEY: \${{ secrets.READONLY_KB_API_KEY }}
`
}

function syncJob(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const { prefix, branch } = facts.repository
  return `  sync:
    if: github.event_name != 'pull_request' && !github.event.repository.fork
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
    # One at a time, and a running one is never cancelled. Of several waiting runs, only the newest stays, which is
    # enough: each sync sends everything that is missing.
    concurrency:
      group: kb-sync
      cancel-in-progress: false
${githubJobFolder(facts)}    steps:
${githubSetUp(facts, branch)}
      # Also saved after a failed run: the journal tells the next run what was started.
      - uses: actions/cache/restore@v6
        with:
          path: |
            ${prefix}.kb/state
            ${prefix}.kb/journal
          key: kb-state-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: kb-state-
      - run: ${exec} kb sync --format markdown >> "$GITHUB_STEP_SUMMARY"
        env:
          KB_API_KEY: \${{ secrets.KB_API_KEY }}
      - uses: actions/cache/save@v6
        if: always()
        with:
          path: |
            ${prefix}.kb/state
            ${prefix}.kb/journal
          key: kb-state-\${{ github.run_id }}-\${{ github.run_attempt }}
`
}

/** Returns the setting of the project folder for all steps of a job; '' at the root of the repository. */
function githubJobFolder({ repository: { prefix } }: CiFacts): string {
  if (prefix === '') return ''
  return `    defaults:
      run:
        working-directory: ${yamlText(prefix.replace(/\/$/, ''))}
`
}

/** Returns the steps for checkout, Node.js and packages. `branch`: its latest commit; default: that of the event. */
function githubSetUp(facts: CiFacts, branch?: string): string {
  const { ci } = commandsOf(facts.manager)
  const newest =
    branch === undefined
      ? ''
      : `\n    # The newest commit, even if this run was overtaken or is repeated.\n    ref: ${yamlText(branch)}`
  const steps = `- uses: actions/checkout@v7
  with:
    # Some rules read the history.
    fetch-depth: 0
    persist-credentials: false${newest}
${setUpNode(facts)}
- run: ${ci}`
  return indented(steps, 6)
}

function setUpNode({ manager, lockPrefix }: CiFacts): string {
  const { name, isBerry, isPinned } = manager
  const lockFile = yamlText(lockPrefix + commandsOf(manager).lockFile)
  const lock = lockPrefix === '' ? '' : `\n    cache-dependency-path: ${lockFile}`
  const cache = name === 'bun' ? '' : `\n    cache: ${name}${lock}`
  const node = `- uses: actions/setup-node@v7
  with:
    node-version: ${NODE_MAJOR}${cache}`
  const before = {
    npm: '',
    pnpm: `- uses: pnpm/action-setup@v6\n${isPinned ? '' : '  with:\n    version: 10\n'}`,
    yarn: isBerry ? '- run: corepack enable\n' : '',
    bun: '- uses: oven-sh/setup-bun@v2\n',
  }
  return before[name] + node
}

/** Returns a scheduled workflow that writes the report to its job summary. */
export function githubReport(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const path = yamlText(`${facts.repository.prefix}.kb/history`)
  return `# Reports articles due for review and broken links. Created by kb init; change it as you like.
# It needs one secret of the repository:
#   READONLY_KB_API_KEY  a read-only key of the knowledge base
name: Knowledge base report

on:
  schedule:
    # Mondays and Thursdays, in UTC. GitHub deletes a cache that was not used for seven days: with fewer runs, the report
    # could no longer show what has changed since the last one.
    - cron: '${REPORT_SCHEDULE}'
  workflow_dispatch:

permissions: {}

jobs:
  report:
    if: '!github.event.repository.fork'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
${githubJobFolder(facts)}    steps:
${githubSetUp(facts)}
      # Figures of earlier reports, to show what has changed. They contain no names.
      - uses: actions/cache/restore@v6
        with:
          path: ${path}
          key: kb-history-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: kb-history-
      # With --fail-on overdue,broken, the job fails if there are such findings, and GitHub sends an e-mail.
      - run: ${exec} kb report --format markdown >> "$GITHUB_STEP_SUMMARY"
        env:
          KB_API_KEY: \${{ secrets.READONLY_KB_API_KEY }}
      - uses: actions/cache/save@v6
        if: always()
        with:
          path: ${path}
          key: kb-history-\${{ github.run_id }}-\${{ github.run_attempt }}
`
}
