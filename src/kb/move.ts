import type { MoveResult } from '../authoring/move/move-options.ts'
import { moveSource } from '../authoring/move/move-source.ts'
import type { Project } from './project.ts'
import type { MoveOptions } from './run-options.ts'

/** `Kb.move` */
export async function move(
  { cwd, loadSettings }: Project,
  { from, to, newSlug, dryRun, signal }: MoveOptions,
): Promise<MoveResult> {
  return moveSource({ settings: await loadSettings(), cwd, from, to, newSlug, dryRun, signal })
}
