import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  hashAssets,
  judgeOpened,
  openInside,
  placeByIdentity,
} from '../../../src/content/assets/open-inside.ts'
import { digest } from '../../../src/core/digest.ts'
import { contentFolder } from '../load-files.ts'

/** Returns the kind of the result, and closes an opened file. */
function kindOf(root: string, source: string): string {
  const opened = openInside(root, source)
  if (opened.kind === 'opened') closeSync(opened.descriptor)
  return opened.kind === 'opened' ? `opened ${opened.size}` : opened.kind
}

function folders() {
  const outside = contentFolder({ 'secret.png': 'secret', 'deep/secret.png': 'secret' })
  const root = contentFolder({ 'a.png': 'inside', 'img/b.png': 'b' })
  return { outside, root }
}

test('opens files of the content folder, including through links within it', () => {
  const { root } = folders()
  symlinkSync('a.png', join(root, 'link.png'))
  symlinkSync('link.png', join(root, 'chain.png'))
  symlinkSync('img', join(root, 'folder'))
  symlinkSync(join(root, 'img', 'b.png'), join(root, 'absolute.png'))
  const opened = ['a.png', 'img/b.png', 'link.png', 'chain.png', 'folder/b.png', 'absolute.png']
  expect(opened.map((source) => kindOf(root, source))).toEqual([
    'opened 6',
    'opened 1',
    'opened 6',
    'opened 6',
    'opened 1',
    'opened 1',
  ])
  const elsewhere = contentFolder({})
  symlinkSync(root, join(elsewhere, 'content'))
  expect(kindOf(join(elsewhere, 'content'), 'a.png')).toBe('opened 6')
})

test('opens nothing hidden, whatever links lead there', () => {
  const root = contentFolder({ '.env.png': 'key', '.kb/state.png': 'state', 'img/..x.png': 'x' })
  symlinkSync('.env.png', join(root, 'file.png'))
  symlinkSync('.kb', join(root, 'folder'))
  const sources = ['.env.png', '.kb/state.png', 'img/..x.png', 'file.png', 'folder/state.png']
  expect(sources.map((source) => kindOf(root, source))).toEqual(sources.map(() => 'hidden'))
  // The content folder itself may be below such a folder.
  expect(kindOf(join(contentFolder({ '.docs/a.png': 'a' }), '.docs'), 'a.png')).toBe('opened 1')
})

test('opens what editors on the web store in folders of their own', () => {
  const files = ['.gitbook/assets/a.png', 'de/.gitbook/assets/b/c.png', '.attachments/a.png']
  const secrets = [
    '.gitbook/a.png',
    '.gitbook/assets/.a.png',
    '.git/.attachments/a.png',
    'a.gitbook/assets/.b.png',
  ]
  const root = contentFolder(Object.fromEntries([...files, ...secrets].map((file) => [file, 'a'])))
  expect(files.map((source) => kindOf(root, source))).toEqual(files.map(() => 'opened 1'))
  expect(secrets.map((source) => kindOf(root, source))).toEqual(secrets.map(() => 'hidden'))
})

test('opens nothing outside, whatever links lead there', () => {
  const { root, outside } = folders()
  symlinkSync(join(outside, 'secret.png'), join(root, 'file.png'))
  symlinkSync('file.png', join(root, 'chain.png'))
  symlinkSync(outside, join(root, 'folder'))
  symlinkSync('folder/deep', join(root, 'folders'))
  // A folder whose name starts like the root's is a different one.
  mkdirSync(`${root}-too`)
  onTestFinished(() => rmSync(`${root}-too`, { recursive: true }))
  writeFileSync(`${root}-too/secret.png`, 'secret')
  symlinkSync(`${root}-too/secret.png`, join(root, 'beside.png'))
  const sources = [
    'beside.png',
    'file.png',
    'chain.png',
    'folder/secret.png',
    'folder/deep/secret.png',
    'folders/secret.png',
  ]
  expect(sources.map((source) => kindOf(root, source))).toEqual(sources.map(() => 'outside'))
})

test('a link that is swapped between check and read reveals nothing', () => {
  const { root, outside } = folders()
  const file = join(root, 'swapped.png')
  symlinkSync(join(outside, 'secret.png'), file)
  const descriptor = openSync(file, 'r')
  onTestFinished(() => closeSync(descriptor))
  // The opened file is the secret; a second look at the path finds a harmless one.
  rmSync(file)
  writeFileSync(file, 'harmless')
  expect(judgeOpened(root, file, descriptor).kind).toBe('outside')
  expect(placeByIdentity(descriptor, file)).toBe(undefined)
  const harmless = openSync(file, 'r')
  onTestFinished(() => closeSync(harmless))
  expect(judgeOpened(root, file, harmless)).toEqual({ kind: 'opened', descriptor: harmless, size: 8 })
  expect(placeByIdentity(harmless, file)).toBe(file)
})

test('a missing path or one that is not a file neither hangs nor crashes', async () => {
  const { root } = folders()
  execFileSync('mkfifo', [join(root, 'pipe.png')])
  symlinkSync('/dev/zero', join(root, 'device.png'))
  symlinkSync('loop.png', join(root, 'loop.png'))
  symlinkSync('none.png', join(root, 'dangling.png'))
  const socket = createServer().listen(join(root, 'socket.png'))
  onTestFinished(() => void socket.close())
  await new Promise((resolve) => socket.once('listening', resolve))
  const sources = [
    'pipe.png',
    'device.png',
    'socket.png',
    'img',
    'loop.png',
    'dangling.png',
    'no/x',
    'a.png/x',
    'a\0b',
  ]
  expect(Object.fromEntries(sources.map((source) => [source, kindOf(root, source)]))).toEqual({
    'pipe.png': 'no-file',
    'device.png': 'no-file',
    'socket.png': 'no-file',
    img: 'no-file',
    'loop.png': 'missing',
    'dangling.png': 'missing',
    'no/x': 'missing',
    'a.png/x': 'missing',
    'a\0b': 'missing',
  })
  // A pipe replaces the file between check and open: opening it does not wait.
  const pipe = openSync(join(root, 'pipe.png'), 'r+')
  onTestFinished(() => closeSync(pipe))
  expect(judgeOpened(root, join(root, 'pipe.png'), pipe).kind).toBe('no-file')
  expect([...hashAssets(root, ['a.png', 'pipe.png', 'device.png', 'none'])]).toEqual([
    ['a.png', digest('inside')],
    ['pipe.png', ''],
    ['device.png', ''],
    ['none', ''],
  ])
})

test('a file without read permission is reported as such', ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may read everything')
  const { root } = folders()
  execFileSync('chmod', ['000', join(root, 'a.png')])
  expect(kindOf(root, 'a.png')).toBe('unreadable')
})
