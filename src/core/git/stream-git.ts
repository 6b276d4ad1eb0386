import { spawn } from 'node:child_process'
import { GIT_SETTINGS, type GitEnvironment, gitEnvironment } from './run-git.ts'

/**
 * What `git ARGS` prints in `folder`, cut at each U+0000 while it runs; whoever stops reading ends it. Where it fails,
 * there is nothing more to read.
 */
export async function* streamGit(
  folder: string,
  args: readonly string[],
  env: GitEnvironment,
  signal?: AbortSignal,
): AsyncGenerator<string, void> {
  const child = spawn('git', [...GIT_SETTINGS, ...args], {
    cwd: folder,
    env: gitEnvironment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(signal && { signal }),
  })
  // No git, or stopped by the signal: the output ends, which is all there is to know.
  child.on('error', () => undefined)
  child.stdout.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of child.stdout as AsyncIterable<string>) {
      const parts = `${rest}${chunk}`.split('\0')
      rest = parts.pop() ?? ''
      yield* parts
    }
  } finally {
    child.kill()
  }
  if (rest !== '') yield rest
}
