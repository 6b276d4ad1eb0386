/**
 * So long after a change was noticed the files are checked, in ms. The watchers of the tools (chokidar) keep a second
 * change of a file within 50 ms of the first to themselves, and many a program writes a file in two steps: emptied, then
 * filled. A check after the first would find an empty file.
 */
export const SETTLING_MS = 60
