import { createConsole } from '@sallyport/console'
import { createOperations } from '@sallyport/operations'
import { github } from '@sallyport/providers/github'
import { createFastifyPlugin as createApiPlugin } from '@sallyport/rest/fastify'
import { openPostgres } from '@sallyport/sql/postgres'
import { createWebhooks } from '@sallyport/webhooks/node'
import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
import { fastify } from 'fastify'
import { authorize } from './authorize.ts'

const { DATABASE_URL: url = '', ENCRYPTION_KEYS: keys = '', PORT = '3111' } = process.env
const database = await openPostgres({ url, migrate: true })
const webhooks = createWebhooks({
  database,
  providers: [github],
  endpoints: true,
  encryptionKeys: keys.split(','),
  on: { 'github/push': ({ source, id }) => process.stdout.write(`${source.endpoint}: ${id}\n`) },
})
webhooks.start()

const app = fastify()
app.register(createFastifyPlugin(webhooks.gateway), { prefix: '/webhooks' })
app.register(createApiPlugin(createOperations(webhooks, { authorize })), { prefix: '/operations' })
app.register(createApiPlugin(createConsole()), { prefix: '/console' })
app.addHook('preClose', () => webhooks.stop())
app.addHook('onClose', () => database.close())
console.log(`${await app.listen({ port: Number(PORT) })}/console`)
