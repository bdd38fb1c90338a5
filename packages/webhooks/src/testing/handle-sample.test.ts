import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineProvider, hmac, type WebhookEvent } from '../index.ts'
import { createSampleEvent, handleSample } from './index.ts'

const ring = z.object({ id: z.string(), doors: z.array(z.string()) })
const doorbell = defineProvider({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  events: { 'bell.rung': z.object({ door: z.string() }), 'bell.broken': z.object({ since: z.number() }) },
  normalize({ payload }) {
    const { id, doors } = ring.parse(payload)
    return doors.map((door) => ({
      kind: 'bell.rung' as const,
      key: [id, door],
      subject: door,
      data: { door },
    }))
  },
})

const samples = [
  { kind: 'bell.rung', headers: {}, body: { id: '1', doors: ['front', 'back'] } },
  { kind: 'bell.broken', headers: {}, body: { id: '2', doors: ['front'] } },
  { kind: 'bell.ignored', headers: {}, body: { id: '3', doors: [] } },
  { kind: 'bell.odd', headers: {}, body: { id: '4' } },
]

it('creates the event of a sample with the type of its kind', async () => {
  const event = await createSampleEvent(doorbell, 'bell.rung', samples)
  expect(event).toMatchObject({
    id: 'doorbell:bell.rung:1:front',
    name: 'doorbell/bell.rung',
    subject: 'front',
    data: { door: 'front' },
    source: { provider: 'doorbell' },
  })
  expectTypeOf(event.data).toEqualTypeOf<{ door: string }>()
})

it('calls the handler once and returns its value', async () => {
  const handled: string[] = []
  const length = await handleSample(doorbell, 'bell.rung', samples, async ({ data }, signal) => {
    expect(signal.aborted).toBe(false)
    return handled.push(data.door)
  })
  expect([length, handled]).toEqual([1, ['front']])
})

it('takes samples as a function', async () => {
  const sample = () => ({ kind: 'bell.rung', headers: {}, body: { id: '9', doors: ['side'] } })
  const event: WebhookEvent = await createSampleEvent(doorbell, 'bell.rung', { sample })
  expect(event.subject).toBe('side')
})

it('throws the error of the handler', async () => {
  const error = new Error('The build failed')
  const failing = handleSample(doorbell, 'bell.rung', samples, () => Promise.reject(error))
  await expect(failing).rejects.toBe(error)
  const throwing = handleSample(doorbell, 'bell.rung', samples, () => {
    throw error
  })
  await expect(throwing).rejects.toBe(error)
})

it('rejects a kind without a sample, and a sample without an event of the kind', async () => {
  const create = (kind: string) => createSampleEvent(doorbell, kind as 'bell.rung', samples)
  await expect(create('bell.stolen')).rejects.toThrow(new TypeError('No sample of "bell.stolen" exists'))
  await expect(create('bell.broken')).rejects.toThrow('no event of the kind "bell.broken" (accepted)')
  await expect(create('bell.ignored')).rejects.toThrow('(ignored)')
  await expect(create('bell.odd')).rejects.toThrow('(quarantined')
})

it('signs with the given secret', async () => {
  const calls = createSampleEvent(doorbell, 'bell.rung', samples, { secret: 'a', signingSecret: 'b' })
  await expect(calls).rejects.toThrow('(refused')
})
