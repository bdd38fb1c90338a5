import { expect, it } from 'vitest'
import { encodeBody, openGateway, secret, signature, type Sent } from '../../test/doorbell.ts'
import { defineService } from '../index.ts'
import { createValueReader } from './search-values.ts'

const shop = defineService({
  name: 'shop',
  signature,
  kind: 'type',
  id: 'id',
  searchPaths: ['order.number', 'lines.*.sku'],
})

async function record(sent: Sent, searchPaths?: Readonly<Record<string, readonly string[]>>) {
  const { deliver, recorded } = openGateway({ providers: [shop], searchPaths })
  await deliver({ ...sent, provider: 'shop' })
  return recorded[0]?.record.values
}

const body = (more: object = {}) => encodeBody({ type: 'paid', id: 'evt_1234', ...more })

it('reads the id of the event, the ids in headers, and the paths of the provider', async () => {
  const headers = { 'x-github-delivery': 'd-1', 'X-Request-Id': 'r-1', 'x-github-event': 'push' }
  const order = { order: { number: 17 }, lines: [{ sku: 'a' }, { sku: 'b' }] }
  expect(await record({ headers, body: body(order) })).toEqual(['17', 'a', 'b', 'd-1', 'r-1', 'evt_1234'])
})

it('reads the paths of the operator in the body and in headers', async () => {
  const headers = { 'X-Order': 'o-1', 'x-api-token': 'secret' }
  const searchPaths = { shop: ['customer.email', 'header:x-order', 'header:X-Api-Token', 'missing.path'] }
  const sent = { headers, body: body({ customer: { email: 'a@example.com' } }) }
  expect(await record(sent, searchPaths)).toEqual(['a@example.com', 'o-1', 'evt_1234'])
})

it('reads the request id of the host', async () => {
  const { gateway, recorded } = openGateway({ providers: [shop] })
  const sent = body()
  const headers = new Headers(
    await signature.sign({ method: 'POST', headers: new Headers(), body: sent }, secret, 0),
  )
  await gateway.handle({
    ...{ method: 'POST', provider: 'shop', headers, requestId: 'host-1' },
    readBody: async (sink) => {
      sink.push(sent)
    },
  })
  expect(recorded[0]?.record.values).toEqual(['host-1', 'evt_1234'])
})

it('bounds the number and the length of values, and leaves out short and hashed parts of ids', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => ({ sku: `sku-${index}` }))
  expect(await record({ body: body({ lines }) })).toHaveLength(16)
  expect(await record({ body: body({ order: { number: 'x'.repeat(201) } }) })).toEqual(['evt_1234'])
  expect(await record({ body: body({ id: '7' }) })).toEqual([])
  expect(await record({ body: encodeBody({ type: 'paid' }) })).toEqual([])
})

it('rejects a malformed path', () => {
  for (const path of ['', 'a..b', 'header:', '.a'])
    expect(() => createValueReader({ shop: [path] })).toThrow('search path')
})
