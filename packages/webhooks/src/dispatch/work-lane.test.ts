import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import type { ClaimedWork } from '../index.ts'
import { createLane, type LeasedWork } from './work-lane.ts'

const mebibyte = 1024 * 1024

const createLeased = (id: string, bytes: number, isClaimed: boolean): LeasedWork => ({
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

it('is empty after it is cleared', () => {
  const { load, made } = lane()
  const empty = made.room()
  for (const id of ['a', 'b']) made.push(createLeased(id, mebibyte, true))
  expect(load).toEqual({ events: 2, bytes: 2 * mebibyte })
  expect(made.clear().map(({ event }) => event.id)).toEqual(['a', 'b'])
  expect(load).toEqual({ events: 0, bytes: 0 })
  expect(made.room()).toEqual(empty)
})

it('limits claims only by the bytes of claimed work', () => {
  const { made } = lane()
  made.push(createLeased('recorded', 16 * mebibyte, false))
  expect(made.room()).toEqual({ limit: 1, maxBytes: 16 * mebibyte })
  made.push(createLeased('claimed', mebibyte, true))
  expect(made.room()).toEqual({ limit: 0, maxBytes: 15 * mebibyte })
})

it('continues after a rejected run and reports the error', async () => {
  const errors: unknown[] = []
  const ran: string[] = []
  const { load, made } = lane({
    concurrency: 1,
    isRunning: () => true,
    onError: (error) => errors.push(error),
    run(taken) {
      ran.push(...taken.map(({ work }) => work.event.id))
      return ran.length === 1 ? Promise.reject(new Error('Unexpected')) : Promise.resolve()
    },
  })
  const empty = made.room()
  for (const id of ['a', 'b']) made.push(createLeased(id, mebibyte, true))
  made.pump()
  for (const id of ['a', 'b']) {
    expect(ran.at(-1)).toBe(id)
    await Promise.all(made.running)
  }
  expect(errors).toEqual([new Error('Unexpected')])
  expect([made.running.size, load, made.room()]).toEqual([0, { events: 0, bytes: 0 }, empty])
})
