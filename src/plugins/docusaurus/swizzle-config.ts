export interface SwizzleComponent {
  readonly description: string
  readonly actions: { readonly eject: 'safe'; readonly wrap: 'safe' }
}

/** What `docusaurus swizzle kb-sync` offers: every component of theme/. Their properties are those of page-shapes.ts. */
export const SWIZZLE_CONFIG: { components: { [name: string]: SwizzleComponent } } = {
  components: {
    KbRoot: component('The frame of all pages of articles, with the sidebar'),
    KbSidebar: component('The categories and their articles'),
    KbBreadcrumbs: component('The categories above a page'),
    KbArticlePage: component('An article, with its tags, its headings at the side, and its neighbours'),
    KbContent: component('The text of an article'),
    KbListPage: component('A category, a tag, or all categories'),
  },
}

function component(description: string): SwizzleComponent {
  return { description, actions: { eject: 'safe', wrap: 'safe' } }
}
