/** A test for articles and folders, by their path under the content root ('' is that root); undefined for all. */
export function selectSources(
  sources: readonly string[] | undefined,
): ((source: string) => boolean) | undefined {
  if (sources === undefined) return undefined
  return (source) => sources.some((each) => each === '' || source === each || source.startsWith(`${each}/`))
}
