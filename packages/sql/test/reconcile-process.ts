import { createWebhooks } from '@sallyport/webhooks/node'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import { defineService, hmac } from '@sallyport/webhooks'
import { openSqlite } from '../src/sqlite/index.ts'

// Recovers the events of a service at an address, until the process is killed.
const [path = '', api = ''] = process.argv.slice(2)

const source: FeedSource = {
  name: 'door',
  provider: 'doorbell',
  async *list({ since }) {
    for (let page = 0; page < 3; page++) {
      const response = await fetch(`${api}/${page}`)
      for (const id of (await response.json()) as string[])
        yield { id, at: since, body: new TextEncoder().encode(JSON.stringify({ type: 'rung', id })) }
    }
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
  on: { 'doorbell/rung': () => undefined },
  reconcile: { sources: [source], everyMs: 60_000 },
})
webhooks.start()
