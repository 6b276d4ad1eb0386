// A static file server of bare node:http: reads each file of the folder DIR when it is requested. A path stands for the
// file of the same name, percent-encoded.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)

const server = createServer((request, response) => void answer(request, response))

async function answer(request, response) {
  try {
    const body = await readFile(join(folder, encodeURIComponent(request.url)))
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
process.on('SIGTERM', () => process.exit())
