import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

it('shows a bar after two seconds, and removes it', () => {
  const lines: (string | undefined)[] = []
  let now = 0
  const progress = createProgress('Replaying', { now: () => now, status: (line) => lines.push(line) })
  progress.show(1, 10)
  now = 2000
  progress.show(5, 10)
  progress.show(12, 10)
  progress.show(0, 0)
  progress.end()
  expect(lines).toEqual([
    'Replaying [##########----------] 50 %, 5 of 10',
    'Replaying [####################] 100 %, 12 of 10',
    'Replaying [--------------------] 0 %, 0 of 0',
    undefined,
  ])
})

it('shows nothing without a terminal', () => {
  const progress = createProgress('Replaying', { now: () => 5000, status: undefined })
  expect(() => {
    progress.show(1, 2)
    progress.end()
  }).not.toThrow()
})
