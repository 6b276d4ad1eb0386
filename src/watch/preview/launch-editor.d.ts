// The editor detection of launch-editor. Its main function would write to the terminal and share it with the editor.
declare module 'launch-editor/guess.js' {
  /** Command and arguments of the running editor, otherwise of that in the environment; `[null]` for none. */
  export default function guessEditor(command?: string): (string | object | null)[]
}

declare module 'launch-editor/get-args.js' {
  export default function getArgumentsForFile(
    editor: string,
    file: string,
    line: number,
    column: number,
  ): (string | number)[]
}
