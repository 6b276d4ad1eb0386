import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** A place in a file; the path is absolute. */
export interface FilePlace {
  readonly path: string
  readonly line: number
  readonly column: number
}

export type Opened =
  | { readonly kind: 'opened' }
  /** `reason`: what keeps it shut, and what to set. */
  | { readonly kind: 'failed'; readonly reason: string }

/** They would share the terminal with the watch. */
const TERMINAL_EDITORS = new Set('vi vim nvim view nano pico micro hx helix kak joe ed ne mcedit'.split(' '))

const ADVICE =
  'Start the editor first, or set LAUNCH_EDITOR to its command before kb watch is started, for instance LAUNCH_EDITOR=code.'

/**
 * Opens a file in the editor that runs on this machine, else in the one that LAUNCH_EDITOR, VISUAL or EDITOR name. No
 * shell has a part in it, and the editor outlives the watch.
 */
export async function openEditor(place: FilePlace): Promise<Opened> {
  const [command, ...given] = await findEditor()
  if (command === undefined) return failed('No editor was found.')
  if (TERMINAL_EDITORS.has(nameOf(command))) {
    return failed(`${nameOf(command)} runs in a terminal, and cannot be started from a page.`)
  }
  const { default: argumentsFor } = await import('launch-editor/get-args.js')
  const args = argumentsFor(command, place.path, place.line, place.column).map(String)
  return start(command, [...given, ...args])
}

async function findEditor(): Promise<readonly string[]> {
  const { default: guessEditor } = await import('launch-editor/guess.js')
  const named = onlyWords(guessEditor())
  const [command] = named
  // `code --wait` is a command with an argument, unless there is a file of this name.
  return command !== undefined && command.includes(' ') && !existsSync(command)
    ? onlyWords(guessEditor(command))
    : named
}

/** Operators of a shell mean nothing here. */
function onlyWords(words: readonly unknown[]): readonly string[] {
  return words.every((word) => typeof word === 'string') ? words : []
}

function nameOf(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd|bat)$/i, '')
}

function start(command: string, args: readonly string[]): Promise<Opened> {
  return new Promise((resolve) => {
    const editor = spawn(command, args, { stdio: 'ignore', detached: true })
    editor.once('error', () => resolve(failed(`${command} could not be started.`)))
    editor.once('spawn', () => {
      editor.unref()
      resolve({ kind: 'opened' })
    })
  })
}

function failed(what: string): Opened {
  return { kind: 'failed', reason: `${what} ${ADVICE}` }
}
