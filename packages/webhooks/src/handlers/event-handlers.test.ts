import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { doorbell, signature } from '../../test/doorbell.ts'
import { createRunner, defineProvider, createMemoryInbox, type AnyProvider, type Provider } from '../index.ts'
import type { LimitedEventHandlers } from './event-handlers.ts'

const gate = defineProvider({
  name: 'gate',
  signature,
  events: { 'gate.opened': z.object({ by: z.string() }), 'bell.rung': z.object({ times: z.number() }) },
  normalize: () => [],
})
type Providers = readonly [typeof doorbell, typeof gate]

const handle = <Named extends readonly AnyProvider[] = readonly AnyProvider[]>(
  on: LimitedEventHandlers<NoInfer<Named>>,
) => createRunner<Named>({ inbox: createMemoryInbox(), on })

describe('the types of handlers', () => {
  it('include the names and the data of the providers', () => {
    expect([doorbell.name satisfies 'doorbell', gate.name satisfies 'gate']).toEqual(['doorbell', 'gate'])
    handle<Providers>({
      'gate/gate.opened': ({ data, name }) => [data.by.length, name satisfies 'gate/gate.opened'],
      'gate/bell.rung': { handler: ({ data }) => data.times + 1, concurrency: 1 },
      'doorbell/bell.rung': async ({ data }, stop) => {
        stop.throwIfAborted()
        await Promise.resolve(data.door.length)
      },
    })
    // Without providers, every name is valid and the data is unknown.
    handle({ 'any/thing.happened': ({ data }) => data satisfies unknown })
  })

  it('accept every name for a provider without a literal name', () => {
    type Elsewhere = readonly [Provider<(typeof gate)['events']>]
    handle<Elsewhere>({ 'elsewhere/gate.opened': ({ data }) => data.by.length })
    // @ts-expect-error only the doorbell has a door
    handle<Elsewhere>({ 'elsewhere/gate.opened': ({ data }) => String(data.door) })
    // @ts-expect-error no provider has this kind
    handle<Elsewhere>({ 'elsewhere/gate.closed': () => undefined })
  })

  it('reject unknown kinds, unknown providers and wrong data', () => {
    // @ts-expect-error the gate has no kind gate.closed
    handle<Providers>({ 'gate/gate.closed': () => undefined })
    // @ts-expect-error the kind belongs to another provider
    handle<Providers>({ 'doorbell/gate.opened': () => undefined })
    // @ts-expect-error the provider is unknown
    handle<Providers>({ 'gat/gate.opened': () => undefined })
    // @ts-expect-error only the doorbell has a door
    handle<Providers>({ 'gate/gate.opened': ({ data }) => String(data.door) })
    // @ts-expect-error only the doorbell has a door
    handle<Providers>({ 'gate/gate.opened': { handler: ({ data }) => String(data.door) } })
    // @ts-expect-error a handler is a function
    const handlesNothing = () => handle<Providers>({ 'gate/bell.rung': 'log' })
    expect(handlesNothing).toThrow(new TypeError('The handler of gate/bell.rung must be a function'))
  })
})
