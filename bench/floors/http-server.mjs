// node:http with nothing behind it. A PUT or POST is read, parsed, and then, by the first argument:
//   forget        forgotten
//   append FILE   appended to a file; what arrives together shares one fsync, as our server's commits do
//   insert FILE   inserted into a SQLite table as it is, a commit each
// A GET sends the bytes that the file named in the last `PUT /load` (JSON, body by path) has for it, else the same as a PUT.
import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import Libsql from 'libsql'

const DONE = Buffer.from('{"success":true,"message":"Done"}')

const [kind = 'forget', file = ''] = process.argv.slice(2)
const keep = { forget: () => (_text, then) => then(), append, insert }[kind](file)
const answers = new Map()
const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, answers.get(request.url) ?? DONE)
  read(request, (text) => {
    if (request.url === '/load') return load(text, () => answer(response, DONE))
    JSON.parse(text)
    keep(text, () => answer(response, DONE))
  })
})

function append(path) {
  const descriptor = openSync(path, 'a')
  let waiting = []
  function flush() {
    const group = waiting
    waiting = []
    writeSync(descriptor, group.map(({ text }) => `${text}\n`).join(''))
    fsyncSync(descriptor)
    for (const { done } of group) done()
  }
  return (text, done) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ text, done })
  }
}

function insert(path) {
  const database = new Libsql(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000')
  database.exec('create table bodies (id integer primary key, body text not null)')
  const statement = database.prepare('insert into bodies (body) values (?)')
  return (text, then) => {
    statement.run(text)
    then()
  }
}

function load(path, then) {
  for (const [url, body] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
    answers.set(url, Buffer.from(body))
  }
  then()
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
