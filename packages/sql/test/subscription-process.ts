import { createWebhooks } from '@sallyport/webhooks/node'
import type { SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { defineService, hmac } from '@sallyport/webhooks'
import { openSqlite } from '../src/sqlite/index.ts'

// Keeps a subscription at the service at an address, until the process is killed.
const [path = '', api = ''] = process.argv.slice(2)

const call = async (method: string, url = '') => {
  const response = await fetch(`${api}/${url}`, { method })
  return (await response.json()) as never
}

const service: SubscriptionService = {
  name: 'doorbell',
  secret: 'endpoint',
  parameters: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  list: () => call('GET'),
  create: () => call('POST'),
  async remove(_, { id }) {
    await call('DELETE', id)
  },
}

const webhooks = createWebhooks({
  database: await openSqlite({ path }),
  providers: [
    defineService({
      name: 'doorbell',
      signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
      kind: 'type',
    }),
  ],
  secrets: { doorbell: 'secret' },
  publicUrl: 'https://hooks.example.com',
  on: {},
  handlers: { unhandled: 'ignore' },
  encryptionKeys: ['0'.repeat(64)],
  subscriptions: {
    services: [service],
    credentials: () => 'token',
    declared: [{ id: 'front', service: 'doorbell', parameters: {} }],
    pollMs: 20,
  },
})
webhooks.start()
