// The workflow as text: its comments are for the people who will change it. Each job is a list of steps.
import { commandsOf } from '../package-manager.ts'
import { type CiFacts, yamlText } from './ci-facts.ts'
import { githubJobFolder, githubSetUp } from './github-set-up.ts'

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
    # One at a time, and none is stopped half-way. Of several that wait only the newest stays, which is enough: each
    # sync sends all that is missing.
    concurrency:
      group: kb-sync
      cancel-in-progress: false
${githubJobFolder(facts)}    steps:
${githubSetUp(facts, branch)}
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
