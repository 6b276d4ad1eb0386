/** A test for articles and folders by path in the content folder ('' is that folder); undefined for all. */
export function selectSources(
  sources: readonly string[] | undefined,
): ((source: string) => boolean) | undefined {
  if (sources === undefined) return undefined
  return (source) => sources.some((each) => each === '' || source === each || source.startsWith(`${each}/`))
}
