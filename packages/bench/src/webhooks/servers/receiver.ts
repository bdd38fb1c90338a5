// Receives deliveries with an `x-number`. `GET /<count>` answers with the arrivals by their numbers, in milliseconds since the
// epoch, when there are so many, and forgets them.
import { createServer } from 'node:http'
import { announce } from './settings.ts'

let arrivals = new Map<string, number>()
let awaited: { readonly count: number; readonly answer: () => void } | undefined

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const answer = () => {
      response.end(JSON.stringify([...arrivals]))
      arrivals = new Map()
      awaited = undefined
    }
    awaited = { count: Number(request.url?.slice(1)), answer }
  } else {
    arrivals.set(String(request.headers['x-number']), performance.timeOrigin + performance.now())
    request.resume().once('end', () => response.writeHead(204).end())
  }
  if (awaited && arrivals.size >= awaited.count) awaited.answer()
})
announce(server.listen(Number(process.env['PORT']), '127.0.0.1'))
