const ENGLISH_NUMBERS = new Intl.NumberFormat('en')
const GERMAN_NUMBERS = new Intl.NumberFormat('de')
const FRENCH_NUMBERS = new Intl.NumberFormat('fr')

const ENGLISH = {
  language: 'en',
  skip: 'Skip to the content',
  search: 'Search',
  searchFor: (text: string) => `Search for “${text}”`,
  searchHint: 'Search the articles',
  allArticles: 'All articles',
  found: (count: number) =>
    count === 1 ? '1 article found' : `${ENGLISH_NUMBERS.format(count)} articles found`,
  foundNothing: (text: string) => `Nothing found for “${text}”. Try fewer or different words.`,
  pageOf: (page: number, last: number) => `Page ${page} of ${last}`,
  resultPages: 'Pages of results',
  topics: 'Topics',
  featured: 'Featured articles',
  needHelp: 'Need more help?',
  contact: 'Contact us',
  onThisPage: 'On this page',
  languages: 'Language',
  path: 'You are here',
  home: 'Home',
  articles: (count: number) => (count === 1 ? '1 article' : `${ENGLISH_NUMBERS.format(count)} articles`),
  noArticles: 'There are no articles here yet.',
  more: 'More articles',
  taggedWith: 'Tags',
  tag: (name: string) => `Articles tagged “${name}”`,
  draft: 'Draft',
  draftNote: 'This is a draft. Readers do not see it yet.',
  lastChanged: (date: string) => `Last changed on ${date}`,
  untranslated: (language: string) => `This page is not available in ${language} yet.`,
  edit: 'Edit this page',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next article',
  table: 'Table',
  done: 'Done',
  open: 'To do',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  missing: 'This page does not exist',
  missingHint: 'It may have been moved or removed. Try searching for it.',
  forbidden: 'This page is for editors',
  forbiddenHint: 'It shows them which articles need their attention.',
  closed: 'This site has a password',
  closedHint: 'Enter the password to read the articles.',
  password: 'Password',
  enter: 'Continue',
  passwordUnknown: 'This password is wrong.',
  passwordElsewhere: 'The form was not sent from this page. Please try again.',
  passwordOften: 'There were too many attempts. Please wait a minute.',
  signIn: 'Sign in',
  signInHint: 'With an API key of this knowledge base, you can see drafts and the status page.',
  apiKey: 'API key',
  keyUnknown: 'This key is unknown or was revoked.',
  status: 'Status',
  signOut: 'Sign out',
  failed: 'Something went wrong',
  failedHint: 'An error occurred on the server. Please try again in a moment.',
  unreadable: 'This article cannot be shown: its HTML is too large or nested too deeply.',
}

/** The texts of the pages themselves, apart from the content. */
export type Messages = Readonly<typeof ENGLISH>

/** The texts for a language in the configuration: `pages.messages`. */
export type PageMessages = Omit<Messages, 'language'>

/** The kind of each text: a string, or a function that returns one. */
export const MESSAGE_KINDS = Object.entries(ENGLISH).flatMap(([name, message]) =>
  name === 'language'
    ? []
    : [typeof message === 'string' ? { name, english: message } : { name, english: undefined }],
)

