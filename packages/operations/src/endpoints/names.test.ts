import { randomBytes } from 'node:crypto'
import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
import { createEndpoints, createSecretCipher } from '@sallyport/webhooks/endpoints'
import { createMemoryEndpointStore, createMemoryUnprocessedStore } from '@sallyport/test-support/webhooks'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, secrets, settleAll } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const names = { endpoint: 'acme', endpoint_name: 'Acme Ltd', endpoint_labels: { plan: 'free' } }

async function open() {
  const inbox = createMemoryInbox()
  const unprocessed = createMemoryUnprocessedStore()
  const cipher = createSecretCipher([randomBytes(32)])
  const endpoints = createEndpoints({ store: createMemoryEndpointStore(), cipher })
  await endpoints.create({ id: 'acme', provider: 'doorbell', name: 'Acme Ltd', labels: { plan: 'free' } })
  const received = createDelivery('doorbell:1')
  const [record] = received.events
  const source = { ...record!.event.source, endpoint: 'acme' }
  const delivery = {
    ...{ ...received, endpoint: 'acme' },
    events: [{ ...record!, event: { ...record!.event, source } }],
  }
  await inbox.record(delivery)
  const replayer = createReplayer({ inbox, providers: [] })
  const operations = { inbox, replayer, unprocessed, secrets, endpoints: { endpoints, cipher } }
  const call = createCall(await hosts['fetch']!(createOperations({ operations }, { authorize })))
  return { inbox, unprocessed, endpoints, delivery, call }
}

it('shows the names and labels of endpoints beside deliveries, events and counts', async () => {
  const { inbox, unprocessed, delivery, call } = await open()
  await unprocessed.add([
    {
      ...{ id: delivery.id, endpoint: 'acme', outcome: 'ignored', provider: 'doorbell', status: 200 },
      ...{ receivedAt: 0, headers: {}, body: Uint8Array.of(1), bodyBytes: 1, storedBytes: 1 },
    },
  ])
  await settleAll(inbox, 'dead')
  expect(await call('GET', '/failures')).toMatchObject({ body: { data: { groups: [names] } } })
  await inbox.replay({ ids: [delivery.id] })
  await settleAll(inbox, 'done')
  for (const path of ['/deliveries', '/events', '/unprocessed-deliveries'])
    expect(await call('GET', path)).toMatchObject({ body: { data: [names] } })
  for (const path of [`/deliveries/${delivery.id}`, `/unprocessed-deliveries/${delivery.id}`])
    expect(await call('GET', path)).toMatchObject({ body: { data: names } })
  expect(await call('GET', '/statistics/deliveries?by=endpoint')).toMatchObject({
    body: { data: { groups: [names] } },
  })
})

it('shows the id alone after the deletion of the endpoint', async () => {
  const { endpoints, call } = await open()
  await endpoints.delete('acme')
  expect(await call('GET', '/deliveries')).toMatchObject({
    body: { data: [{ endpoint: 'acme', endpoint_name: null, endpoint_labels: {} }] },
  })
})
