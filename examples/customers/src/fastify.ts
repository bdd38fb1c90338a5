import { createConsole } from '@sallyport/console'
import { createFastifyPlugin as createApiPlugin } from '@sallyport/rest/fastify'
import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
import { fastify } from 'fastify'
import { authorize } from './authorize.ts'
import { createCustomer, eraseCustomer } from './customers.ts'
import { close, type NewCustomer } from './database.ts'
import { operations, webhooks } from './webhooks.ts'

webhooks.start()
const app = fastify()
app.register(createFastifyPlugin(webhooks.gateway), { prefix: '/webhooks' })
app.register(createApiPlugin(operations), { prefix: '/operations' })
app.register(createApiPlugin(createConsole()), { prefix: '/console' })
app.register(async (own) => {
  own.addHook('onRequest', async ({ headers }) => void authorize(headers.authorization))
  own.post<{ Body: NewCustomer }>('/customers', ({ body }) => createCustomer(body))
  own.delete<{ Params: { id: string } }>('/customers/:id', ({ params }) => eraseCustomer(params.id))
})
app.addHook('preClose', () => webhooks.stop())
app.addHook('onClose', close)
console.log(`${await app.listen({ port: Number(process.env['PORT'] ?? 3111) })}/console`)
