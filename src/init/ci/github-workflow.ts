// The workflow as text: its comments are for the people who will change it. Each job is a list of steps.
import { wordsOf } from '../package-manager.ts'
import { type CiFacts, indented, NODE_MAJOR, yamlText } from './ci-facts.ts'

/** A workflow that checks articles on pull requests and, for a remote target, shows the plan and syncs the main branch. */
export function githubWorkflow(facts: CiFacts): string {
  return facts.isBuiltin ? checkOnly(facts) : checkPlanAndSync(facts)
}

function checkOnly(facts: CiFacts): string {
  return `# Checks the articles on every pull request. Made by kb init; change it as you like.
#
# It does not sync: the articles go to the built-in server, whose data stays on the machine it runs on. With a remote
# target in kb.config.ts it could; the guide has that workflow under "Continuous integration".
name: Knowledge base

on:
  pull_request:

permissions: {}

jobs:
${checkJob(facts)}`
}

function checkPlanAndSync(facts: CiFacts): string {
  return `# Checks the articles on every pull request, shows what would change, and syncs when they are merged.
# Made by kb init; change it as you like. It needs two secrets of the repository:
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
  const { exec } = wordsOf(facts.manager)
  const name = facts.isBuiltin ? '' : "    if: github.event_name == 'pull_request'\n"
  return `  check:
${name}    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
${jobFolder(facts)}    steps:
${setUp(facts)}
      - run: ${exec} kb check --format github
`
}

function planJob(facts: CiFacts): string {
  const { exec } = wordsOf(facts.manager)
  return `  # Only for branches of this repository: a fork gets no secrets, and needs none to be checked.
  # Nor does Dependabot get any.
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
${jobFolder(facts)}    steps:
${setUp(facts)}
      - run: ${exec} kb plan --on-conflict skip --format markdown >> "$GITHUB_STEP_SUMMARY"
        env:
          KB_API_KEY: \${{ secrets.READONLY_KB_API_KEY }}
`
}

function syncJob(facts: CiFacts): string {
  const { exec } = wordsOf(facts.manager)
  const { prefix, branch } = facts.repository
  return `  sync:
    if: github.event_name != 'pull_request' && !github.event.repository.fork
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
    # One at a time, and none is stopped half-way. Of several that wait only the newest stays, which is enough: each
    # sync sends all that is missing.
    concurrency:
      group: kb-sync
      cancel-in-progress: false
${jobFolder(facts)}    steps:
${setUp(facts, branch)}
      # Saved also after a run that failed: the journal tells the next one what had been begun.
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

function jobFolder({ repository: { prefix } }: CiFacts): string {
  if (prefix === '') return ''
  return `    defaults:
      run:
        working-directory: ${yamlText(prefix.replace(/\/$/, ''))}
`
}

/** Checkout, Node.js and the packages. @param branch its newest commit; default: the commit of the event */
function setUp(facts: CiFacts, branch?: string): string {
  const { ci } = wordsOf(facts.manager)
  const newest =
    branch === undefined
      ? ''
      : `\n    # The newest commit, also for a run that was overtaken or is run again.\n    ref: ${yamlText(branch)}`
  const steps = `- uses: actions/checkout@v7
  with:
    # Some rules look into the history.
    fetch-depth: 0
    persist-credentials: false${newest}
${setUpNode(facts)}
- run: ${ci}`
  return indented(steps, 6)
}

function setUpNode({ manager, lockPrefix }: CiFacts): string {
  const { name, isBerry, isPinned } = manager
  const lockFile = yamlText(lockPrefix + wordsOf(manager).lockFile)
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
