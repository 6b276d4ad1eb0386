// A workflow of its own: it runs on a schedule, and may be added to or removed from a repository alone.
import { commandsOf } from '../package-manager.ts'
import { type CiFacts, REPORT_SCHEDULE, yamlText } from './ci-facts.ts'
import { githubJobFolder, githubSetUp } from './github-set-up.ts'

/** A workflow that writes the report to the summary of its job, on a schedule. */
export function githubReport(facts: CiFacts): string {
  const { exec } = commandsOf(facts.manager)
  const path = yamlText(`${facts.repository.prefix}.kb/history`)
  return `# Reports which articles are due for review and which links are dead. Made by kb init; change it as you like.
# It needs one secret of the repository:
#   READONLY_KB_API_KEY  a read-only key of the knowledge base
name: Knowledge base report

on:
  schedule:
    # Mondays and Thursdays, in UTC. GitHub drops a cache that was not used for seven days: with fewer runs, the report
    # could no longer say what has changed since the last one.
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
      # Numbers of earlier reports, to show what has changed since. They hold no names.
      - uses: actions/cache/restore@v6
        with:
          path: ${path}
          key: kb-history-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: kb-history-
      # With --fail-on overdue,broken the job fails while there is anything to do, and GitHub sends a mail.
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
