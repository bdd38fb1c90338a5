import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { cloudevents } from './cloudevents.ts'
import samples from './cloudevents.samples.json' with { type: 'json' }

testService(runner, {
  provider: cloudevents,
  samples,
  sign: ({ secret }) => ({ authorization: `Bearer ${secret}` }),
})

const read = (headers: Readonly<Record<string, string>>, payload: unknown) =>
  cloudevents.normalize({ payload, headers: new Headers(headers), body: new Uint8Array(), receivedAt: 0 })

it('passes each event of a batch through', () => {
  const events = ['1', '2'].map((id) => ({ specversion: '1.0', type: 'a.b', source: '/s', id }))
  const found = read({ 'content-type': 'application/cloudevents-batch+json' }, events)
  expect(found.map(({ kind, key, data }) => ({ kind, key, data }))).toEqual(
    events.map((data) => ({ kind: 'a.b', key: ['/s', data.id], data })),
  )
})

it('passes a list in binary mode through as one event', () => {
  const headers = { 'content-type': 'application/json', 'ce-type': 'a.b', 'ce-source': '/s', 'ce-id': '1' }
  expect(read(headers, [1, 2])).toMatchObject([{ kind: 'a.b', key: ['/s', '1'], data: [1, 2] }])
})
