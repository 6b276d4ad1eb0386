// node:http with nothing behind it. A PUT is read, parsed and forgotten; a GET sends the bytes that the given file
// (JSON, body by path) has for it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const DONE = Buffer.from('{"success":true,"message":"Done"}')

const answers = new Map()
const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, answers.get(request.url))
  if (request.method === 'POST') return load(request, response)
  read(request, (text) => {
    JSON.parse(text)
    answer(response, DONE)
  })
})

function load(request, response) {
  read(request, (file) => {
    for (const [path, body] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
      answers.set(path, Buffer.from(body))
    }
    answer(response, DONE)
  })
}

function read(request, then) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => then(Buffer.concat(chunks).toString('utf8')))
}

function answer(response, body) {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
}

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
process.on('SIGTERM', () => process.exit())
