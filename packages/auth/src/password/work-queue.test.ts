import { expect, it } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

function deferred() {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => (finish = resolve))
  return { done, finish }
}

it('limits running tasks, queues the others in order and rejects over the limit', async () => {
  const queue = createWorkQueue(2, 2)
  const started: number[] = []
  const gates = Array.from({ length: 4 }, deferred)
  const runs = gates.map(({ done }, index) =>
    queue.run(async () => {
      started.push(index)
      await done
      return index
    }),
  )
  expect(started).toEqual([0, 1])
  await expect(queue.run(async () => 5)).rejects.toMatchObject({
    code: 'OVERLOADED',
    status: 503,
    headers: { 'Retry-After': '1' },
  })
  gates[1]!.finish()
  await runs[1]
  expect(started).toEqual([0, 1, 2])
  for (const gate of gates) gate.finish()
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3])
  expect(await queue.run(async () => 6)).toBe(6)
})

it('passes the permit of a failed task to the next task', async () => {
  const queue = createWorkQueue(1, 1)
  const failed = queue.run(async () => {
    throw new Error('broken')
  })
  const next = queue.run(async () => 'next')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
