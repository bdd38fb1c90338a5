import { describe, expect, it } from 'vitest'
import type { Result } from '../frame/result.ts'
import { mergeResults, type StoredResult } from './results.ts'

const machine = { cpu: 'CPU', cores: 2, loadAverage: 0.5, commit: 'def' }
const date = new Date('2026-02-01T12:00:00Z')

const measure = (rounds: number): Result => ({
  name: 'it',
  what: 'Does it.',
  unit: 'operations/s',
  ratioKind: 'speed',
  base: 'plain',
  rounds,
  sides: [],
  targets: [],
})

const store = (id: string): StoredResult => ({
  id,
  measurement: { date: '2026-01-31', commit: 'abc', cpu: 'CPU', cores: 2 },
  result: measure(1),
})

describe('the merged results', () => {
  it('replace the result of a benchmark that was measured again', () => {
    const outcomes = [{ id: 'area/two', result: measure(9) }]
    const merged = mergeResults([store('area/one'), store('area/two')], outcomes, {
      ...{ machine, date },
      ids: ['area/one', 'area/two'],
    })
    expect(merged).toEqual([
      store('area/one'),
      { id: 'area/two', measurement: { date: '2026-02-01', ...machine }, result: measure(9) },
    ])
  })

  it('keep the earlier result of a benchmark that failed', () => {
    const outcomes = [{ id: 'area/one', what: 'Does it.', failure: 'Error' }]
    const ids = ['area/one']
    expect(mergeResults([store('area/one')], outcomes, { machine, date, ids })).toEqual([store('area/one')])
  })

  it('have the order of the benchmarks, and lack those that were removed', () => {
    const outcomes = [{ id: 'area/new', result: measure(9) }]
    const merged = mergeResults([store('area/old'), store('area/one')], outcomes, {
      ...{ machine, date },
      ids: ['area/new', 'area/one'],
    })
    expect(merged.map(({ id }) => id)).toEqual(['area/new', 'area/one'])
  })
})
