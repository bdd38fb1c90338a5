import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineProvider, hmac, type EventSchemas } from '../index.ts'

const base = {
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  normalize: () => [],
} as const

interface Door {
  name: string
  open?: boolean
  rear?: Door[]
}
const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).readonly()
  },
})

it('accepts data that JSON preserves', () => {
  const events = {
    'bell.absent': z.object({ a: z.string().optional(), b: z.int().nullish() }).optional(),
    'bell.anything': z.object({ a: z.unknown(), b: z.any(), c: z.json() }),
    'bell.named': z.record(z.string(), z.union([z.string(), z.array(z.int())])),
    'bell.loose': z.looseObject({ a: z.literal('a') }).and(z.object({ b: z.enum(['x', 'y']) })),
    'bell.either': z.discriminatedUnion('t', [z.object({ t: z.literal(1) }), z.object({ t: z.literal(2) })]),
    'bell.tupled': z.tuple([z.string()], z.int()).readonly(),
    'bell.recursive': tree,
    'bell.branded': z.object({ id: z.string().brand('id') }).brand('whole'),
    'bell.piped': z.object({ at: z.coerce.date().transform((at) => at.toISOString()) }),
    'bell.interface': z.custom<Door>(),
    'bell.plain': z.string(),
    'bell.empty': z.object({}),
    'bell.unknown': z.unknown(),
  }
  expect(defineProvider({ ...base, events }).events).toBe(events)
  const general: EventSchemas = events
  expect(defineProvider({ ...base, events: general }).events).toBe(events)
})

it('rejects data that JSON changes', () => {
  // Regression: the first attempt of a handler got a date, and each retry a string.
  const refused = [
    // @ts-expect-error a date becomes a string
    defineProvider({ ...base, events: { 'bell.rung': z.object({ at: z.coerce.date() }) } }),
    // @ts-expect-error a set becomes {}
    defineProvider({ ...base, events: { 'bell.rung': z.object({ tags: z.set(z.string()) }) } }),
    // @ts-expect-error a map becomes {}
    defineProvider({ ...base, events: { 'bell.rung': z.object({ a: z.map(z.string(), z.string()) }) } }),
    // @ts-expect-error JSON cannot hold a bigint
    defineProvider({ ...base, events: { 'bell.rung': z.object({ a: z.bigint().optional() }) } }),
    // @ts-expect-error bytes become an object
    defineProvider({ ...base, events: { 'bell.rung': z.object({ a: z.instanceof(Uint8Array) }) } }),
    // @ts-expect-error JSON omits a function
    defineProvider({ ...base, events: { 'bell.rung': z.custom<{ ring: () => void }>() } }),
    // @ts-expect-error a date in an array of a union
    defineProvider({ ...base, events: { 'bell.rung': z.array(z.union([z.string(), z.date()])) } }),
    // @ts-expect-error a date in a record
    defineProvider({ ...base, events: { 'bell.rung': z.record(z.string(), z.date().nullable()) } }),
    // @ts-expect-error a date that may be absent
    defineProvider({ ...base, events: { 'bell.rung': z.object({ at: z.date().optional() }) } }),
    defineProvider({
      ...base,
      events: {
        'bell.rung': z.object({ door: z.string() }),
        // @ts-expect-error only the kind with a date
        'bell.broken': z.object({ since: z.date() }),
      },
    }),
  ]
  expect(refused).toHaveLength(10)
})
