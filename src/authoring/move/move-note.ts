import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareWorkspace, type Workspace } from '../../sync/state/workspace.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/** What is kept while a move is under way, so that a run that was cut off can be repeated. */
export interface MoveNote {
  readonly from: string
  readonly to: string
  /** Digests of the moved files that change, before and after, by their new source. */
  readonly files: Readonly<Record<string, { readonly before: string; readonly after: string }>>
}

function fileOf({ folder }: Workspace): string {
  return join(folder, 'move.json')
}

/** Keeps the note. Where nothing can be kept, the move is made all the same. */
export async function writeMoveNote(workspace: Workspace, note: MoveNote): Promise<void> {
  try {
    prepareWorkspace(workspace)
    await writeFileWhole(fileOf(workspace), JSON.stringify(note))
  } catch {
    // A project that cannot hold .kb: a repeated run then goes by what it finds.
  }
}

/** The note of a run that was cut off, if it was about this move. */
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
