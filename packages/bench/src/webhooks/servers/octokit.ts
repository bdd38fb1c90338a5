// @octokit/webhooks with its middleware for node:http.
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'
import { createServer } from 'node:http'
import { announce, path, secret } from './settings.ts'

const webhooks = new Webhooks({ secret })
const runs = { completed: 0 }
webhooks.on('workflow_run.completed', () => {
  runs.completed++
})

const middleware = createNodeMiddleware(webhooks, { path })
const server = createServer((request, response) => {
  void middleware(request, response)
})

announce(server.listen(0, '127.0.0.1'))