const GERMAN: Messages = {
  language: 'de',
  skip: 'Zum Inhalt springen',
  search: 'Suchen',
  searchFor: (text) => `Suche nach „${text}“`,
  searchHint: 'Artikel durchsuchen',
  allArticles: 'Alle Artikel',
  found: (count) => `${GERMAN_NUMBERS.format(count)} Artikel gefunden`,
  foundNothing: (text) => `Nichts gefunden zu „${text}“. Versuchen Sie es mit weniger oder anderen Wörtern.`,
  pageOf: (page, last) => `Seite ${page} von ${last}`,
  resultPages: 'Ergebnisseiten',
  topics: 'Themen',
  featured: 'Ausgewählte Artikel',
  needHelp: 'Brauchen Sie mehr Hilfe?',
  contact: 'Kontakt aufnehmen',
  onThisPage: 'Auf dieser Seite',
  languages: 'Sprache',
  path: 'Sie sind hier',
  home: 'Startseite',
  articles: (count) => `${GERMAN_NUMBERS.format(count)} Artikel`,
  noArticles: 'Hier gibt es noch keine Artikel.',
  more: 'Weitere Artikel',
  taggedWith: 'Schlagwörter',
  tag: (name) => `Artikel zum Schlagwort „${name}“`,
  draft: 'Entwurf',
  draftNote: 'Dies ist ein Entwurf. Leser sehen ihn noch nicht.',
  lastChanged: (date) => `Zuletzt geändert am ${date}`,
  untranslated: (language) => `Diese Seite gibt es noch nicht auf ${language}.`,
  edit: 'Diese Seite bearbeiten',
  previous: 'Zurück',
  next: 'Weiter',
  neighbours: 'Voriger und nächster Artikel',
  table: 'Tabelle',
  done: 'Erledigt',
  open: 'Offen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  close: 'Schließen',
  note: 'Hinweis',
  tip: 'Tipp',
  important: 'Wichtig',
  warning: 'Warnung',
  caution: 'Vorsicht',
  missing: 'Diese Seite gibt es nicht',
  missingHint: 'Vielleicht wurde sie verschoben oder entfernt. Eine Suche findet sie oft.',
  forbidden: 'Diese Seite ist für die Redaktion',
  forbiddenHint: 'Sie zeigt ihr, um welche Artikel sie sich kümmern sollte.',
  closed: 'Diese Seiten haben ein Passwort',
  closedHint: 'Geben Sie das Passwort ein, um die Artikel zu lesen.',
  password: 'Passwort',
  enter: 'Weiter',
  passwordUnknown: 'Dieses Passwort ist falsch.',
  passwordElsewhere:
    'Das Formular wurde nicht von dieser Seite gesendet. Bitte versuchen Sie es noch einmal.',
  passwordOften: 'Das waren zu viele Versuche. Bitte warten Sie eine Minute.',
  signIn: 'Anmelden',
  signInHint: 'Mit einem API-Schlüssel dieser Wissensdatenbank sehen Sie Entwürfe und die Statusseite.',
  apiKey: 'API-Schlüssel',
  keyUnknown: 'Dieser Schlüssel ist unbekannt oder wurde widerrufen.',
  status: 'Status',
  signOut: 'Abmelden',
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
  found: (count) =>
    count < 2 ? `${count} article trouvé` : `${FRENCH_NUMBERS.format(count)} articles trouvés`,
  foundNothing: (text) => `Aucun résultat pour « ${text} ». Essayez avec moins de mots, ou d’autres.`,
  pageOf: (page, last) => `Page ${page} sur ${last}`,
  resultPages: 'Pages de résultats',
  topics: 'Thèmes',
  featured: 'Articles à la une',
  needHelp: 'Besoin d’aide ?',
  contact: 'Contactez-nous',
  onThisPage: 'Sur cette page',
  languages: 'Langue',
  path: 'Vous êtes ici',
  home: 'Accueil',
  articles: (count) => (count < 2 ? `${count} article` : `${FRENCH_NUMBERS.format(count)} articles`),
  noArticles: 'Il n’y a pas encore d’articles ici.',
  more: 'Plus d’articles',
  taggedWith: 'Étiquettes',
  tag: (name) => `Articles avec l’étiquette « ${name} »`,
  draft: 'Brouillon',
  draftNote: 'Ceci est un brouillon. Les lecteurs ne le voient pas encore.',
  lastChanged: (date) => `Dernière modification le ${date}`,
  untranslated: (language) => `Cette page n’est pas encore disponible en ${language}.`,
  edit: 'Modifier cette page',
  previous: 'Précédent',
  next: 'Suivant',
  neighbours: 'Article précédent et suivant',
  table: 'Tableau',
  done: 'Fait',
  open: 'À faire',
  copy: 'Copier',
  copied: 'Copié',
  close: 'Fermer',
  note: 'Remarque',
  tip: 'Astuce',
  important: 'Important',
  warning: 'Avertissement',
  caution: 'Attention',
  missing: 'Cette page n’existe pas',
  missingHint: 'Elle a peut-être été déplacée ou supprimée. Une recherche la retrouve souvent.',
  forbidden: 'Cette page est réservée à la rédaction',
  forbiddenHint: 'Elle lui montre les articles qui demandent son attention.',
  closed: 'Ce site a un mot de passe',
  closedHint: 'Saisissez le mot de passe pour lire les articles.',
  password: 'Mot de passe',
  enter: 'Continuer',
  passwordUnknown: 'Ce mot de passe est incorrect.',
  passwordElsewhere: 'Le formulaire n’a pas été envoyé depuis cette page. Veuillez réessayer.',
  passwordOften: 'Trop de tentatives. Veuillez patienter une minute.',
  signIn: 'Se connecter',
  signInHint:
    'Avec une clé d’API de cette base de connaissances, vous voyez les brouillons et la page d’état.',
  apiKey: 'Clé d’API',
  keyUnknown: 'Cette clé est inconnue ou a été révoquée.',
  status: 'État',
  signOut: 'Se déconnecter',
  failed: 'Une erreur s’est produite',
  failedHint: 'L’erreur vient de nous. Veuillez réessayer dans un instant.',
  unreadable:
    'Cet article ne peut pas être affiché : son HTML est trop volumineux ou trop profondément imbriqué.',
}

const ALL: readonly Messages[] = [ENGLISH, GERMAN, FRENCH]

/** Returns the texts in a language: those of the configuration, else built-in ones, else English. */
export function messagesFor(
  language: string,
  own: Readonly<Record<string, PageMessages>> | undefined = {},
): Messages {
  const primary = primaryLanguage(language)
  const code = [language, primary].find((each) => Object.hasOwn(own, each))
  const found = code === undefined ? undefined : own[code]
  if (code !== undefined && found !== undefined) return { ...found, language: code }
  return ALL.find((words) => words.language === primary) ?? ENGLISH
}

/** Returns false if `messagesFor` returns English for another language. */
export function hasMessages(
  language: string,
  own: Readonly<Record<string, PageMessages>> | undefined = {},
): boolean {
  return primaryLanguage(messagesFor(language, own).language) === primaryLanguage(language)
}

/** Returns `pt` for `pt-BR`. */
export function primaryLanguage(language: string): string {
  return language.toLowerCase().split('-', 1)[0] ?? ''
}
