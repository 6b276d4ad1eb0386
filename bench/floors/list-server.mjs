// A target that only has the two lists, over bare node:http: `list-server.mjs PORT FOLDER` sends the files
// review_dates.json and link_manager.json of a folder as they are, `list-server.mjs PORT COUNT` lists of that many
// entries, each made when it is sent. Prints {"url":…}.
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const ENTRIES_AT_ONCE = 250
const DAY_MS = 86_400_000
const START_MS = Date.parse('2020-01-01T00:00:00Z')

const [port, source] = process.argv.slice(2)
const count = /^\d+$/.test(source) ? Number(source) : undefined

const ENTRIES = { review_dates: reviewDate, link_manager: link }

const server = createServer((request, response) => {
  const name = request.url.split('/').at(-1)
  response.setHeader('content-type', 'application/json')
  if (!(name in ENTRIES)) {
    response.statusCode = 404
    response.end('{"success":false,"message":"No such article"}')
  } else if (count === undefined) createReadStream(join(source, `${name}.json`)).pipe(response)
  else Readable.from(parts(ENTRIES[name])).pipe(response)
})
server.listen(Number(port), '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})

function* parts(entryOf) {
  yield '{"success":true,"message":"","data":['
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const length = Math.min(ENTRIES_AT_ONCE, count - from)
    const texts = Array.from({ length }, (_, index) => JSON.stringify(entryOf(from + index)))
    yield (from === 0 ? '' : ',') + texts.join(',')
  }
  yield ']}'
}

function reviewDate(index) {
  return {
    id: idOf(index),
    name: titleOf(index),
    status: index % 2 === 0 ? 'published' : 'draft',
    article_review_date: new Date(START_MS + (index % 5000) * DAY_MS).toISOString(),
    language: null,
    users_articles_created_byTousers: {
      username: 'author',
      first_name: 'An',
      last_name: 'Author',
      email_address: 'author@example.com',
    },
  }
}

function link(index) {
  const article = index >> 1
  return {
    id: idOf(index),
    site_id: idOf(0),
    article_id: idOf(article),
    url: `https://host-${index % 97}.example.com/pages/${index}`,
    created_date: '2026-01-01T00:00:00.000Z',
    working: index % 10 !== 0,
    articles: { id: idOf(article), name: titleOf(article) },
  }
}

function idOf(index) {
  return `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`
}

function titleOf(index) {
  return `Article number ${index}`
}
