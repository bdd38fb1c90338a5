import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { prefixSigner } from './prefix-signer.ts'

it('equals HMAC-SHA256 of the whole text', () => {
  const text = fc.string({ maxLength: 200, unit: 'binary' })
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 5 }), (secret, prefix, rests) => {
      const sign = prefixSigner(secret, prefix)
      for (const rest of rests) {
        const whole = createHmac('sha256', secret).update(prefix).update(rest).digest('hex')
        expect(sign(rest)).toBe(whole)
      }
    }),
    { numRuns: 20 },
  )
})
