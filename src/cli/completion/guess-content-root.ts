import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'

const CONTENT = /(?<![\w.$])(["']?)content\1\s*:\s*(["'`])([^"'`$\n]+)\2/

/**
 * The content folder of a project, as far as the text of its configuration says it. Nothing is run: whoever presses Tab
 * in a folder from somewhere else has not decided to run what is in it.
 */
export function guessContentRoot(root: string, configFile?: string): string {
  const names = configFile === undefined ? CONFIG_NAMES : [configFile]
  const text = names.map((name) => readIfThere(resolve(root, name))).find((each) => each !== undefined)
  return join(root, CONTENT.exec(text ?? '')?.[3] ?? 'content')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
