import { describe, expect, it } from 'vitest'
import { turnRead } from './turn.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Whether the turn was over when so many that wait for it went on. */
async function isOver(waiting: number): Promise<boolean> {
  await turn()
  let over = false
  setImmediate(() => (over = true))
  await Promise.all(Array.from({ length: waiting }, turnRead))
  return over
}

describe('turnRead', () => {
  it('waits until a turn has brought what it brings', async () => {
    expect(await isOver(1)).toBe(true)
    expect(await isOver(127)).toBe(true)
  })

  it('lets go on those who wait before they are too many', async () => {
    expect(await isOver(128)).toBe(false)
    expect(await isOver(129)).toBe(true)
  })
})
