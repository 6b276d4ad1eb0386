import { articles } from 'virtual:kb'
import { navigation, page } from './pages.ts'

async function show(): Promise<void> {
  const wanted = articles.find(({ url }) => url === location.pathname) ?? articles[0]
  document.querySelector('#nav')!.innerHTML = navigation()
  document.querySelector('#main')!.innerHTML = wanted === undefined ? '' : await page(wanted.id)
}

void show()
