import { resolve } from 'node:path'
import { type AssetsResult, copyAssets } from '../inspect/check/assets/copy-assets.ts'
import type { Project } from './project.ts'
import type { AssetsOptions } from './run-options.ts'

/** `Kb.assets` */
export async function assets(
  { cwd, loadSettings }: Project,
  { folder, dryRun, onProgress, signal }: AssetsOptions,
): Promise<AssetsResult> {
  return copyAssets({
    settings: await loadSettings(),
    folder: resolve(cwd, folder),
    dryRun,
    onProgress,
    signal,
  })
}
