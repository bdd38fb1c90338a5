import { testInbox } from '@sallyport/testing'
import { createMemoryInbox } from '@sallyport/webhooks'
import { testProvider, testPublisher } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { thermometer } from './provider.ts'
import { listBus, type ListBus } from './publisher.ts'

const runner = { describe, expect, it }

testProvider(runner, {
  provider: thermometer,
  samples: [
    { kind: 'temperature.measured', headers: {}, body: { id: 'm-1', sensor: 'roof', celsius: -3.5 } },
    { kind: 'temperature.measured', headers: {}, body: { id: 'm-2', sensor: 'cellar', celsius: 12 } },
  ],
  ignored: [{ headers: {}, body: { id: 'm-3', sensor: 'roof', battery: 'low' } }],
})

testInbox(runner, { create: (now) => createMemoryInbox({ now }) })

testPublisher(runner, {
  create: () => listBus(),
  // The suite passes the result of `create`.
  published: (bus) => (bus as ListBus).events.map(({ id }) => id),
  keepsObjects: true,
})
