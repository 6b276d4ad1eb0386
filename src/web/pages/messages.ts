/** The texts of the pages themselves, besides the content. */
export interface Messages {
  /** Language code of these texts. */
  readonly language: string
  readonly skip: string
  readonly search: string
  readonly searchFor: (text: string) => string
  readonly searchHint: string
  readonly allArticles: string
  readonly found: (count: number) => string
  readonly foundNothing: (text: string) => string
  readonly topics: string
  readonly contents: string
  readonly onThisPage: string
  readonly languages: string
  readonly path: string
  readonly home: string
  readonly articles: (count: number) => string
  readonly noArticles: string
  readonly more: string
  readonly taggedWith: string
  readonly tag: (name: string) => string
  readonly draft: string
  readonly draftNote: string
  readonly lastChanged: string
  readonly previous: string
  readonly next: string
  readonly neighbours: string
  readonly table: string
  readonly done: string
  readonly open: string
  readonly missing: string
  readonly missingHint: string
  readonly forbidden: string
  readonly forbiddenHint: string
  readonly failed: string
  readonly failedHint: string
  readonly unreadable: string
}

const ENGLISH: Messages = {
  language: 'en',
  skip: 'Skip to the content',
  search: 'Search',
  searchFor: (text) => `Search for “${text}”`,
  searchHint: 'Search the articles',
  allArticles: 'All articles',
  found: (count) => (count === 1 ? '1 article found' : `${count} articles found`),
  foundNothing: (text) => `Nothing found for “${text}”. Try fewer or different words.`,
  topics: 'Topics',
  contents: 'Contents',
  onThisPage: 'On this page',
  languages: 'Language',
  path: 'You are here',
  home: 'Home',
  articles: (count) => (count === 1 ? '1 article' : `${count} articles`),
  noArticles: 'There are no articles here yet.',
  more: 'More articles',
  taggedWith: 'Tags',
  tag: (name) => `Articles tagged “${name}”`,
  draft: 'Draft',
  draftNote: 'This is a draft. Readers do not see it yet.',
  lastChanged: 'Last changed',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next article',
  table: 'Table',
  done: 'Done',
  open: 'To do',
  missing: 'This page does not exist',
  missingHint: 'It may have been moved or removed. Try searching for it.',
  forbidden: 'This page needs a key',
  forbiddenHint: 'Sign in to see it.',
  failed: 'Something went wrong',
  failedHint: 'An error occurred on the server. Please try again in a moment.',
  unreadable: 'This article cannot be shown: its HTML is too large or nested too deeply.',
}

const GERMAN: Messages = {
  language: 'de',
  skip: 'Zum Inhalt springen',
  search: 'Suchen',
  searchFor: (text) => `Suche nach „${text}“`,
  searchHint: 'Artikel durchsuchen',
  allArticles: 'Alle Artikel',
  found: (count) => `${count} Artikel gefunden`,
  foundNothing: (text) => `Nichts gefunden zu „${text}“. Versuchen Sie es mit weniger oder anderen Wörtern.`,
  topics: 'Themen',
  contents: 'Inhalt',
  onThisPage: 'Auf dieser Seite',
  languages: 'Sprache',
  path: 'Sie sind hier',
  home: 'Startseite',
  articles: (count) => `${count} Artikel`,
  noArticles: 'Hier gibt es noch keine Artikel.',
  more: 'Weitere Artikel',
  taggedWith: 'Schlagwörter',
  tag: (name) => `Artikel zum Schlagwort „${name}“`,
  draft: 'Entwurf',
  draftNote: 'Dies ist ein Entwurf. Leser sehen ihn noch nicht.',
  lastChanged: 'Zuletzt geändert am',
  previous: 'Zurück',
  next: 'Weiter',
  neighbours: 'Voriger und nächster Artikel',
  table: 'Tabelle',
  done: 'Erledigt',
  open: 'Offen',
  missing: 'Diese Seite gibt es nicht',
  missingHint: 'Vielleicht wurde sie verschoben oder entfernt. Eine Suche findet sie oft.',
  forbidden: 'Für diese Seite braucht es einen Schlüssel',
  forbiddenHint: 'Melden Sie sich an, um sie zu sehen.',
  failed: 'Hier ist etwas schiefgegangen',
  failedHint: 'Der Fehler liegt bei uns. Bitte versuchen Sie es gleich noch einmal.',
  unreadable: 'Dieser Artikel kann nicht gezeigt werden: Sein HTML ist zu groß oder zu tief verschachtelt.',
}

const FRENCH: Messages = {
  language: 'fr',
  skip: 'Aller au contenu',
  search: 'Rechercher',
  searchFor: (text) => `Recherche de « ${text} »`,
  searchHint: 'Rechercher dans les articles',
  allArticles: 'Tous les articles',
  found: (count) => (count < 2 ? `${count} article trouvé` : `${count} articles trouvés`),
  foundNothing: (text) => `Aucun résultat pour « ${text} ». Essayez avec moins de mots, ou d’autres.`,
  topics: 'Thèmes',
  contents: 'Sommaire',
  onThisPage: 'Sur cette page',
  languages: 'Langue',
  path: 'Vous êtes ici',
  home: 'Accueil',
  articles: (count) => (count < 2 ? `${count} article` : `${count} articles`),
  noArticles: 'Il n’y a pas encore d’articles ici.',
  more: 'Plus d’articles',
  taggedWith: 'Étiquettes',
  tag: (name) => `Articles avec l’étiquette « ${name} »`,
  draft: 'Brouillon',
  draftNote: 'Ceci est un brouillon. Les lecteurs ne le voient pas encore.',
  lastChanged: 'Dernière modification le',
  previous: 'Précédent',
  next: 'Suivant',
  neighbours: 'Article précédent et suivant',
  table: 'Tableau',
  done: 'Fait',
  open: 'À faire',
  missing: 'Cette page n’existe pas',
  missingHint: 'Elle a peut-être été déplacée ou supprimée. Une recherche la retrouve souvent.',
  forbidden: 'Cette page demande une clé',
  forbiddenHint: 'Connectez-vous pour la voir.',
  failed: 'Une erreur s’est produite',
  failedHint: 'L’erreur vient de nous. Veuillez réessayer dans un instant.',
  unreadable:
    'Cet article ne peut pas être affiché : son HTML est trop volumineux ou trop profondément imbriqué.',
}

const ALL: readonly Messages[] = [ENGLISH, GERMAN, FRENCH]

/** The texts in a language, else in English. */
export function messagesFor(language: string): Messages {
  const [primary = ''] = language.toLowerCase().split('-', 1)
  return ALL.find((words) => words.language === primary) ?? ENGLISH
}
