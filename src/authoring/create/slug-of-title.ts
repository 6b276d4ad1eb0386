import GithubSlugger from 'github-slugger'

/** A slug of a title in any script; '' where the title has no letter and no digit. */
export function slugOfTitle(title: string): string {
  return new GithubSlugger()
    .slug(title.normalize('NFC'))
    .replaceAll(/[\s/?#]+/gu, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
