import { commandsOf } from '../package-manager.ts'
import { type CiFacts, indented, NODE_MAJOR, yamlText } from './ci-facts.ts'

/** The folder of the project for all steps of a job; '' at the root of the repository. */
export function githubJobFolder({ repository: { prefix } }: CiFacts): string {
  if (prefix === '') return ''
  return `    defaults:
      run:
        working-directory: ${yamlText(prefix.replace(/\/$/, ''))}
`
}

/** Steps: checkout, Node.js and the packages. @param branch its newest commit; default: the commit of the event */
export function githubSetUp(facts: CiFacts, branch?: string): string {
  const { ci } = commandsOf(facts.manager)
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
