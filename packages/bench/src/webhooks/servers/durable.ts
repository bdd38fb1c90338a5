// Express 5 with express.raw and @octokit/webhooks-methods, which keeps each delivery in the store of STORE and then answers.
import { verify } from '@octokit/webhooks-methods'
import express from 'express'
import { stores, type Payload } from './durable-stores.ts'
import { accepted, announce, path, secret } from './settings.ts'

const open = stores[process.env['STORE'] as keyof typeof stores]
const keep = await open()
const app = express()
app.disable('x-powered-by')

app.post(path, express.raw({ type: 'application/json', limit: '25mb' }), async (request, response) => {
  const body = request.body as Buffer
  const text = body.toString()
  if (!(await verify(secret, text, request.get('x-hub-signature-256') ?? ''))) {
    response.sendStatus(401)
    return
  }
  const payload = JSON.parse(text) as Payload
  if (payload.action !== 'completed') {
    response.sendStatus(400)
    return
  }
  await keep(String(payload.workflow_run.id), body, payload)
  response.type('json').send(accepted)
})

announce(app.listen(0, '127.0.0.1'))
