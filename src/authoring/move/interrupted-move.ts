import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareWorkspace, type Workspace } from '../../sync/state/workspace.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/** Stored during a move, so that an interrupted run can be repeated. */
export interface InterruptedMove {
  readonly from: string
  readonly to: string
  /** Digests of the changed moved files, before and after, by their new source. */
  readonly files: Readonly<Record<string, { readonly before: string; readonly after: string }>>
}

function fileOf({ folder }: Workspace): string {
  return join(folder, 'move.json')
}

/** Stores what a repeated run needs. If that fails, the move continues. */
export async function writeInterruptedMove(workspace: Workspace, move: InterruptedMove): Promise<void> {
  try {
    prepareWorkspace(workspace)
    await writeFileWhole(fileOf(workspace), JSON.stringify(move))
  } catch {
    // The project cannot contain .kb. A repeated run then relies on the files.
  }
}

/** Returns what an interrupted run has stored if it was the same move. */
export function readInterruptedMove(
  workspace: Workspace,
  { from, to }: Pick<InterruptedMove, 'from' | 'to'>,
): InterruptedMove | undefined {
  try {
    const stored = JSON.parse(readFileSync(fileOf(workspace), 'utf8')) as InterruptedMove
    const isOfThis = stored.from === from && stored.to === to && typeof stored.files === 'object'
    return isOfThis ? stored : undefined
  } catch {
    return undefined
  }
}

export function dropInterruptedMove(workspace: Workspace): void {
  rmSync(fileOf(workspace), { force: true })
}
