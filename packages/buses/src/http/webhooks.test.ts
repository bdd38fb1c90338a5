import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createDelivery } from '@sallyport/test-support/records'
import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createHttpDestination } from './index.ts'

const secrets = `whsec_${Buffer.from('the secret of this destination..').toString('base64')}`

it('sends recorded events through createWebhooks, again after a failure', async () => {
  const answers = [503, 204]
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(String(request.headers['sallyport-attempt']))
    response.writeHead(answers.shift() ?? 204).end(answers.length === 1 ? 'down' : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destination = createHttpDestination({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    ...{ name: 'billing', mode: 'event', secrets, network: { allowPrivate: true } },
    retry: [10],
  })
  const database = createMemoryDatabase()
  const webhooks = createWebhooks({ database, providers: [], secrets: {}, destinations: [destination] })
  webhooks.start()
  onTestFinished(async () => {
    await webhooks.stop(0)
    await destination.close()
    server.close()
  })
  const delivery = createDelivery(Date.now(), 'doorbell:1')
  const lane = { name: '>billing/0', isOrdered: false }
  await database.inbox().record({
    ...delivery,
    events: delivery.events.map((one) => ({
      ...one,
      event: { ...one.event, id: '>billing/doorbell:1' },
      lane,
    })),
  })
  await vi.waitFor(
    () => {
      expect(requests).toEqual(['1', '2'])
    },
    { timeout: 5000 },
  )
  const detail = await database.inbox().get?.(delivery.id)
  expect(detail?.events[0]?.failures).toMatchObject([{ response: { status: 503, body: 'down' } }])
})
