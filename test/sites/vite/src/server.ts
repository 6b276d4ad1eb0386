// What renders the pages on a server: built with `vite build --ssr src/server.ts`.
export { navigation, page } from './pages.ts'
