import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareWorkspace, type Workspace } from '../../sync/state/workspace.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/** Stored during a move, so that an interrupted run can be repeated. */
export interface MoveNote {
  readonly from: string
  readonly to: string
  /** Digests of the changed moved files, before and after, by their new source. */
  readonly files: Readonly<Record<string, { readonly before: string; readonly after: string }>>
}

function fileOf({ folder }: Workspace): string {
  return join(folder, 'move.json')
}

/** Stores the note. If that fails, the move continues. */
export async function writeMoveNote(workspace: Workspace, note: MoveNote): Promise<void> {
  try {
    prepareWorkspace(workspace)
    await writeFileWhole(fileOf(workspace), JSON.stringify(note))
  } catch {
    // The project cannot contain .kb. A repeated run then relies on the files.
  }
}

/** Returns the note of an interrupted run if it was the same move. */
export function readMoveNote(
  workspace: Workspace,
  { from, to }: Pick<MoveNote, 'from' | 'to'>,
): MoveNote | undefined {
  try {
    const note = JSON.parse(readFileSync(fileOf(workspace), 'utf8')) as MoveNote
    const isOfThis = note.from === from && note.to === to && typeof note.files === 'object'
    return isOfThis ? note : undefined
  } catch {
    return undefined
  }
}

export function dropMoveNote(workspace: Workspace): void {
  rmSync(fileOf(workspace), { force: true })
}
