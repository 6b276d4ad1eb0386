import GithubSlugger from 'github-slugger'

/** Returns a slug for a title in any script; '' if the title has no letter or digit. */
export function slugOfTitle(title: string): string {
  return new GithubSlugger()
    .slug(title.normalize('NFC'))
    .replaceAll(/[\s/?#]+/gu, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
