import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { doorbell, openGateway, rung, signature } from '../../test/doorbell.ts'
import { defineProvider } from '../index.ts'
import { createRegistry, createRouting } from './registry.ts'

const gate = defineProvider({
  name: 'gate',
  signature,
  events: { 'gate.opened': z.object({}), 'gate.painted': z.object({}) },
  queueable: ['gate.opened'],
  normalize: () => [],
})
const registry = createRegistry([doorbell, gate])

describe('createRouting', () => {
  it('routes the queueable kinds of pilots to the queue and all others to the bus', () => {
    const selectRoute = createRouting(registry, ['gate', 'doorbell'])
    const names = ['gate/gate.opened', 'gate/gate.painted', 'doorbell/bell.rung', 'doorbell/gate.opened']
    expect(names.map((name) => selectRoute({ name }))).toEqual(['queue', 'direct', 'direct', 'direct'])
    expect(createRouting(registry)({ name: 'gate/gate.opened' })).toBe('direct')
  })

  it('rejects an unknown pilot', () => {
    expect(() => createRouting(registry, ['gat'])).toThrow(TypeError)
    expect(() => openGateway({ queuePilots: ['gate'] })).toThrow('"gate"')
  })
})

describe('the gateway', () => {
  it('records the route of each event', async () => {
    const queueable = { ...doorbell, queueable: ['bell.rung'] } as const
    for (const [pilots, route] of [
      [['doorbell'], 'queue'],
      [[], 'direct'],
    ] as const) {
      const { deliver, recorded } = openGateway({ providers: [queueable], queuePilots: pilots })
      expect((await deliver({ body: rung() })).status).toBe(200)
      expect(recorded[0]?.record.events.map((record) => record.route)).toEqual([route])
    }
  })
})
