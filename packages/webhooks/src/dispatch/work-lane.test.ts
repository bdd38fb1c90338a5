import { createEvent } from '@sallyport/testing'
import { expect, it } from 'vitest'
import type { ClaimedWork } from '../index.ts'
import { createLane, type Held } from './work-lane.ts'

const mebibyte = 1024 * 1024

const heldOf = (id: string, bytes: number, isClaimed: boolean): Held => ({
  work: { event: createEvent(id, 0), lease: id, attempts: 0, route: 'direct', bytes } as ClaimedWork,
  leaseAge: () => 0,
  isClaimed,
})

function lane(options: Partial<Parameters<typeof createLane>[0]> = {}) {
  const load = { events: 0, bytes: 0 }
  const made = createLane({
    ...{ load, batchSize: 1, concurrency: 2, onError: undefined },
    run: () => Promise.resolve(),
    isRunning: () => false,
    onIdle: () => undefined,
    ...options,
  })
  return { load, made }
}

it('holds nothing of what is taken out of it', () => {
  const { load, made } = lane()
  const empty = made.room()
  for (const id of ['a', 'b']) made.push(heldOf(id, mebibyte, true))
  expect(load).toEqual({ events: 2, bytes: 2 * mebibyte })
  expect(made.clear().map(({ event }) => event.id)).toEqual(['a', 'b'])
  expect(load).toEqual({ events: 0, bytes: 0 })
  expect(made.room()).toEqual(empty)
})

it('claims as many bytes whatever was recorded here', () => {
  const { made } = lane()
  made.push(heldOf('recorded', 16 * mebibyte, false))
  expect(made.room()).toEqual({ limit: 1, maxBytes: 16 * mebibyte })
  made.push(heldOf('claimed', mebibyte, true))
  expect(made.room()).toEqual({ limit: 0, maxBytes: 15 * mebibyte })
})

it('goes on after a run that was rejected, and tells of it', async () => {
  const errors: unknown[] = []
  const ran: string[] = []
  const { load, made } = lane({
    concurrency: 1,
    isRunning: () => true,
    onError: (error) => errors.push(error),
    run(taken) {
      ran.push(...taken.map(({ work }) => work.event.id))
      return ran.length === 1 ? Promise.reject(new Error('Nobody foresaw it')) : Promise.resolve()
    },
  })
  const empty = made.room()
  for (const id of ['a', 'b']) made.push(heldOf(id, mebibyte, true))
  made.pump()
  for (const id of ['a', 'b']) {
    expect(ran.at(-1)).toBe(id)
    await Promise.all(made.running)
  }
  expect(errors).toEqual([new Error('Nobody foresaw it')])
  expect([made.running.size, load, made.room()]).toEqual([0, { events: 0, bytes: 0 }, empty])
})
