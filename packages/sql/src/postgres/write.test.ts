import { describe, expect, it } from 'vitest'
import { writeOnce, writeTogether } from './write.ts'

const unavailable = { code: 'INBOX_UNAVAILABLE', status: 503 }

/** Creates a write that fails the first `times` calls and records the items of each call. */
function failing(times: number, code: string) {
  const asked: (readonly number[])[] = []
  const error = Object.assign(new Error('failed'), { code })
  const write = async (items: readonly number[]): Promise<readonly number[]> => {
    asked.push(items)
    if (asked.length <= times) throw error
    return items
  }
  return { asked, error, write }
}

describe('a write', () => {
  it.each(['40P01', '40001'])(
    'is done again, twice, when it was rolled back for another (%s)',
    async (code) => {
      const both = [
        { status: 'fulfilled', value: 1 },
        { status: 'fulfilled', value: 2 },
      ]
      for (const times of [1, 2]) {
        const { asked, write } = failing(times, code)
        expect(await writeTogether([1, 2], write)).toEqual(both)
        expect(asked).toEqual(Array(times + 1).fill([1, 2]))
        const once = failing(times, code)
        expect(await writeOnce(() => once.write([1]))).toEqual([1])
      }
    },
  )

  it('fails after that for all that it is of, and is not done in halves', async () => {
    const { asked, error, write } = failing(3, '40P01')
    const reason = expect.objectContaining({ ...unavailable, cause: error }) as Error
    expect(await writeTogether([1, 2], write)).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    expect(asked).toEqual(Array(3).fill([1, 2]))
    const once = failing(3, '40P01')
    await expect(writeOnce(() => once.write([1]))).rejects.toMatchObject(unavailable)
    expect(once.asked).toHaveLength(3)
  })

  it('is not done again when it failed for another reason', async () => {
    const { asked, write } = failing(1, '57014')
    expect(await writeTogether([1, 2], write)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(asked).toEqual([[1, 2]])
  })
})
