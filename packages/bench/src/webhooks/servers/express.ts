// Express 5 with express.raw and the verification of @octokit/webhooks-methods, as in their documentation.
import { verify } from '@octokit/webhooks-methods'
import express from 'express'
import { accepted, announce, path, secret } from './settings.ts'

const app = express()
app.disable('x-powered-by')

app.post(path, express.raw({ type: 'application/json', limit: '25mb' }), async (request, response) => {
  const text = (request.body as Buffer).toString()
  if (!(await verify(secret, text, request.get('x-hub-signature-256') ?? ''))) {
    response.sendStatus(401)
    return
  }
  const { action } = JSON.parse(text) as { action?: string }
  if (action === 'completed') response.type('json').send(accepted)
  else response.sendStatus(400)
})

announce(app.listen(0, '127.0.0.1'))
