import { expect, test } from 'vitest'
import { explainWatchFailure } from '../../../src/watch/files/watch-project.ts'

const systemError = (code: string, message: string) =>
  Object.assign(new Error(message), { code, syscall: 'watch', path: '/docs' })

test.each([
  ['ENOSPC', 'System limit for number of file watchers reached', 'fs.inotify.max_user_watches'],
  ['EMFILE', 'too many open files', 'ulimit -n'],
])('%s is a limit of the system, and the hint says how to raise it', (code, reason, remedy) => {
  const failure = explainWatchFailure(systemError(code, `${code}: ${reason}, watch '/docs'`))
  expect(failure).toMatchObject({
    code: 'WATCH_FAILED',
    message: `The files cannot be watched: ${reason}.`,
    hint: expect.stringContaining(remedy) as string,
  })
})

test('an unreadable folder does not end the watch', () => {
  expect(
    explainWatchFailure(systemError('EACCES', "EACCES: permission denied, watch '/docs'")),
  ).toBeUndefined()
})
