import { expect, it } from 'vitest'
import type { ClaimedWork } from './index.ts'
import { never } from '../test/doorbell.ts'
import { eventOf } from './testing/inbox-context.ts'
import { createLane, type Held } from './work-lane.ts'

const mebibyte = 1024 * 1024

const heldOf = (id: string, bytes: number, isClaimed: boolean): Held => ({
  work: { event: eventOf(id, 0), lease: id, attempts: 0, route: 'direct', bytes } as ClaimedWork,
  leaseAge: () => 0,
  isClaimed,
})

function lane({ batchSize = 1, concurrency = 2, isRunning = false } = {}) {
  const load = { events: 0, bytes: 0 }
  const made = createLane({
    ...{ load, batchSize, concurrency, onError: undefined },
    run: never,
    isRunning: () => isRunning,
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

// One that was larger than all that may be claimed left the other attempts idle until its own had ended.
it('claims on while huge events hang, until each attempt has one', () => {
  for (const concurrency of [1, 3, 7]) {
    const { made } = lane({ concurrency, isRunning: true })
    const asked = Array.from({ length: concurrency }, (_, index) => {
      const room = made.room()
      made.push(heldOf(`huge:${index}`, 20 * mebibyte, true))
      expect(made.room().limit).toBe(0)
      made.pump()
      return room
    })
    const share = Math.ceil((16 * mebibyte) / concurrency)
    const [first, ...others] = asked.map(({ maxBytes }) => maxBytes)
    expect([first, new Set(others)]).toEqual([16 * mebibyte, new Set(concurrency > 1 ? [share] : [])])
    expect(asked.every(({ limit }) => limit > 0)).toBe(true)
    expect(made.room().limit).toBe(0)
  }
})

it('claims on while a batch hangs that holds all that may be claimed', () => {
  const { made } = lane({ batchSize: 16, isRunning: true })
  for (let index = 0; index < 16; index++) made.push(heldOf(`event:${index}`, mebibyte, true))
  made.pump()
  expect(made.room()).toEqual({ limit: 32, maxBytes: 8 * mebibyte })
})
