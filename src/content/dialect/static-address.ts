/**
 * `pathname:///file.pdf` tells Docusaurus that an address leads to a file of the site and to no page: it is `/file.pdf`.
 * Every other address stays as it is.
 */
export function withoutPathname(url: string): string {
  return url.startsWith('pathname:///') ? url.slice('pathname://'.length) : url
}
