import { type GitFolder, runGit } from './run-git.ts'

/** Reads the texts of `blobs` (object ids), by id, with a single process. Returns undefined if git cannot read them. */
export async function readBlobs(
  git: GitFolder,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const unique = [...new Set(blobs)]
  if (unique.length === 0) return new Map()
  const input = `${unique.join('\n')}\n`
  // Sizes are in bytes.
  const output = await runGit(git, ['cat-file', '--batch'], { input, encoding: 'latin1' })
  return output === undefined ? undefined : parseBatch(Buffer.from(output, 'latin1'))
}

/** Parses `ID blob SIZE`, a line feed, SIZE bytes and another line feed; `ID missing` for a missing object. */
function parseBatch(bytes: Buffer): Map<string, string> {
  const texts = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1) break
    const [id = '', type, size] = bytes.toString('utf8', at, end).split(' ')
    at = end + 1
    if (type !== 'blob') continue
    texts.set(id, bytes.toString('utf8', at, at + Number(size)))
    at += Number(size) + 1
  }
  return texts
}
