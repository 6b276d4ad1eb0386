import { type PackageManager, commandsOf } from '../package-manager.ts'
import { type CiFacts, yamlText } from './ci-facts.ts'

/** The lines before a job's own, as items of a list: the folder of the project, its package manager, the packages. */
export function gitlabSetUp({ manager, repository: { prefix } }: CiFacts): string {
  const enter = prefix === '' ? [] : [`- ${yamlText(`cd ${shellText(prefix.replace(/\/$/, ''))}`)}`]
  return [...enter, ...provide(manager), `- ${commandsOf(manager).ci}`].join('\n')
}

/** The image brings npm and the first yarn. */
function provide({ name, isBerry }: PackageManager): string[] {
  if (name === 'bun') return ['- npm install --global bun']
  return name === 'pnpm' || isBerry ? ['- corepack enable'] : []
}

function shellText(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
