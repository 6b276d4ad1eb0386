// What launch-editor knows of editors; its main function would write to the terminal and hand it to the editor.
declare module 'launch-editor/guess.js' {
  /** Command and arguments of the editor that runs, else that the environment names; `[null]` where there is none. */
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
