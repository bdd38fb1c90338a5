import { describe, expect, it } from 'vitest'
import { prepareHmac } from '../src/crypto/crypto.ts'
import { publicKeyCases, schemeCases } from './scheme-cases.ts'
import { describeScheme } from './scheme-suite.ts'

const cases = [...(await schemeCases()), ...(await publicKeyCases())]

describe('with node:crypto', () => {
  it('computes synchronously', () => {
    expect(prepareHmac('sha256', 'hex', 'key')(['content'])).toBeTypeOf('string')
  })

  for (const one of cases) describeScheme(one)
})
