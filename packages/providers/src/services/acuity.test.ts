import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { acuity } from './acuity.ts'
import samples from './acuity.samples.json' with { type: 'json' }

testService(runner, {
  provider: acuity,
  samples,
  sign: ({ body, secret }) => ({
    'x-acuity-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

describe('acuity deliveries', () => {
  it('are new events although their bodies are equal', () => {
    expect(acuity.service.distinct).toBe(true)
    expect(acuity.service.id).toBeUndefined()
  })
})
