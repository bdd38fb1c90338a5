import { describe, expect, it } from 'vitest'
import { runtimeProblem } from './runtime.ts'

describe('runtimeProblem', () => {
  it.each(['12.22.0', '20.20.2', '22.17.1'])('reports Node %s', (version) => {
    expect(runtimeProblem(version)).toMatch(/^Sallyport needs Node\.js 22\.18 or newer, but this is \S+: .+$/)
  })

  it.each(['22.18.0', '24.0.0', '26.1.0'])('accepts Node %s', (version) => {
    expect(runtimeProblem(version)).toBeUndefined()
  })
})
