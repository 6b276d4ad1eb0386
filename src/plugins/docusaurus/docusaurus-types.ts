// What this plugin uses of Docusaurus, as far as it uses it. The fixture site holds it against Docusaurus' own types.

export interface LoadContext {
  /** Absolute path of the folder of the site. */
  readonly siteDir: string
  /** Absolute path of the folder with the data of all plugins. */
  readonly generatedFilesDir: string
  /** Of the locale that is loaded, with slashes at both ends. */
  readonly baseUrl: string
  readonly siteConfig: { readonly baseUrl: string }
  readonly i18n: {
    readonly currentLocale: string
    readonly defaultLocale: string
    readonly locales: readonly string[]
    /** `baseUrl` is there since Docusaurus 3.9. */
    readonly localeConfigs: Readonly<Record<string, { readonly baseUrl?: string }>>
  }
}

export interface RouteConfig {
  readonly path: string
  readonly component: string
  readonly exact?: boolean
  /** Files that the component gets as properties, by their names. */
  readonly modules?: { [name: string]: string }
  readonly routes?: RouteConfig[]
  readonly metadata?: { readonly sourceFilePath: string }
  readonly [attribute: string]: unknown
}

// Methods, not properties: what Docusaurus hands over takes more than is given to it here.
export interface PluginActions {
  addRoute(route: RouteConfig): void
  /** @returns absolute path of the file */
  createData(name: string, data: string | object): Promise<string>
  setGlobalData(data: unknown): void
}

/** What webpack and Rspack have in common. */
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
