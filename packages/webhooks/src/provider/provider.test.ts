import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesOf, openGateway } from '../../test/doorbell.ts'
import { createRegistry, defineProvider, type AnyProvider, type SignatureScheme } from '../index.ts'

const signature: SignatureScheme = {
  headers: [],
  verify: ({ body }) => ({ verified: true, body }),
  sign: () => ({}),
}
const events = { 'bell.rung': z.object({ door: z.string() }), 'bell.broken': z.object({ since: z.number() }) }

describe('defineProvider', () => {
  it('lets normalize return declared kinds with matching data only', () => {
    const provider = defineProvider({
      name: 'doorbell',
      signature,
      events,
      normalize: () => ({ kind: 'bell.rung', key: [1], subject: 'front', data: { door: 'front' } }),
      notify: (event) => {
        if (event.name.endsWith('/bell.rung')) {
          return { title: 'Bell', text: 'It rang', severity: 'info' }
        }
        return undefined
      },
    })
    const any: AnyProvider = provider
    expect(createRegistry([any]).get('doorbell')).toBe(provider)

    defineProvider({
      name: 'undeclared-kind',
      signature,
      events,
      // @ts-expect-error the kind is not among the events
      normalize: () => ({ kind: 'bell.stolen', subject: 'front', data: { door: 'front' } }),
    })
    defineProvider({
      name: 'wrong-data',
      signature,
      events,
      // @ts-expect-error the data belongs to another kind
      normalize: () => ({ kind: 'bell.rung', subject: 'front', data: { since: 1 } }),
    })
  })

  it.each(['', 'Doorbell', '1bell', 'bell/../x', 'bell_', 'a'.repeat(64)])(
    'refuses the name "%s"',
    (name) => {
      expect(() => defineProvider({ name, signature, events, normalize: () => [] })).toThrow(TypeError)
    },
  )

  it('refuses a malformed kind and a queueable kind that is not declared', () => {
    const base = { name: 'doorbell', signature, normalize: () => [] }
    expect(() => defineProvider({ ...base, events: { Rung: z.object({}) } })).toThrow(/entity\.happened/)
    // @ts-expect-error the queueable kind is not among the events
    expect(() => defineProvider({ ...base, events, queueable: ['bell.stolen'] })).toThrow(
      /not among the events/,
    )
  })
})

it('keeps the methods and the state of an object of a class', async () => {
  // They were once lost, and every delivery was refused.
  class Bell {
    readonly name = 'doorbell'
    readonly signature = signature
    readonly events = events
    #rings = 0
    normalize() {
      this.#rings++
      return { kind: 'bell.rung', key: [this.#rings], subject: 'front', data: { door: 'front' } } as const
    }
    parse(body: Uint8Array): unknown {
      return JSON.parse(new TextDecoder().decode(body.subarray(1)))
    }
  }
  const { send } = openGateway({ providers: [defineProvider(new Bell())] })
  expect((await send({ body: bytesOf('X{}') })).events).toMatchObject([{ id: 'doorbell:bell.rung:1' }])
  expect((await send({ body: bytesOf('X{}') })).events).toMatchObject([{ id: 'doorbell:bell.rung:2' }])
})

it('keeps what an object inherits from another', () => {
  const base = { name: 'doorbell', signature, events, normalize: () => [] }
  const provider = defineProvider(Object.create(base, { bodyLimit: { value: 10 } }) as typeof base)
  expect(provider).toMatchObject({ ...base, bodyLimit: 10 })
})

it('freezes a copy of a plain object', () => {
  const given = { name: 'doorbell', signature, events, normalize: () => [] }
  const provider = defineProvider(given)
  given.name = 'other'
  expect([provider.name, Object.isFrozen(provider)]).toEqual(['doorbell', true])
})

it('has no parser that returns a promise', () => {
  const base = { name: 'doorbell', signature, events, normalize: () => [] }
  // @ts-expect-error what a provider needs is in the delivery
  expect(defineProvider({ ...base, parse: async () => ({}) }).name).toBe('doorbell')
  expect(defineProvider({ ...base, parse: (): unknown => ({}) }).name).toBe('doorbell')
})

it('refuses a limit of bodies that limits nothing', () => {
  const base = { name: 'doorbell', signature, events, normalize: () => [] }
  for (const bodyLimit of [NaN, Infinity, 0, -1, '1mb' as never, null as never]) {
    expect(() => defineProvider({ ...base, bodyLimit })).toThrow('bodyLimit must be positive and finite')
  }
  expect(defineProvider({ ...base, bodyLimit: undefined as never }).bodyLimit).toBeUndefined()
})

describe('createRegistry', () => {
  it('keeps the order and refuses a name that is taken', () => {
    const named = (name: string) => defineProvider({ name, signature, events, normalize: () => [] })
    expect(createRegistry([named('b'), named('a')]).names).toEqual(['b', 'a'])
    expect(() => createRegistry([named('a'), named('a')])).toThrow('Two providers are named "a"')
  })

  it('does not find what objects inherit', () => {
    expect(createRegistry([]).get('constructor')).toBeUndefined()
    expect(createRegistry([]).get('__proto__')).toBeUndefined()
  })
})
