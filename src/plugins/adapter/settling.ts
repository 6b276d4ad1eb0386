/**
 * Delay in ms between a change and the check of the files. The tools' watchers (chokidar) drop a second change of a
 * file within 50 ms, and many programs write a file in two steps: they empty it, then fill it. An immediate check would
 * find an empty file.
 */
export const SETTLING_MS = 60
