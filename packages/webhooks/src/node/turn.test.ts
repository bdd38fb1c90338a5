import { describe, expect, it } from 'vitest'
import { waitForTurn } from './request.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Reports whether the turn was over when the waiting requests resumed. */
async function isOver(waiting: number): Promise<boolean> {
  await turn()
  let over = false
  setImmediate(() => (over = true))
  await Promise.all(Array.from({ length: waiting }, waitForTurn))
  return over
}

describe('waitForTurn', () => {
  it('waits for the end of the turn', async () => {
    expect(await isOver(1)).toBe(true)
    expect(await isOver(127)).toBe(true)
  })

  it('resolves at once for 128 waiting requests', async () => {
    expect(await isOver(128)).toBe(false)
    expect(await isOver(129)).toBe(true)
  })
})
