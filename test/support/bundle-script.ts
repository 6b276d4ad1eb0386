// A TypeScript file of the tests as one JavaScript file, with all it imports: a process loads that in a quarter of a
// second, where it would otherwise translate some hundred files first.
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** In this package, where its own files and its dependencies are found, and out of the way of git and npm. */
const FOLDER = fileURLToPath(new URL('../../.kb/test-scripts/', import.meta.url))

const bundled = new Map<string, Promise<string>>()

/** @returns path of the bundle, the same for the same file */
export function bundleScript(file: string): Promise<string> {
  const known = bundled.get(file) ?? bundle(file)
  bundled.set(file, known)
  return known
}

async function bundle(file: string): Promise<string> {
  // These load a binary that lies beside them.
  const script = await rolldown({ input: file, platform: 'node', external: ['libsql', 'satteri'] })
  // Several processes run tests. Not .js: that is how the program knows that it was built.
  const dir = join(FOLDER, `${process.pid}-${bundled.size}`)
  const name = `${basename(file, '.ts')}.mjs`
  await script.write({ dir, format: 'esm', entryFileNames: name, codeSplitting: false })
  await script.close()
  return join(dir, name)
}
