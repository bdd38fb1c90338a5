import { expect, it } from 'vitest'
import { z } from 'zod'
import { openGateway, rung } from '../../test/doorbell.ts'
import { events, failuresOf, normalize, signature } from '../../test/suite-under-test.ts'
import {
  defineProvider,
  type AnyProvider,
  type EventSchemas,
  type JsonEvents,
  type Provider,
} from '../index.ts'

// What is expected was once taken for what is declared: none of these compiled.
it('is declared in place where any provider is expected', async () => {
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
  const failures = await failuresOf({
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
    // @ts-expect-error the data is not what the schema takes, here too
    normalize: () => ({ kind: 'bell.rung', subject: 'front', data: { since: 1 } }),
  })
  expect(wrong.name).toBe('wrong-data')
})

it('is what a generic function says that it returns', () => {
  const silent = <Events extends EventSchemas>(declared: Events & JsonEvents<Events>): Provider<Events> =>
    defineProvider<Events>({ name: 'silent', signature, events: declared, normalize: () => [] })
  const provider: Provider<typeof events> = silent(events)
  expect(provider.events).toBe(events)
})
