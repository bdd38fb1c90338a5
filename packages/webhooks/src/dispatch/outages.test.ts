import { describe, expect, it, vi } from 'vitest'
import { createOutages, type CountedAttempt } from './outages.ts'

const waiting = 5

function outages() {
  const onRecovery = vi.fn()
  const makeDue = vi.fn((limit: number) => Promise.resolve(Math.min(limit, waiting)))
  const onError = vi.fn()
  const created = createOutages({ startClock: () => () => 2500, onRecovery, makeDue, onError })
  const attempt = (id: string, targets: CountedAttempt['targets'], isRetry = false): CountedAttempt => {
    return { id, isRetry, status: targets?.some(({ ok }) => !ok) ? 'retry' : 'done', targets }
  }
  return {
    ...{ onRecovery, makeDue, onError, outages: created },
    count: (id: string, targets: Record<string, boolean>, isRetry = false) => {
      const results = Object.entries(targets).map(([name, ok]) => ({ name, ok }))
      created.count([attempt(id, results, isRetry)])
    },
    countWhole: (id: string, status: CountedAttempt['status']) => {
      created.count([{ id, isRetry: false, status, targets: undefined }])
    },
  }
}

describe('the outages of destinations', () => {
  it('are those of each, whatever the others take', async () => {
    const { count, makeDue, onRecovery, outages: all } = outages()
    for (const id of ['1', '2', '3']) count(id, { kafka: false, sqs: true })
    await all.makeDue(100)
    expect(makeDue.mock.calls).toEqual([[1, 'kafka']])
    count('4', { sqs: true })
    expect(onRecovery).not.toHaveBeenCalled()
    count('5', { kafka: true })
    expect(onRecovery).toHaveBeenCalledOnce()
    await all.makeDue(100)
    expect(makeDue.mock.calls.slice(1)).toEqual([[100, 'kafka']])
  })

  it('are not ended by an event that no destination received', async () => {
    const { count, countWhole, makeDue, outages: all } = outages()
    for (const id of ['1', '2', '3']) {
      countWhole(id, 'retry')
      count(id, {})
    }
    await all.makeDue(100)
    expect(makeDue.mock.calls).toEqual([[1, undefined]])
  })

  it('are detected for a hundred destinations that failed', async () => {
    const { count, makeDue, outages: all } = outages()
    for (let index = 0; index < 200; index++) count('0', { [`healthy ${index}`]: true })
    for (const id of ['1', '2', '3'])
      for (let index = 0; index < 200; index++) count(id, { [`away ${index}`]: false })
    await all.makeDue(100)
    expect(makeDue).toHaveBeenCalledTimes(100)
  })

  it('continue after an error of the inbox, which is reported', async () => {
    const { count, makeDue, onError, outages: all } = outages()
    const error = new Error('no answer')
    makeDue.mockRejectedValueOnce(error)
    for (const id of ['1', '2', '3']) count(id, { kafka: false, sqs: false })
    await all.makeDue(100)
    expect(makeDue.mock.calls.map(([, name]: readonly unknown[]) => name)).toEqual(['kafka', 'sqs'])
    expect(onError.mock.calls).toEqual([[error]])
  })
})
