import { expect, it } from 'vitest'
import { formatTable, readOutput, summarize } from './report.ts'

const good = readOutput('one', 'ok rest > pages\nok rest > cursors\nok auth > tokens\n# 3 passed, 0 failed\n')

it('counts passed cases by area', () => {
  expect(Object.fromEntries(good.passed)).toEqual({ rest: 2, auth: 1 })
  expect(good.failures).toEqual([])
})

it('collects failed cases', () => {
  const { failures } = readOutput(
    'one',
    'ok rest > pages\nnot ok auth > tokens: Error\n# 1 passed, 1 failed\n',
  )
  expect(failures).toEqual(['not ok auth > tokens: Error'])
})

it.each([
  ['prints nothing', ''],
  ['stops early', 'ok rest > pages\n'],
  ['crashes', 'ok rest > pages\nSegmentation fault\n'],
  ['lost a line', 'ok rest > pages\n# 2 passed, 0 failed\n'],
])('reports a suite that %s as failed', (_, output) => {
  const { failures } = readOutput('one', output)
  expect(failures).toEqual([expect.stringMatching(/^not ok: the suite did not finish/)])
})

it('sums outcomes and counts skipped runtimes', () => {
  const skipped = {
    runtime: 'another',
    passed: new Map<string, number>(),
    failures: [],
    skipped: 'not installed',
  }
  const broken = readOutput('broken', 'ok rest > pages\n')
  expect(summarize([good, skipped, broken])).toEqual({
    numPassedTests: 4,
    numFailedTests: 1,
    numPendingTests: 1,
    numFailedTestSuites: 1,
    success: false,
  })
  expect(formatTable([good, skipped])).toBe(
    ['         rest  auth  failed', 'one      2     1     0', 'another  -     -     skipped'].join('\n'),
  )
})
