import { serve } from '@hono/node-server'
import { createConsole } from '@sallyport/console'
import { createOperations } from '@sallyport/operations'
import { github } from '@sallyport/providers/github'
import { createHonoHandler } from '@sallyport/rest/hono'
import { openPostgres } from '@sallyport/sql/postgres'
import { createWebhooks } from '@sallyport/webhooks/node'
import { Hono } from 'hono'
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

const app = new Hono()
  .all('/webhooks/*', ({ req }) => webhooks.fetch(req.raw))
  .all('/operations/*', createHonoHandler(createOperations(webhooks, { authorize })))
  .all('/console/*', createHonoHandler(createConsole()))
serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => {
  console.log(`http://localhost:${port}/console`)
})
