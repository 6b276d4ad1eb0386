// The editor detection of launch-editor. Its main function would write to the terminal and give it to the editor.
declare module 'launch-editor/guess.js' {
  /** Command and arguments of the running editor, otherwise of the one in the environment; `[null]` without any. */
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
