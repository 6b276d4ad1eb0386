// The parts of Docusaurus that this plugin uses. The fixture site compares them with Docusaurus' own types.

export interface LoadContext {
  /** Absolute path of the site's folder. */
  readonly siteDir: string
  /** Absolute path of the folder of all plugins' data. */
  readonly generatedFilesDir: string
  /** Base URL of the current locale, with slashes at both ends. */
  readonly baseUrl: string
  readonly siteConfig: { readonly baseUrl: string }
  readonly i18n: {
    readonly currentLocale: string
    readonly defaultLocale: string
    readonly locales: readonly string[]
    /** `baseUrl` exists since Docusaurus 3.9. */
    readonly localeConfigs: Readonly<Record<string, { readonly baseUrl?: string }>>
  }
}

export interface RouteConfig {
  readonly path: string
  readonly component: string
  readonly exact?: boolean
  /** Files passed to the component as properties, by property name. */
  readonly modules?: { [name: string]: string }
  readonly routes?: RouteConfig[]
  readonly metadata?: { readonly sourceFilePath: string }
  readonly [attribute: string]: unknown
}

// Methods, not properties, because Docusaurus' functions accept more than is passed here.
export interface PluginActions {
  addRoute(route: RouteConfig): void
  /** @returns absolute path of the file */
  createData(name: string, data: string | object): Promise<string>
  setGlobalData(data: unknown): void
}

/** The common part of webpack and Rspack. */
export interface WebpackCompiler {
  readonly hooks: {
    readonly afterCompile: { tap(name: string, look: (compilation: Compilation) => void): void }
  }
}

interface Compilation {
  readonly compiler: unknown
  readonly errors: { push(error: Error): void }
  readonly warnings: { push(error: Error): void }
  readonly fileDependencies: { add(file: string): void }
}

export interface DocusaurusPlugin {
  readonly name: string
  readonly loadContent: () => Promise<unknown>
  readonly contentLoaded: (args: { readonly actions: PluginActions }) => Promise<void>
  readonly postBuild: () => void
  readonly getPathsToWatch: () => string[]
  readonly getThemePath: () => string
  readonly configureWebpack: (
    config: unknown,
    isServer: boolean,
  ) => { plugins?: { apply(compiler: WebpackCompiler): void }[] }
}
