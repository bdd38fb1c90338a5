import { describe, it } from 'vitest'
import { algorithms, compareMutatedTokens, compareSignedTexts } from '../../test/signature-comparison.ts'

describe.each(algorithms)('the signature verifier for %s', (alg) => {
  it('accepts and rejects the same mutated tokens as jose', { timeout: 60_000 }, () =>
    compareMutatedTokens(alg, { numRuns: 500 }),
  )

  it('accepts and rejects the same signed texts as jose', { timeout: 60_000 }, () =>
    compareSignedTexts(alg, { numRuns: 300 }),
  )
})
