import { expect, it } from 'vitest'
import type { ClaimedWork } from './index.ts'
import { eventOf } from './testing/inbox-context.ts'
import { createLane, type Held } from './work-lane.ts'

const mebibyte = 1024 * 1024

const heldOf = (id: string, bytes: number, isClaimed: boolean): Held => ({
  work: { event: eventOf(id, 0), lease: id, attempts: 0, route: 'direct', bytes } as ClaimedWork,
  leaseAge: () => 0,
  isClaimed,
})

function lane() {
  const load = { events: 0, bytes: 0 }
  const made = createLane({
    ...{ load, batchSize: 1, concurrency: 2, onError: undefined },
    run: () => Promise.resolve(),
    isRunning: () => false,
    onIdle: () => undefined,
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
