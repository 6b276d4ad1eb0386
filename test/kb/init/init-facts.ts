import { type InitAnswers, DEFAULT_ANSWERS } from '../../../src/kb/init/init-answers.ts'
import type { InitFacts } from '../../../src/kb/init/init-model.ts'
import { NPM } from '../../../src/kb/init/packages.ts'

/** An empty folder, `acme-help`, outside git. */
export const EMPTY: InitFacts = {
  folderName: 'acme-help',
  packageJson: undefined,
  gitignore: undefined,
  addsPackages: true,
  hasContent: false,
  articles: 0,
  named: { categories: [], tags: [] },
  categories: undefined,
  tags: undefined,
  hasGitHubWorkflow: false,
  hasGitHubReport: false,
  gitlabPipeline: 'none',
  hasGitLabInclude: false,
  hasGitLabReport: false,
  repository: { prefix: '', branch: 'main' },
  manager: NPM,
  lockPrefix: '',
  packagePrefix: '',
  isInstalled: false,
  version: '1.2.3',
}

export const REMOTE: InitAnswers = { ...DEFAULT_ANSWERS, target: { url: 'https://help.example.com' } }
