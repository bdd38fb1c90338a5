import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { encodeBody, openGateway } from '../../test/doorbell.ts'
import { defineProvider, type AnyProvider, type SignatureScheme } from '../index.ts'
import { createRegistry } from './registry.ts'

const signature: SignatureScheme = {
  headers: [],
  verify: ({ body }) => ({ verified: true, body }),
  sign: () => ({}),
}
const events = { 'bell.rung': z.object({ door: z.string() }), 'bell.broken': z.object({ since: z.number() }) }

describe('defineProvider', () => {
  it('restricts normalize to declared kinds with matching data', () => {
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
    'rejects the name "%s"',
    (name) => {
      expect(() => defineProvider({ name, signature, events, normalize: () => [] })).toThrow(TypeError)
    },
  )

  it('rejects a malformed kind and an undeclared queueable kind', () => {
    const base = { name: 'doorbell', signature, normalize: () => [] }
    expect(() => defineProvider({ ...base, events: { 'rung/': z.object({}) } })).toThrow(/entity\.happened/)
    // @ts-expect-error the queueable kind is not among the events
    expect(() => defineProvider({ ...base, events, queueable: ['bell.stolen'] })).toThrow(
      /not among the events/,
    )
  })
})

it('keeps the methods and the state of a class instance', async () => {
  // Regression: the methods were lost, and every delivery was rejected.
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
  expect((await send({ body: encodeBody('X{}') })).events).toMatchObject([{ id: 'doorbell:bell.rung:1' }])
  expect((await send({ body: encodeBody('X{}') })).events).toMatchObject([{ id: 'doorbell:bell.rung:2' }])
})

it('keeps inherited members', () => {
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

it('rejects a parser that returns a promise', () => {
  const base = { name: 'doorbell', signature, events, normalize: () => [] }
  // @ts-expect-error a parser is synchronous
  expect(defineProvider({ ...base, parse: async () => ({}) }).name).toBe('doorbell')
  expect(defineProvider({ ...base, parse: (): unknown => ({}) }).name).toBe('doorbell')
})

it('rejects a body limit that is not positive and finite', () => {
  const base = { name: 'doorbell', signature, events, normalize: () => [] }
  for (const bodyLimit of [NaN, Infinity, 0, -1, '1mb' as never, null as never]) {
    expect(() => defineProvider({ ...base, bodyLimit })).toThrow('bodyLimit must be positive and finite')
  }
  expect(defineProvider({ ...base, bodyLimit: undefined as never }).bodyLimit).toBeUndefined()
})

describe('createRegistry', () => {
  it('keeps the order and rejects a repeated name', () => {
    const named = (name: string) => defineProvider({ name, signature, events, normalize: () => [] })
    expect(createRegistry([named('b'), named('a')]).names).toEqual(['b', 'a'])
    expect(() => createRegistry([named('a'), named('a')])).toThrow('Two providers are named "a"')
  })

  it('does not find inherited members of objects', () => {
    expect(createRegistry([]).get('constructor')).toBeUndefined()
    expect(createRegistry([]).get('__proto__')).toBeUndefined()
  })
})
