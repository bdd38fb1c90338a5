import { expect, it } from 'vitest'
import { z } from 'zod'
import { openGateway, rung } from '../../test/doorbell.ts'
import { events, findFailures, normalize, signature } from '../../test/suite-under-test.ts'
import {
  defineProvider,
  type AnyProvider,
  type EventSchemas,
  type JsonEvents,
  type Provider,
} from '../index.ts'

// Regression: the expected type replaced the declared events, and none of these compiled.
it('accepts defineProvider where AnyProvider is expected', async () => {
  const any: AnyProvider = defineProvider({
    name: 'doorbell',
    signature,
    events: { 'bell.rung': z.object({ door: z.string() }) },
    normalize: ({ payload }) => [
      { kind: 'bell.rung', key: [1], subject: String(payload), data: { door: 'front' } },
    ],
    notify: ({ data }) => ({ title: data.door, text: 'It rang', severity: 'info' }),
    queueable: ['bell.rung'],
  })
  const { send } = openGateway({
    providers: [
      any,
      defineProvider({
        name: 'chime',
        signature: { ...signature, verify: ({ body }) => ({ verified: true, body }) },
        events,
        normalize: () => ({ kind: 'bell.rung', key: [1], subject: 'front', data: { door: 'front' } }),
      }),
    ],
  })
  expect((await send({ provider: 'chime', body: rung() })).events).toMatchObject([
    { id: 'chime:bell.rung:1' },
  ])
  const failures = await findFailures({
    provider: defineProvider({
      name: 'doorbell',
      signature,
      events,
      normalize: (delivery) => [normalize(delivery)].flat(),
    }),
  })
  expect(failures).toEqual([])

  const wrong: AnyProvider = defineProvider({
    name: 'wrong-data',
    signature,
    events,
    // @ts-expect-error the data does not fit the schema
    normalize: () => ({ kind: 'bell.rung', subject: 'front', data: { since: 1 } }),
  })
  expect(wrong.name).toBe('wrong-data')
})

it('returns the declared events from a generic function', () => {
  const silent = <Events extends EventSchemas>(declared: Events & JsonEvents<Events>): Provider<Events> =>
    defineProvider<Events>({ name: 'silent', signature, events: declared, normalize: () => [] })
  const provider: Provider<typeof events> = silent(events)
  expect(provider.events).toBe(events)
})
