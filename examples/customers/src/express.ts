import { createConsole } from '@sallyport/console'
import { createOperations } from '@sallyport/operations'
import { github } from '@sallyport/providers/github'
import { createExpressHandler } from '@sallyport/rest/express'
import { openPostgres } from '@sallyport/sql/postgres'
import { createWebhooks } from '@sallyport/webhooks/node'
import express from 'express'
import type { AddressInfo } from 'node:net'
import { authorize } from './authorize.ts'

const { DATABASE_URL: url = '', ENCRYPTION_KEYS: keys = '', PORT = '3111' } = process.env
const webhooks = createWebhooks({
  database: await openPostgres({ url, migrate: true }),
  providers: [github],
  endpoints: true,
  encryptionKeys: keys.split(','),
  on: { 'github/push': ({ source, id }) => process.stdout.write(`${source.endpoint}: ${id}\n`) },
})
webhooks.start()

const app = express()
app.use(webhooks.express) // before body parsers, which would consume the signed bytes
app.use('/operations', createExpressHandler(createOperations(webhooks, { authorize })))
app.use('/console', createExpressHandler(createConsole()))
const server = app.listen(Number(PORT), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/console`)
})
