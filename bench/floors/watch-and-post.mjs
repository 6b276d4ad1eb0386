// The least a watch can do: chokidar's event, the file read as it is, one POST. The first argument names a JSON file with
// `folder`, the `url` of a server, `headers`, and by file the `id` of its article and the `body` that is sent with the
// file's text for content.
import { readFileSync } from 'node:fs'
import { watch } from 'chokidar'
import { Pool } from 'undici'

const { folder, url, headers, articles } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const pool = new Pool(url)
const watcher = watch(folder, { ignoreInitial: true })

async function send(file) {
  const { id, body } = articles[file]
  const content = readFileSync(file, 'utf8')
  const answer = await pool.request({
    method: 'POST',
    path: `/api/v2/articles/${id}`,
    headers,
    body: JSON.stringify({ ...body, content }),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text}`)
}

watcher.on('change', (file) => void send(file))
watcher.on('ready', () => console.log(JSON.stringify({ url })))
process.on('SIGTERM', () => process.exit())
