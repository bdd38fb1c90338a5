import { describe, inject, it } from 'vitest'
import { algorithms, compareMutatedTokens } from '../test/signature-comparison.ts'

/** Mutated tokens of all algorithms; RELIABILITY_TOKENS=3000000 compares more. */
const tokens = Number(process.env['RELIABILITY_TOKENS'] ?? 300_000)

describe.each(algorithms)('the signature verifier for %s', (alg) => {
  it('accepts and rejects the same mutated tokens as jose', async () => {
    await compareMutatedTokens(alg, { numRuns: tokens / algorithms.length, seed: inject('seed') })
  })
})
